package operator

import "github.com/flott-dev/flott/internal/data/record"

// CoMap makes one record of each: of those of input 0 by left, of those of input 1 by right.
func CoMap[A, B, R any](left func(A) R, right func(B) R) Constructor {
	return Func(func(env *Env) (Operator, error) {
		m := &coMapper[R]{Through: NewThrough[R](env)}
		merged := NewMerged(env, 2, m.Out)
		m.inputs[0] = record.Input[A](coInput[A]{newMapper(m.Through, each(left)), merged.Input(0)})
		m.inputs[1] = record.Input[B](coInput[B]{newMapper(m.Through, each(right)), merged.Input(1)})
		return m, nil
	})
}

type coMapper[R any] struct {
	Through[R]
	inputs [2]any
}

func (m *coMapper[R]) Input(i int) any { return m.inputs[i] }

// coInput takes records by one thing and events by another.
type coInput[T any] struct {
	receiver[T]
	record.Events
}

type receiver[T any] interface {
	Receive(b *record.Batch[T]) error
}
