package flott

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"strconv"

	"github.com/flott-dev/flott/internal/control/view"
	"github.com/flott-dev/flott/internal/graph/jobdoc"
	"github.com/flott-dev/flott/internal/graph/text"
	"github.com/flott-dev/flott/internal/id"
)

// A printout is the role plan: a process that compiles its jobs and prints them, instead of running them, as the FLOTT_PLAN_* variables
// ask for. "flott plan" starts it.
type printout struct {
	graphs  []Graph
	form    func(*Plan, Graph) string
	explain bool   // in place of the graphs
	page    bool   // in place of the graphs: what the page needs to draw them, a line for each job
	file    string // to append to; "": standard output
}

var printedGraphs = map[string][]Graph{
	"stream": {StreamGraph}, "job": {JobGraph}, "execution": {ExecutionGraph}, "task": {Tasks},
	"": {StreamGraph, JobGraph, ExecutionGraph, Tasks},
}

var printedForms = map[string]func(*Plan, Graph) string{
	"":     (*Plan).Text,
	"text": (*Plan).Text,
	"json": func(p *Plan, g Graph) string { return string(p.JSON(g)) },
	"dot":  (*Plan).Dot,
}

// asPrinter is the role plan. What the variables cannot be is a mistake of the program, as with every setting.
func (s *settings) asPrinter() role {
	p := &printout{file: os.Getenv("FLOTT_PLAN_OUT")}
	s.choose("FLOTT_PLAN_GRAPH", "stream, job, execution or task", func(v string) (ok bool) {
		p.graphs, ok = printedGraphs[v]
		return ok
	})
	s.choose("FLOTT_PLAN_FORMAT", "text, json, dot or page", func(v string) (ok bool) {
		p.form, ok = printedForms[v]
		p.page = v == "page"
		return ok || p.page
	})
	s.choose("FLOTT_PLAN_EXPLAIN", "true or false", func(v string) bool {
		var err error
		p.explain, err = strconv.ParseBool(v)
		return err == nil || v == ""
	})
	return p
}

// start prints the job, or all that is wrong with it. So a program with several jobs prints one after the other, and ends when its main
// does; at a mistake it ends at once.
func (p *printout) start(_ context.Context, e *Environment, job string, _ attachment) (*Job, error) {
	if err := p.print(e, job); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	return finished(&Result{JobID: id.Job{}.String()}, nil), nil
}

func (p *printout) print(e *Environment, job string) error {
	plan, err := e.Plan(job)
	if err != nil {
		return err
	}
	printed, err := p.of(plan)
	if err != nil {
		return err
	}
	return p.write(printed)
}

func (p *printout) of(plan *Plan) (printed string, err error) {
	switch {
	case p.page:
		return plan.page()
	case p.explain:
		return plan.Explain(), nil
	}
	for _, g := range p.graphs {
		printed += p.form(plan, g) + "\n"
	}
	return printed, nil
}

// page is the job as it would be submitted, in one line.
func (p *Plan) page() (string, error) {
	graph, err := jobdoc.Encode(p.graphs.job)
	if err != nil {
		return "", err
	}
	line, err := json.Marshal(view.Submission{Graph: graph, StreamGraph: text.StreamDocumentJSON(p.graphs.stream, p.graphs.job)})
	return string(line) + "\n", err
}

func (p *printout) write(printed string) error {
	if p.file == "" {
		_, err := os.Stdout.WriteString(printed)
		return err
	}
	out, err := os.OpenFile(p.file, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o666)
	if err != nil {
		return err
	}
	_, err = out.WriteString(printed)
	return errors.Join(err, out.Close())
}
