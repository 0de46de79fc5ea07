// Package flott is the DataStream API: typed streams, compiled to Flink's four graphs and run in this process or on a cluster.
//
//	env := flott.New()
//	env.From(flott.Of("to be", "or not to be")).
//		FlatMap(strings.FieldsSeq).
//		KeyBy(flott.Identity).
//		Aggregate(aggregate.Count[string](), func(w string, n int64) string { return fmt.Sprint(w, " ", n) }).
//		Print()
//	_, err := env.Execute(ctx, "word count")
//
// Nothing runs before Execute: the calls write a program, whose mistakes Execute reports all together (ProgramError).
//
// A method of Stream[T] may not return, nor use in its body, a stream of a type that wraps T (Stream[Pair[T, U]]): Go rejects it as
// an "instantiation cycle". So a method takes a function that makes the result type, and what must wrap is a package function.
//
// What a record points to (slice, map, pointer) must not be changed once it is emitted: the branches of a program share it.
package flott

import (
	"fmt"

	"github.com/flott-dev/flott/connector/console"
	"github.com/flott-dev/flott/internal/graph/program"
)

// An Environment is where a program is written: streams begin at its sources. It is for one goroutine.
type Environment struct {
	settings settings
	program  *program.Program
	stdout   *console.Output                  // shared by all Print sinks
	fixed    map[*program.Transformation]bool // sources and sinks whose parallelism cannot be set

	// Since the last Execute or Start:
	made     []*program.Transformation // each of which somebody must read, but for sinks
	mistakes []*Mistake
	checks   []func() // what compilation does once for each call, such as running a processor's open; they add mistakes
}

// New makes an environment. What the code sets wins over FLOTT_* variables, which win over flott.yaml in the working folder.
func New(opts ...Option) *Environment {
	s := gatherSettings(opts)
	return &Environment{
		settings: s,
		program:  program.New(s.config),
		stdout:   console.NewOutput(s.stdout),
		fixed:    map[*program.Transformation]bool{},
	}
}

// take leaves the environment empty. Streams of what was taken can still be read by what comes.
func (e *Environment) take() {
	e.program.Operators, e.made, e.mistakes, e.checks = nil, nil, nil, nil
}

// add takes note of a transformation: where the user made it, and that somebody has to read it.
func (e *Environment) add(t *program.Transformation) *program.Transformation {
	t.Site = userSite()
	e.made = append(e.made, t)
	e.takeRejections(t.Site)
	return t
}

// takeRejections turns what the untyped layer has just refused into mistakes of the line that is being run.
func (e *Environment) takeRejections(site string) {
	for _, r := range e.program.Rejections {
		m := mistakeOf(r)
		m.Site = site
		e.mistakes = append(e.mistakes, m)
	}
	e.program.Rejections = nil
}

// same is a stream's transformation, if it belongs to this environment; a stream of another one is a mistake.
func (e *Environment) same(other *Environment, t *program.Transformation, fallback *program.Transformation) *program.Transformation {
	if e == other {
		return t
	}
	e.note("", nil, "operator %q belongs to another environment: streams of two environments cannot meet", t.Name)
	return fallback
}

// note adds a mistake of the user's line that is being run.
func (e *Environment) note(operator string, err error, format string, args ...any) {
	e.mistakes = append(e.mistakes, &Mistake{Site: userSite(), Operator: operator, Problem: fmt.Sprintf(format, args...), Err: err})
}
