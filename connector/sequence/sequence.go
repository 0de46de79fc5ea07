// Package sequence makes records by counting: numbers in a row, or what a function makes of them.
//
// Numbers are dealt out in turn, so that all subtasks move on together: of P subtasks number i has the records i, i+P, i+2P, ... A
// split is the triple of where it starts, its stride P, and which record comes next; when the job is restored with another
// parallelism, one subtask may have several.
package sequence

import (
	"context"
	"errors"
	"fmt"
	"math"
	"sync/atomic"

	"github.com/flott-dev/flott/connector"
	"github.com/flott-dev/flott/internal/halt"
)

// Of makes a source of the numbers from first to last, both included.
func Of(first, last int64) connector.Source[int64] {
	s := source[int64]{name: "Sequence Source", n: last - first + 1}
	if first > last || s.n <= 0 {
		s.wrong = fmt.Errorf("a sequence from %d to %d: the first number must not be above the last, and there can be at most %d", first, last, math.MaxInt64)
	}
	s.fill = func(_ *halt.Flag, v []int64, i, stride int64) error {
		for j := range v {
			v[j] = first + i
			i += stride
		}
		return nil
	}
	return s
}

// Generate makes a source of f(0), f(1), ...: n records, or without end for n < 0; at most perSecond over all subtasks, or as fast
// as possible for 0. A source that was held up makes up for at most a second of lost time.
func Generate[T any](n int64, perSecond float64, f func(i int64) T) connector.Source[T] {
	return generator(n, perSecond, f == nil, func(halted *halt.Flag, v []T, i, stride int64) error {
		for j := range v {
			if atomic.LoadUint32(&halted.Up) != 0 {
				return halted.Err()
			}
			v[j] = f(i)
			i += stride
		}
		return nil
	})
}

// GenerateBatch is Generate a batch at a time: fill sets out[j] to record first + j*stride.
func GenerateBatch[T any](n int64, perSecond float64, fill func(out []T, first, stride int64)) connector.Source[T] {
	return generator(n, perSecond, fill == nil, func(_ *halt.Flag, v []T, i, stride int64) error {
		fill(v, i, stride)
		return nil
	})
}

func generator[T any](n int64, perSecond float64, none bool, fill filling[T]) connector.Source[T] {
	s := source[T]{name: "Generator Source", n: n, perSecond: perSecond, fill: fill}
	if n < 0 {
		s.n, s.endless = math.MaxInt64, true
	}
	switch {
	case none:
		s.wrong = errors.New("the function is nil")
	case !(perSecond >= 0) || math.IsInf(perSecond, 1):
		s.wrong = fmt.Errorf("%v records per second: it must be a number from 0 on", perSecond)
	}
	return s
}

// filling makes the records i, i+stride, ...
type filling[T any] func(halted *halt.Flag, v []T, i, stride int64) error

type source[T any] struct {
	name      string
	n         int64 // records are numbered from 0 to n-1
	endless   bool
	perSecond float64
	fill      filling[T]
	wrong     error
}

func (s source[T]) Bounded() bool                   { return !s.endless }
func (s source[T]) Check() error                    { return s.wrong }
func (s source[T]) Describe() connector.Description { return connector.Description{Name: s.name} }

func (s source[T]) Enumerator(_ context.Context, setup connector.Setup) (connector.Enumerator, error) {
	var splits []connector.Split
	for i := range min(int64(setup.Parallelism), s.n) {
		splits = append(splits, connector.Split{ID: laneID(i, int64(setup.Parallelism))})
	}
	return connector.InTurn(setup, splits)
}

func (s source[T]) Reader(ctx context.Context, wake func()) (connector.Reader[T], error) {
	return newReader(ctx, s, wake), nil
}
