package flott

import (
	"errors"
	"fmt"
	"slices"

	"github.com/flott-dev/flott/codec"
	"github.com/flott-dev/flott/internal/graph/execgraph"
	"github.com/flott-dev/flott/internal/graph/jobgraph"
	"github.com/flott-dev/flott/internal/graph/program"
	"github.com/flott-dev/flott/internal/graph/streamgraph"
	"github.com/flott-dev/flott/internal/graph/taskplan"
)

// graphs are a program in all its forms.
type graphs struct {
	stream    *streamgraph.Graph
	job       *jobgraph.Graph
	execution *execgraph.Graph
	tasks     []*taskplan.Plan
	codecs    *codec.Set // the user's
}

// compile makes the graphs of operators, or finds all that is wrong with the program.
func (e *Environment) compile(job string) (*graphs, error) {
	e.runChecks()
	mistakes := slices.Concat(e.settings.mistakes, e.mistakes, e.empty(), e.unread(), e.tooParallel())
	g := graphs{codecs: &e.settings.codecs}
	if len(e.program.Operators) > 0 {
		e.program.Config.JobName = job
		mistakes = append(mistakes, refusals(g.join(e.program))...)
	}
	if len(mistakes) > 0 {
		return nil, &ProgramError{Job: job, Mistakes: mistakes}
	}
	return &g, nil
}

// compileToRun is compile for a process that is to run tasks of the job: it also has the operators' code.
func (e *Environment) compileToRun(job string) (*graphs, *jobgraph.Binding, error) {
	g, err := e.compile(job)
	if err != nil {
		return nil, nil, err
	}
	b, err := jobgraph.Bind(g.stream, g.job)
	return g, b, err
}

// join makes the graphs of operators.
func (g *graphs) join(p *program.Program) (err error) {
	if g.stream, err = streamgraph.From(p); err != nil {
		return err
	}
	g.job, err = jobgraph.From(g.stream)
	return err
}

// spread makes the graphs of subtasks.
func (g *graphs) spread() (err error) {
	if g.execution, err = execgraph.From(g.job); err != nil {
		return err
	}
	g.tasks = taskplan.From(g.execution)
	return nil
}

// runChecks lets the parts of the program look for their own mistakes, once.
func (e *Environment) runChecks() {
	for _, check := range e.checks {
		check()
	}
	e.checks = nil
}

// empty finds that nothing was written.
func (e *Environment) empty() []*Mistake {
	if len(e.made) > 0 {
		return nil
	}
	return []*Mistake{{Site: userSite(), Problem: "the program is empty: begin with From, and end in a sink"}}
}

// tooParallel finds operators with more subtasks than they have key groups. Flink looks at the first operator of a chain only.
func (e *Environment) tooParallel() []*Mistake {
	var mistakes []*Mistake
	c := e.program.Config
	if above(c.Parallelism, c.MaxParallelism) {
		mistakes = append(mistakes, &Mistake{Problem: tooParallel("the default parallelism", c.Parallelism, c.MaxParallelism)})
	}
	for _, t := range e.made {
		most := t.MaxParallelism
		if most == program.Unset {
			most = c.MaxParallelism
		}
		own := t.ParallelismConfigured || t.MaxParallelism != program.Unset // or else the defaults are at fault
		if own && !t.Kind.Virtual() && above(t.Parallelism, most) {
			mistakes = append(mistakes, &Mistake{Site: t.Site, Operator: t.Name, Problem: tooParallel("parallelism", t.Parallelism, most)})
		}
	}
	return mistakes
}

func above(parallelism, most int) bool { return most != program.Unset && parallelism > most }

func tooParallel(what string, is, most int) string {
	return fmt.Sprintf("%s is %d, above the max parallelism %d: lower the one, or raise the other", what, is, most)
}

// unread finds the streams that end nowhere.
func (e *Environment) unread() []*Mistake {
	read := map[*program.Transformation]bool{}
	for _, t := range slices.Concat(e.made, e.program.Operators) {
		for _, in := range t.Inputs {
			read[in] = true
		}
	}
	var mistakes []*Mistake
	for _, t := range e.made {
		if !read[t] && !isSink(t) {
			mistakes = append(mistakes, &Mistake{Site: t.Site, Operator: operatorName(t), Problem: unreadProblem(t)})
		}
	}
	return mistakes
}

func isSink(t *program.Transformation) bool {
	return t.Kind == program.KindSink || t.Kind == program.KindLegacySink
}

func unreadProblem(t *program.Transformation) string {
	const advice = ": end it in a sink (To, Print, Discard) or leave it out"
	if t.Kind.Virtual() {
		return "nobody reads the stream of " + virtualCall(t) + advice
	}
	return "nobody reads its stream" + advice
}

// operatorName is the name of an operator; virtual transformations have none that a user knows.
func operatorName(t *program.Transformation) string {
	if t.Kind.Virtual() {
		return ""
	}
	return t.Name
}

// refusals puts what the graphs refused into the user's words.
func refusals(err error) []*Mistake {
	var all program.Rejections
	var one *program.Rejection
	switch {
	case err == nil:
		return nil
	case errors.As(err, &all):
	case errors.As(err, &one):
		all = program.Rejections{one}
	default:
		return []*Mistake{{Problem: err.Error(), Err: err}}
	}
	mistakes := make([]*Mistake, len(all))
	for i, r := range all {
		mistakes[i] = mistakeOf(r)
	}
	return mistakes
}
