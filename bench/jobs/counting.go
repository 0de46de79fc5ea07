package jobs

import (
	"context"
	"fmt"

	"github.com/flott-dev/flott/connector"
)

// counting is the sink of all workloads.
type counting[T any] struct {
	run Run
	sum func([]T) int64
}

func (c counting[T]) Writer(context.Context, int, int) (connector.Writer[T], error) {
	return &counter[T]{counting: c}, nil
}

// A counter is one subtask's.
type counter[T any] struct {
	counting[T]
	out, total int64
}

func (c *counter[T]) Write(vs []T, _ []int64) error {
	c.out += int64(len(vs))
	c.total += c.sum(vs)
	return nil
}

// Flush adds to the tally once all has come: a task that starts again counts from the beginning.
func (c *counter[T]) Flush(end bool) (err error) {
	if !end {
		return nil
	}
	c.run.Tally.Add(c.out, c.total)
	if c.run.Print {
		_, err = fmt.Printf("TALLY out=%d sum=%d\n", c.out, c.total)
	}
	return err
}

func (c *counter[T]) Close() error { return nil }
