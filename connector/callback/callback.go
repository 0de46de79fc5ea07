// Package callback makes sinks of functions.
package callback

import (
	"context"
	"errors"
	"sync/atomic"

	"github.com/flott-dev/flott/connector"
	"github.com/flott-dev/flott/internal/halt"
)

// ForEach calls f for every record, one call at a time per subtask: with several subtasks f must be safe for concurrent use. An
// error fails the job.
func ForEach[T any](f func(T) error) connector.Sink[T] {
	if f == nil {
		return sink[T]{}
	}
	return sink[T]{func(halted *halt.Flag, v []T) error {
		for i := range v {
			if atomic.LoadUint32(&halted.Up) != 0 {
				return halted.Err()
			}
			if err := f(v[i]); err != nil {
				return err
			}
		}
		return nil
	}}
}

// ForEachBatch is ForEach for hot loops. The slice is lent for the time of the call, and not to be changed.
func ForEachBatch[T any](f func([]T) error) connector.Sink[T] {
	if f == nil {
		return sink[T]{}
	}
	return sink[T]{func(_ *halt.Flag, v []T) error { return f(v) }}
}

// Discard drops every record.
func Discard[T any]() connector.Sink[T] { return sink[T]{func(*halt.Flag, []T) error { return nil }} }

type sink[T any] struct {
	call func(halted *halt.Flag, v []T) error
}

func (s sink[T]) Check() error {
	if s.call == nil {
		return errors.New("the function is nil")
	}
	return nil
}

func (s sink[T]) Writer(ctx context.Context, _, _ int) (connector.Writer[T], error) {
	return writer[T]{s, halt.Of(ctx)}, nil
}

type writer[T any] struct {
	sink[T]
	halted *halt.Flag
}

func (w writer[T]) Write(v []T, _ []int64) error { return w.call(w.halted, v) }
func (w writer[T]) Flush(bool) error             { return nil }
func (w writer[T]) Close() error                 { return nil }
