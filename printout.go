package flott

import (
	"errors"
	"os"
	"strconv"
)

// A printout is what the role plan writes of each job: what the FLOTT_PLAN_* variables ask for.
type printout struct {
	graphs  []Graph
	form    func(*Plan, Graph) string
	explain bool   // in place of the graphs
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

// readPrintout reads the variables. What they cannot be is a mistake of the program, as with every setting.
func (s *settings) readPrintout() {
	p := printout{file: os.Getenv("FLOTT_PLAN_OUT")}
	s.choose("FLOTT_PLAN_GRAPH", "stream, job, execution or task", func(v string) (ok bool) {
		p.graphs, ok = printedGraphs[v]
		return ok
	})
	s.choose("FLOTT_PLAN_FORMAT", "text, json or dot", func(v string) (ok bool) {
		p.form, ok = printedForms[v]
		return ok
	})
	s.choose("FLOTT_PLAN_EXPLAIN", "true or false", func(v string) bool {
		var err error
		p.explain, err = strconv.ParseBool(v)
		return err == nil || v == ""
	})
	s.printout = p
}

// choose takes a variable's value, which is "" where it is absent.
func (s *settings) choose(name, choice string, take func(string) bool) {
	if value := os.Getenv(name); !take(value) {
		s.mistake("the environment variable %s is %q; it must be %s", name, value, choice)
	}
}

func (p *printout) of(plan *Plan) string {
	if p.explain {
		return plan.Explain()
	}
	var text string
	for _, g := range p.graphs {
		text += p.form(plan, g) + "\n"
	}
	return text
}

func (p *printout) write(plan *Plan) error {
	if p.file == "" {
		_, err := os.Stdout.WriteString(p.of(plan))
		return err
	}
	out, err := os.OpenFile(p.file, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o666)
	if err != nil {
		return err
	}
	_, err = out.WriteString(p.of(plan))
	return errors.Join(err, out.Close())
}
