// Package callback makes sinks of functions.
package callback

import (
	"context"
	"errors"

	"github.com/flott-dev/flott/connector"
)

// ForEach calls f for every record, one call at a time per subtask: with several subtasks f must be safe for concurrent use. An
// error fails the job.
func ForEach[T any](f func(T) error) connector.Sink[T] {
	if f == nil {
		return sink[T]{}
	}
	return sink[T]{func(v []T) error {
		for i := range v {
			if err := f(v[i]); err != nil {
				return err
			}
		}
		return nil
	}}
}

// ForEachBatch is ForEach for hot loops. The slice is lent for the time of the call, and not to be changed.
func ForEachBatch[T any](f func([]T) error) connector.Sink[T] { return sink[T]{f} }

// Discard drops every record.
func Discard[T any]() connector.Sink[T] { return sink[T]{func([]T) error { return nil }} }

// A sink is its writer too: nothing is kept between two calls.
type sink[T any] struct{ call func([]T) error }

func (s sink[T]) Check() error {
	if s.call == nil {
		return errors.New("the function is nil")
	}
	return nil
}

func (s sink[T]) Writer(context.Context, int, int) (connector.Writer[T], error) { return s, nil }
func (s sink[T]) Write(v []T, _ []int64) error                                  { return s.call(v) }
func (s sink[T]) Flush(bool) error                                              { return nil }
func (s sink[T]) Close() error                                                  { return nil }
