package operator

import (
	"sync/atomic"

	"github.com/flott-dev/flott/aggregate"
	"github.com/flott-dev/flott/internal/halt"
)

// A fold takes the records of a batch into the accumulators of their keys, which a table lends it.
type fold[T, A any] struct {
	in  []T
	one func(i int, acc *A, found bool) (more bool) // takes in[i] in, unless the task is cancelled
}

func foldByReduce[T any](halted *halt.Flag, f func(a, b T) T) *fold[T, T] {
	d := &fold[T, T]{}
	d.one = func(i int, acc *T, found bool) bool {
		switch {
		case atomic.LoadUint32(&halted.Up) != 0:
			return false
		case found:
			*acc = f(*acc, d.in[i])
		default:
			*acc = d.in[i]
		}
		return true
	}
	return d
}

func foldByAggregate[T, A, V any](halted *halt.Flag, a aggregate.Function[T, A, V]) *fold[T, A] {
	d := &fold[T, A]{}
	d.one = func(i int, acc *A, found bool) bool {
		if atomic.LoadUint32(&halted.Up) != 0 {
			return false
		}
		if !found {
			*acc = a.Zero()
		}
		a.Add(acc, d.in[i])
		return true
	}
	return d
}

func foldByAppend[T any]() *fold[T, []T] {
	d := &fold[T, []T]{}
	d.one = func(i int, acc *[]T, _ bool) bool {
		*acc = append(*acc, d.in[i])
		return true
	}
	return d
}
