// Package console prints records, a line each.
package console

import (
	"context"
	"fmt"
	"io"
	"sync"
	"sync/atomic"

	"github.com/flott-dev/flott/connector"
	"github.com/flott-dev/flott/internal/halt"
)

// An Output is a place to print to, which all who print there share: lines stay whole.
type Output struct {
	mu struct {
		sync.Mutex
		w io.Writer
	}
}

// NewOutput makes an Output of w, to which nothing else should write at the same time.
func NewOutput(w io.Writer) *Output {
	o := &Output{}
	o.mu.w = w
	return o
}

func (o *Output) write(p []byte) error {
	o.mu.Lock()
	defer o.mu.Unlock()
	_, err := o.mu.w.Write(p)
	return err
}

// Print prints every record to o as fmt.Println does. With several subtasks each line says which of them it comes from, counted
// from 1: "2> value".
func Print[T any](o *Output) connector.Sink[T] { return sink[T]{o} }

type sink[T any] struct{ out *Output }

func (s sink[T]) Describe() connector.Description {
	return connector.Description{Name: "Print to Std. Out", Legacy: true}
}

func (s sink[T]) Writer(ctx context.Context, subtask, parallelism int) (connector.Writer[T], error) {
	w := &writer[T]{out: s.out, halted: halt.Of(ctx)}
	if parallelism > 1 {
		w.prefix = fmt.Sprintf("%d> ", subtask+1)
	}
	return w, nil
}

// A writer gathers the lines of a batch, so that they are printed together.
type writer[T any] struct {
	out    *Output
	halted *halt.Flag
	prefix string
	lines  []byte
}

func (w *writer[T]) Write(v []T, _ []int64) error {
	w.lines = w.lines[:0]
	for i := range v {
		if atomic.LoadUint32(&w.halted.Up) != 0 {
			break
		}
		w.lines = fmt.Appendln(append(w.lines, w.prefix...), v[i])
	}
	if err := w.out.write(w.lines); err != nil {
		return err
	}
	return w.halted.Err()
}

func (w *writer[T]) Flush(bool) error { return nil }
func (w *writer[T]) Close() error     { return nil }
