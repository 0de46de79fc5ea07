package operator

import (
	"context"

	"github.com/flott-dev/flott/connector"
	"github.com/flott-dev/flott/internal/data/record"
)

// Sink runs the writers of a sink.
func Sink[T any](to connector.Sink[T]) Constructor {
	return Func(func(env *Env) (Operator, error) {
		return &sink[T]{Through: NewThrough[struct{}](env), env: env, to: to}, nil
	})
}

type sink[T any] struct {
	Through[struct{}] // to nobody
	env               *Env
	to                connector.Sink[T]
	writer            connector.Writer[T]
}

func (s *sink[T]) Input(int) any { return record.Input[T](s) }

func (s *sink[T]) Open(ctx context.Context) (err error) {
	s.writer, err = s.to.Writer(ctx, s.env.Subtask, s.env.Parallelism)
	return err
}

func (s *sink[T]) Receive(b *record.Batch[T]) error { return s.writer.Write(b.V, b.TS) }

func (s *sink[T]) Finish() error { return s.writer.Flush(true) }

func (s *sink[T]) Close() error {
	if s.writer == nil {
		return nil
	}
	return s.writer.Close()
}
