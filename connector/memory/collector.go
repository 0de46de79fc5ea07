package memory

import (
	"context"
	"slices"
	"sync"

	"github.com/flott-dev/flott/connector"
)

// A Collector is a sink that keeps everything, in the order in which batches arrive from its subtasks. The zero value is ready.
type Collector[T any] struct {
	mu struct {
		sync.Mutex
		values []T
	}
}

// Values returns what has arrived so far. It may be called while the job runs.
func (c *Collector[T]) Values() []T {
	c.mu.Lock()
	defer c.mu.Unlock()
	return slices.Clone(c.mu.values)
}

// Writer implements connector.Sink.
func (c *Collector[T]) Writer(context.Context, int, int) (connector.Writer[T], error) {
	return writer[T]{c}, nil
}

type writer[T any] struct{ to *Collector[T] }

func (w writer[T]) Write(v []T, _ []int64) error {
	w.to.mu.Lock()
	defer w.to.mu.Unlock()
	w.to.mu.values = append(w.to.mu.values, v...)
	return nil
}

func (w writer[T]) Flush(bool) error { return nil }
func (w writer[T]) Close() error     { return nil }
