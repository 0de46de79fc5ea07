package operator

import (
	"iter"
	"sync/atomic"

	"github.com/flott-dev/flott/internal/data/record"
)

// FlatMap makes any number of records of each: those of the sequence that f returns, with the timestamp of the one that they are made of. A
// nil sequence is an empty one.
func FlatMap[T, R any](f func(T) iter.Seq[R]) Constructor {
	return Func(func(env *Env) (Operator, error) {
		through := NewThrough[R](env)
		m := &flatMapper[T, R]{Through: through, f: f, out: record.NewEmitter(through.Out)}
		m.yield = m.emit
		return m, nil
	})
}

type flatMapper[T, R any] struct {
	Through[R]
	f     func(T) iter.Seq[R]
	out   *record.Emitter[R]
	ts    int64
	yield func(R) bool // emit, bound once: in a range loop each sequence would get a yield of its own, from the heap
}

func (m *flatMapper[T, R]) Input(int) any { return record.Input[T](m) }

func (m *flatMapper[T, R]) Receive(b *record.Batch[T]) error {
	for i := range b.V {
		if atomic.LoadUint32(&m.halted.Up) != 0 {
			return m.halted.Err()
		}
		m.ts = b.Time(i)
		if seq := m.f(b.V[i]); seq != nil {
			seq(m.yield)
		}
		if m.out.Err() != nil {
			break
		}
	}
	return m.out.Flush()
}

func (m *flatMapper[T, R]) emit(r R) bool {
	m.out.Emit(r, m.ts)
	return m.out.Err() == nil && atomic.LoadUint32(&m.halted.Up) == 0
}
