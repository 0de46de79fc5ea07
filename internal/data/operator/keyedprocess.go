package operator

import (
	"errors"
	"sync/atomic"

	"github.com/flott-dev/flott/backend"
	"github.com/flott-dev/flott/internal/data/keyed"
	"github.com/flott-dev/flott/internal/data/record"
	"github.com/flott-dev/flott/internal/halt"
	"github.com/flott-dev/flott/process"
)

// KeyedProcess hands each record to a function, made by open, that has state and timers for the record's key.
func KeyedProcess[K comparable, I, O any, F process.KeyedProcessor[K, I, O]](
	key func(I) K, open func(*process.KeyedRuntime[K]) (F, error),
) Constructor {
	return keyedProcessing[K, I, O, F]{key, open}
}

// KeyedProcessFunc is KeyedProcess of a closure, which can set no timers.
func KeyedProcessFunc[K comparable, I, O any](
	key func(I) K, open func(*process.KeyedRuntime[K]) func(*process.KeyedContext[K, O], I) error,
) Constructor {
	return keyedProcessing[K, I, O, closure[K, I, O]]{key, func(rt *process.KeyedRuntime[K]) (closure[K, I, O], error) {
		f := open(rt)
		if f == nil {
			return nil, errors.New("open returns no function")
		}
		return f, nil
	}}
}

type closure[K comparable, I, O any] func(*process.KeyedContext[K, O], I) error

func (f closure[K, I, O]) Process(c *process.KeyedContext[K, O], in I) error { return f(c, in) }

func (closure[K, I, O]) timerless() {}

type keyedProcessing[K comparable, I, O any, F process.KeyedProcessor[K, I, O]] struct {
	key  func(I) K
	open func(*process.KeyedRuntime[K]) (F, error)
}

// Declare makes the function once, to find its states and mistakes.
func (p keyedProcessing[K, I, O, F]) Declare() ([]backend.State, error) {
	return declareKeyed[K, O](p.open)
}

func (p keyedProcessing[K, I, O, F]) New(env *Env) (Operator, error) {
	keys, err := keyed.NewSelector(p.key, env.MaxParallelism, halt.Of(env.Context))
	if err != nil {
		return nil, err
	}
	base, user, err := newKeyedFunction[K, O](env, p.open)
	if err != nil {
		return nil, err
	}
	return &keyedProcessor[K, I, O]{base, keys, user}, nil
}

type keyedProcessor[K comparable, I, O any] struct {
	*keyedFunction[K, O]
	keys *keyed.Selector[I, K]
	user process.KeyedProcessor[K, I, O]
}

func (o *keyedProcessor[K, I, O]) Input(int) any { return record.Input[I](o) }

func (o *keyedProcessor[K, I, O]) Receive(b *record.Batch[I]) error {
	if err := o.settle(); err != nil {
		return err
	}
	places, err := o.keys.Places(b)
	if err != nil {
		return err
	}
	o.states.Prefetch(places)
	for i, v := range b.V {
		if atomic.LoadUint32(&o.halted.Up) != 0 {
			return o.halted.Err()
		}
		o.turn(o.keys.Of(v), places[i], b.Time(i))
		if err := o.user.Process(o.context, v); err != nil {
			return err
		}
	}
	return o.flush()
}
