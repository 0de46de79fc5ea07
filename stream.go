package flott

import (
	"fmt"

	"github.com/flott-dev/flott/internal/data/operator"
	"github.com/flott-dev/flott/internal/data/shuffle"
	"github.com/flott-dev/flott/internal/graph/program"
)

// A Stream is records of type T on their way through a program. Its methods add to the program and run nothing. Streams are plain
// values: a stream may be read by several operators, each of which gets all its records.
type Stream[T any] struct {
	env  *Environment
	node *program.Transformation // what makes the records
}

// Environment is the one that the stream belongs to.
func (s Stream[T]) Environment() *Environment { return s.env }

// Union merges the stream with others of its type. Records of one stream keep their order, and no more is promised.
func (s Stream[T]) Union(others ...Stream[T]) Stream[T] {
	inputs := []*program.Transformation{s.node}
	for _, o := range others {
		inputs = append(inputs, s.env.same(o.env, o.node, s.node))
	}
	u := Stream[T]{s.env, s.env.add(s.env.program.Union(inputs...))}
	u.require(len(others) > 0, "a union with no other stream: give it one, or leave it out")
	return u
}

// SideOutput is what the operator that made the stream emits under a tag: a processor what it likes, a window its late records.
func (s Stream[T]) SideOutput[U any](tag Tag[U]) Stream[U] {
	if s.env.operator(s.node, "SideOutput") {
		s.require(emitsTo(s.node, tag.Name()), fmt.Sprintf("it never emits to side output %q", tag.Name()))
	}
	side := program.Tag{Name: tag.Name(), Type: kindOf[U]()}
	return Stream[U]{s.env, s.env.add(s.env.program.SideOutput(s.node, side))}
}

// emitsTo says whether an operator can have a side output.
func emitsTo(t *program.Transformation, tag string) bool {
	switch op := t.Operator.(type) {
	case operator.Declarer:
		return true
	case windowOperator:
		return op.late != nil && *op.late == tag
	}
	return false
}

// require notes a mistake of the stream's operator unless ok.
func (s Stream[T]) require(ok bool, problem string) {
	if !ok {
		s.env.note(operatorName(s.node), nil, "%s", problem)
	}
}

// then is the stream of an operator with one input; complete says that it was given its functions.
func then[R, T any](s Stream[T], name string, complete bool, op operator.Constructor) Stream[R] {
	return run[R](s.env, s.env.program.OneInput(s.node, name, kindOf[R]()), complete, op)
}

// thenBoth is the stream of an operator with two inputs.
func thenBoth[R, A, B any](left Stream[A], right Stream[B], name string, complete bool, op operator.Constructor) Stream[R] {
	return run[R](left.env, left.env.program.TwoInput(left.node, right.node, name, kindOf[R]()), complete, op)
}

// run is the stream of a new transformation, run by op.
func run[R any](e *Environment, t *program.Transformation, complete bool, op operator.Constructor) Stream[R] {
	t.Operator = op
	s := Stream[R]{e, e.add(t)}
	s.require(complete, "its function is nil")
	if d, ok := op.(operator.Declarer); ok && complete {
		e.checks = append(e.checks, func() {
			_, err := d.Declare()
			e.report(t.Site, t, err)
		})
	}
	return s
}

// kindOf is how graphs and exchanges know the type of a stream's records.
func kindOf[T any]() program.Type { return shuffle.KindOf[T]() }
