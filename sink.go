package flott

import (
	"github.com/flott-dev/flott/connector"
	"github.com/flott-dev/flott/connector/callback"
	"github.com/flott-dev/flott/connector/console"
	"github.com/flott-dev/flott/internal/data/operator"
	"github.com/flott-dev/flott/internal/graph/program"
)

// A Sink takes records out of a job. Packages below connector have some, and package connector says how to write one.
type Sink[T any] = connector.Sink[T]

// Discard is a sink that drops its records.
func Discard[T any]() Sink[T] { return harmless[T]{callback.Discard[T]()} }

// ForEach is a sink that calls f for each record, one call at a time per subtask. An error of f fails the job.
func ForEach[T any](f func(T) error) Sink[T] { return callback.ForEach(f) }

// ForEachBatch is ForEach for hot loops. The slice is lent for the time of the call and must not be changed.
func ForEachBatch[T any](f func([]T) error) Sink[T] { return callback.ForEachBatch(f) }

// To ends the stream in a sink.
func (s Stream[T]) To(k Sink[T]) SinkHandle {
	if isNil(k) {
		k = Discard[T]()
		s.env.note("", nil, "To was given a nil sink")
	}
	d := describe(k, "Sink")
	op := operator.Sink(k)
	t := s.env.sink(s.node, d, op)
	_, t.ConcurrentAttempts = k.(harmless[T])
	s.env.check(t, k)
	return SinkHandle{s.env, t}
}

// A harmless sink may run twice at once for the same records: nobody sees the difference.
type harmless[T any] struct{ connector.Sink[T] }

// Print ends the stream in a sink that writes each record on a line of its own, to standard output or where option Stdout says. With
// several subtasks a line begins with the number of its subtask, counted from 1: "2> value".
func (s Stream[T]) Print() SinkHandle {
	h := s.To(console.Print[T](s.env.stdout))
	h.node.ConcurrentAttempts = true // as Flink has it
	return h
}

// Discard ends the stream in a sink that drops its records.
func (s Stream[T]) Discard() SinkHandle { return s.To(Discard[T]()) }

// sink adds a sink behind a stream. A legacy one is an operator; a new-style one expands into its writer and what surrounds it.
func (e *Environment) sink(in *program.Transformation, d connector.Description, writer operator.Constructor) *program.Transformation {
	var t *program.Transformation
	if d.Legacy {
		t = e.program.LegacySink(in, d.Name)
	} else {
		t = e.program.Sink(in, d.Name, program.Sink{})
	}
	t.Operator = writer
	e.add(t)
	e.shape(t, d)
	return t
}
