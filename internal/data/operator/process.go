package operator

import (
	"sync/atomic"

	"github.com/flott-dev/flott/backend"
	"github.com/flott-dev/flott/internal/data/keyed"
	"github.com/flott-dev/flott/internal/data/record"
	"github.com/flott-dev/flott/process"
)

// Process hands each record to a function, made by open, that emits what it likes.
func Process[I, O any, F process.Processor[I, O]](open func(*process.Runtime) (F, error)) Constructor {
	return processing[I, O, F]{open}
}

type processing[I, O any, F process.Processor[I, O]] struct {
	open func(*process.Runtime) (F, error)
}

// Declare makes the function once, to find mistakes.
func (p processing[I, O, F]) Declare() ([]backend.State, error) {
	return nil, declare(hooksOf[O](), func() (any, error) { return p.open(process.NewRuntime(keyed.Nowhere())) })
}

func (p processing[I, O, F]) New(env *Env) (Operator, error) {
	user, err := p.open(process.NewRuntime(subtaskOf(env)))
	if err != nil {
		return nil, err
	}
	o := &processor[I, O]{function: newFunction[O](env), user: user}
	o.bind(user)
	o.context = process.NewContext(o.main, o.sides, o.moment)
	return o, nil
}

type processor[I, O any] struct {
	function[O]
	user    process.Processor[I, O]
	context *process.Context[O]
}

func (o *processor[I, O]) Input(int) any { return record.Input[I](o) }

func (o *processor[I, O]) Receive(b *record.Batch[I]) error {
	for i, v := range b.V {
		if atomic.LoadUint32(&o.halted.Up) != 0 {
			return o.halted.Err()
		}
		o.moment.TS = b.Time(i)
		if err := o.user.Process(o.context, v); err != nil {
			return err
		}
	}
	return o.flush()
}

func (o *processor[I, O]) Watermark(t int64) error {
	o.moment.Watermark = t
	return o.Out.Watermark(t)
}

func (o *processor[I, O]) Idle(idle bool) error { return o.Out.Idle(idle) }

func (o *processor[I, O]) EndInput(int) error { return nil }
