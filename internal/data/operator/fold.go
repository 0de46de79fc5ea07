package operator

import "github.com/flott-dev/flott/aggregate"

// A fold takes the records of a batch into the accumulators of their keys, which a table lends it.
type fold[T, A any] struct {
	in  []T
	one func(i int, acc *A, found bool) // takes in[i] in
}

func foldByReduce[T any](f func(a, b T) T) *fold[T, T] {
	d := &fold[T, T]{}
	d.one = func(i int, acc *T, found bool) {
		if found {
			*acc = f(*acc, d.in[i])
		} else {
			*acc = d.in[i]
		}
	}
	return d
}

func foldByAggregate[T, A, V any](a aggregate.Function[T, A, V]) *fold[T, A] {
	d := &fold[T, A]{}
	d.one = func(i int, acc *A, found bool) {
		if !found {
			*acc = a.Zero()
		}
		a.Add(acc, d.in[i])
	}
	return d
}

func foldByAppend[T any]() *fold[T, []T] {
	d := &fold[T, []T]{}
	d.one = func(i int, acc *[]T, _ bool) { *acc = append(*acc, d.in[i]) }
	return d
}
