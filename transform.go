package flott

import (
	"iter"

	"github.com/flott-dev/flott/internal/data/operator"
	"github.com/flott-dev/flott/process"
)

// Map emits f of each record.
func (s Stream[T]) Map[R any](f func(T) R) Stream[R] {
	return then[R](s, "Map", f != nil, operator.Map(f))
}

// TryMap is Map with a function that may fail, which fails the task and with it the job.
func (s Stream[T]) TryMap[R any](f func(T) (R, error)) Stream[R] {
	return then[R](s, "Map", f != nil, operator.TryMap(f))
}

// MapBatch is Map for hot loops: f fills out[i] from in[i], a batch at a time. It must not change in, nor keep either slice.
func (s Stream[T]) MapBatch[R any](f func(in []T, out []R)) Stream[R] {
	return then[R](s, "Map", f != nil, operator.MapBatch(f))
}

// Filter keeps the records for which keep is true.
func (s Stream[T]) Filter(keep func(T) bool) Stream[T] {
	return then[T](s, "Filter", keep != nil, operator.Filter(keep))
}

// FilterBatch is Filter for hot loops: f sets keep[i], which comes false, for the records to keep. It must not change in, nor keep
// either slice.
func (s Stream[T]) FilterBatch(f func(in []T, keep []bool)) Stream[T] {
	return then[T](s, "Filter", f != nil, operator.FilterBatch(f))
}

// FlatMap emits all that f of each record yields.
func (s Stream[T]) FlatMap[R any](f func(T) iter.Seq[R]) Stream[R] {
	return then[R](s, "Flat Map", f != nil, operator.FlatMap(f))
}

// FlatMapTo is FlatMap for hot loops, with a collector to emit to. An error of f fails the task and with it the job.
func (s Stream[T]) FlatMapTo[R any](f func(in T, out *process.Collector[R]) error) Stream[R] {
	return then[R](s, "Flat Map", f != nil, operator.FlatMapTo(f))
}
