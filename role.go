package flott

import (
	"errors"
	"fmt"
	"os"

	"github.com/flott-dev/flott/internal/id"
)

// A role is what a process does when its program comes to Execute. FLOTT_ROLE says it: the library parses no flags.
type role string

const (
	embedded role = ""     // runs the job in this process
	planning role = "plan" // compiles the job and prints it instead of running it: what "flott plan" starts
)

func (s *settings) readRole(value string) {
	switch r := role(value); r {
	case embedded, planning:
		s.role = r
	default:
		s.mistake("the environment variable FLOTT_ROLE is %q; it must be %q or absent", r, planning)
	}
}

// show is what Execute and Start do in the role plan: they print the job, or all that is wrong with it. So a program with several
// jobs prints one after the other, and ends when its main does; at a mistake it ends at once.
func (e *Environment) show(job string) (*Job, error) {
	plan, err := e.Plan(job)
	if err == nil {
		err = plan.print()
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	return finished(), nil
}

// print writes what the FLOTT_PLAN_* variables ask for: the graph stream, job, execution or task, or all four; as text, json or dot;
// or the explanation; to the end of the file FLOTT_PLAN_OUT or to standard output.
func (p *Plan) print() error {
	answer, err := p.answer(os.Getenv("FLOTT_PLAN_GRAPH"), os.Getenv("FLOTT_PLAN_FORMAT"), os.Getenv("FLOTT_PLAN_EXPLAIN") == "true")
	if err != nil {
		return err
	}
	name := os.Getenv("FLOTT_PLAN_OUT")
	if name == "" {
		_, err = os.Stdout.WriteString(answer)
		return err
	}
	out, err := os.OpenFile(name, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o666)
	if err != nil {
		return err
	}
	_, err = out.WriteString(answer)
	return errors.Join(err, out.Close())
}

func (p *Plan) answer(graph, format string, explain bool) (string, error) {
	if explain {
		return p.Explain(), nil
	}
	all, ok := map[string][]Graph{
		"stream": {StreamGraph}, "job": {JobGraph}, "execution": {ExecutionGraph}, "task": {Tasks},
		"": {StreamGraph, JobGraph, ExecutionGraph, Tasks},
	}[graph]
	if !ok {
		return "", fmt.Errorf("FLOTT_PLAN_GRAPH is %q; it must be stream, job, execution or task", graph)
	}
	var answer string
	for _, g := range all {
		one, err := p.in(format, g)
		if err != nil {
			return "", err
		}
		answer += one + "\n"
	}
	return answer, nil
}

func (p *Plan) in(format string, g Graph) (string, error) {
	switch format {
	case "", "text":
		return p.Text(g), nil
	case "json":
		return string(p.JSON(g)), nil
	case "dot":
		return p.Dot(g), nil
	}
	return "", fmt.Errorf("FLOTT_PLAN_FORMAT is %q; it must be text, json or dot", format)
}

// finished is a job that was not run, and is over.
func finished() *Job {
	j := &Job{id: id.Job{}.String(), over: make(chan struct{})}
	j.result = &Result{JobID: j.id}
	close(j.over)
	return j
}
