package operator

import (
	"sync/atomic"

	"github.com/flott-dev/flott/internal/data/record"
	"github.com/flott-dev/flott/internal/halt"
)

// Map makes one record of each by f.
func Map[T, R any](f func(T) R) Constructor { return oneToOne(each(f)) }

func each[T, R any](f func(T) R) fill[T, R] {
	return func(halted *halt.Flag, in []T, out []R) error {
		out = out[:len(in)]
		for i := range in {
			if atomic.LoadUint32(&halted.Up) != 0 {
				return halted.Err()
			}
			out[i] = f(in[i])
		}
		return nil
	}
}

// A fill sets out[i] from in[i]. Both have the same length.
type fill[T, R any] func(halted *halt.Flag, in []T, out []R) error

func oneToOne[T, R any](f fill[T, R]) Constructor {
	return Func(func(env *Env) (Operator, error) { return newMapper(NewThrough[R](env), f), nil })
}

// mapper is the operator behind Map, TryMap and MapBatch. The timestamps travel on as they are.
type mapper[T, R any] struct {
	Through[R]
	fill fill[T, R]
	v    []R // as many as a batch holds; those of T may hold more
	b    record.Batch[R]
}

func newMapper[T, R any](out Through[R], f fill[T, R]) *mapper[T, R] {
	return &mapper[T, R]{Through: out, fill: f}
}

func (m *mapper[T, R]) Input(int) any { return record.Input[T](m) }

func (m *mapper[T, R]) Receive(b *record.Batch[T]) error {
	if m.v == nil {
		m.v = make([]R, record.SizeOf[R]())
	}
	in, rest := b.V, b.TS
	for len(in) > 0 {
		n := min(len(in), len(m.v))
		if err := m.fill(m.halted, in[:n], m.v[:n]); err != nil {
			return err
		}
		var ts []int64
		ts, rest = cut(rest, n)
		in = in[n:]
		// The timestamps are still b's: who may not change those may not change these.
		m.b = record.Batch[R]{V: m.v[:n], TS: ts, Shared: b.Shared}
		if err := m.Out.Receive(&m.b); err != nil {
			return err
		}
	}
	return nil
}

// cut takes the first n timestamps off, if there are any.
func cut(ts []int64, n int) (first, rest []int64) {
	if ts == nil {
		return nil, nil
	}
	return ts[:n:n], ts[n:]
}
