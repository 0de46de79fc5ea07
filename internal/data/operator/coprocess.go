package operator

import (
	"sync/atomic"

	"github.com/flott-dev/flott/backend"
	"github.com/flott-dev/flott/internal/data/keyed"
	"github.com/flott-dev/flott/internal/data/record"
	"github.com/flott-dev/flott/process"
)

// KeyedCoProcess hands the records of two inputs to a function, made by open, that has state and timers for their key.
func KeyedCoProcess[K comparable, A, B, O any, F process.KeyedCoProcessor[K, A, B, O]](
	left func(A) K, right func(B) K, open func(*process.KeyedRuntime[K]) (F, error),
) Constructor {
	return keyedCoProcessing[K, A, B, O, F]{left, right, open}
}

type keyedCoProcessing[K comparable, A, B, O any, F process.KeyedCoProcessor[K, A, B, O]] struct {
	left  func(A) K
	right func(B) K
	open  func(*process.KeyedRuntime[K]) (F, error)
}

// Declare makes the function once, to find its states and mistakes.
func (p keyedCoProcessing[K, A, B, O, F]) Declare() ([]backend.State, error) {
	return declareKeyed[K, O](p.open)
}

func (p keyedCoProcessing[K, A, B, O, F]) New(env *Env) (Operator, error) {
	base, user, err := newKeyedFunction[K, O](env, p.open)
	if err != nil {
		return nil, err
	}
	events := NewMerged(env, 2, base)
	left, err := newHalf(env, base, p.left, user.ProcessLeft)
	if err != nil {
		return nil, err
	}
	right, err := newHalf(env, base, p.right, user.ProcessRight)
	if err != nil {
		return nil, err
	}
	return &keyedCoProcessor[K, O]{base, [2]any{
		record.Input[A](coInput[A]{left, events.Input(0)}),
		record.Input[B](coInput[B]{right, events.Input(1)}),
	}}, nil
}

type keyedCoProcessor[K comparable, O any] struct {
	*keyedFunction[K, O]
	inputs [2]any
}

func (o *keyedCoProcessor[K, O]) Input(i int) any { return o.inputs[i] }

// half takes the records of one input.
type half[K comparable, I, O any] struct {
	*keyedFunction[K, O]
	keys    *keyed.Selector[I, K]
	process func(*process.KeyedContext[K, O], I) error
}

func newHalf[K comparable, I, O any](
	env *Env, base *keyedFunction[K, O], key func(I) K, f func(*process.KeyedContext[K, O], I) error,
) (*half[K, I, O], error) {
	keys, err := keyed.NewSelector(key, env.MaxParallelism, base.halted)
	return &half[K, I, O]{base, keys, f}, err
}

func (h *half[K, I, O]) Receive(b *record.Batch[I]) error {
	if err := h.settle(); err != nil {
		return err
	}
	places, err := h.keys.Places(b)
	if err != nil {
		return err
	}
	h.states.Prefetch(places)
	for i, v := range b.V {
		if atomic.LoadUint32(&h.halted.Up) != 0 {
			return h.halted.Err()
		}
		h.turn(h.keys.Of(v), places[i], b.Time(i))
		if err := h.process(h.context, v); err != nil {
			return err
		}
	}
	return h.flush()
}
