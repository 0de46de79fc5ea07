package operator

import (
	"sync/atomic"

	"github.com/flott-dev/flott/internal/data/record"
	"github.com/flott-dev/flott/internal/data/timer"
	"github.com/flott-dev/flott/process"
)

// FlatMapTo makes any number of records of each: those that f emits, with the timestamp of the one that they are made of. An error of f
// fails the task.
func FlatMapTo[T, R any](f func(in T, out *process.Collector[R]) error) Constructor {
	return Func(func(env *Env) (Operator, error) {
		through := NewThrough[R](env)
		m := &flatMapperTo[T, R]{Through: through, f: f, out: record.NewEmitter(through.Out), moment: timer.NewMoment(env.Clock)}
		m.to = process.NewCollector(m.out, m.moment)
		return m, nil
	})
}

type flatMapperTo[T, R any] struct {
	Through[R]
	f      func(in T, out *process.Collector[R]) error
	out    *record.Emitter[R]
	to     *process.Collector[R] // before out
	moment *timer.Moment         // of the record at work; to reads it
}

func (m *flatMapperTo[T, R]) Input(int) any { return record.Input[T](m) }

func (m *flatMapperTo[T, R]) Receive(b *record.Batch[T]) error {
	for i := range b.V {
		if atomic.LoadUint32(&m.halted.Up) != 0 {
			return m.halted.Err()
		}
		m.moment.TS = b.Time(i)
		if err := m.f(b.V[i], m.to); err != nil {
			return err
		}
		if m.out.Err() != nil {
			break
		}
	}
	return m.out.Flush()
}
