package flott

import (
	"errors"
	"reflect"

	"github.com/flott-dev/flott/connector"
	"github.com/flott-dev/flott/connector/memory"
	"github.com/flott-dev/flott/connector/sequence"
	"github.com/flott-dev/flott/internal/data/operator"
	"github.com/flott-dev/flott/internal/graph/program"
	"github.com/flott-dev/flott/watermark"
)

// A Source makes records. Packages below connector have some, and package connector says how to write one.
type Source[T any] = connector.Source[T]

// Of is a source of the values given, made in their order by one subtask.
func Of[T any](xs ...T) Source[T] { return memory.Of(xs...) }

// FromSlice is a source of the elements of a slice, made in their order by one subtask. The slice must not be changed while the job
// runs.
func FromSlice[T any](xs []T) Source[T] { return memory.FromSlice(xs) }

// Sequence is a source of the numbers from first to last, both included. They are dealt out to its subtasks in turn.
func Sequence(first, last int64) Source[int64] { return sequence.Of(first, last) }

// Generate is a source of f(0), f(1), ...: n of them, or without end for n < 0; at most perSecond over all subtasks, or as fast as
// possible for 0. The numbers are dealt out to its subtasks in turn, and f is called by all of them at once.
func Generate[T any](n int64, perSecond float64, f func(i int64) T) Source[T] {
	return sequence.Generate(n, perSecond, f)
}

// GenerateBatch is Generate for hot loops: fill sets out[j] to record first + j*stride, a batch at a time, so that records can share
// what they are made of, such as one allocation. It sets every element of out, which may hold anything before.
func GenerateBatch[T any](n int64, perSecond float64, fill func(out []T, first, stride int64)) Source[T] {
	return sequence.GenerateBatch(n, perSecond, fill)
}

// From begins a stream at a source.
func (e *Environment) From[T any](src Source[T]) Stream[T] {
	if isNil(src) {
		src = memory.Of[T]()
		e.note("", nil, "From was given a nil source")
	}
	d := describe(src, "Source")
	t := e.source(d, src.Bounded(), kindOf[T]())
	t.Operator = &sourceOperator[T]{Source: src}
	e.check(t, src)
	return Stream[T]{e, t}
}

// source adds a source, as its counterpart in Flink is: a new-style one, or a legacy one.
func (e *Environment) source(d connector.Description, bounded bool, out program.Type) *program.Transformation {
	var t *program.Transformation
	if d.Legacy {
		t = e.program.LegacySource(d.Name, !d.Fixed, bounded, out)
	} else {
		t = e.program.Source(d.Name, bounded, out)
	}
	e.add(t)
	e.shape(t, d)
	return t
}

// A sourceOperator is a source in a program: tasks make its readers, and who runs the job makes its enumerator.
type sourceOperator[T any] struct {
	connector.Source[T]
	watermarks *watermark.Strategy[T] // nil: none was set
}

// New makes the reader of one subtask.
func (s *sourceOperator[T]) New(env *operator.Env) (operator.Operator, error) {
	return operator.Source(s.Source, s.watermarks).New(env)
}

// describe is what a source or sink says of itself.
func describe(x any, name string) connector.Description {
	d := connector.Description{Name: name}
	if describer, ok := x.(connector.Describer); ok {
		d = describer.Describe()
	}
	return d
}

// shape gives a source or sink the parallelism that it wants.
func (e *Environment) shape(t *program.Transformation, d connector.Description) {
	if d.Parallelism > 0 {
		t.SetParallelism(d.Parallelism)
	}
	e.fixed[t] = d.Fixed
}

// check lets a source or sink find its mistakes while the program is compiled.
func (e *Environment) check(t *program.Transformation, x any) {
	checker, ok := x.(connector.Checker)
	if !ok {
		return
	}
	e.checks = append(e.checks, func() { e.report(t.Site, t, checker.Check()) })
}

// report adds what a part of the program says is wrong with it.
func (e *Environment) report(site string, t *program.Transformation, err error) {
	for _, err := range unjoin(err) {
		e.mistakes = append(e.mistakes, &Mistake{Site: site, Operator: operatorName(t), Problem: err.Error(), Err: err})
	}
}

// unjoin is the errors that errors.Join put together, each of which stands on a line of its own.
func unjoin(err error) []error {
	if err == nil {
		return nil
	}
	joined, ok := err.(interface{ Unwrap() []error })
	if !ok || errors.Join(joined.Unwrap()...).Error() != err.Error() {
		return []error{err}
	}
	var all []error
	for _, one := range joined.Unwrap() {
		all = append(all, unjoin(one)...)
	}
	return all
}

// isNil says that nothing stands behind an interface: it is nil, or holds a nil pointer or function.
func isNil(x any) bool {
	if x == nil {
		return true
	}
	switch v := reflect.ValueOf(x); v.Kind() {
	case reflect.Pointer, reflect.Func:
		return v.IsNil()
	default:
		return false
	}
}
