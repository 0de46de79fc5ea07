package operator

import (
	"sync/atomic"

	"github.com/flott-dev/flott/aggregate"
	"github.com/flott-dev/flott/backend"
	"github.com/flott-dev/flott/internal/data/keyed"
	"github.com/flott-dev/flott/internal/data/record"
	"github.com/flott-dev/flott/internal/halt"
)

// Reduce makes of each record f of the key's last result and the record. The first record of a key is its first result.
func Reduce[K comparable, T any](key func(T) K, f func(a, b T) T) Constructor {
	return rolling(key, func(halted *halt.Flag) *fold[T, T] { return foldByReduce(halted, f) }, func(_ K, acc *T) T { return *acc })
}

// Aggregate makes of each record out of the key and the aggregate of its records so far.
func Aggregate[K comparable, T, A, V, R any](key func(T) K, a aggregate.Function[T, A, V], out func(K, V) R) Constructor {
	byAggregate := func(halted *halt.Flag) *fold[T, A] { return foldByAggregate(halted, a) }
	return rolling(key, byAggregate, func(k K, acc *A) R { return out(k, a.Value(*acc)) })
}

// rolling makes one record of each, by an accumulator that each key has.
func rolling[K comparable, T, A, R any](key func(T) K, newFold func(*halt.Flag) *fold[T, A], result func(K, *A) R) Constructor {
	return Func(func(env *Env) (Operator, error) {
		through := NewThrough[R](env)
		keys, err := keyed.NewSelector(key, env.MaxParallelism, through.halted)
		if err != nil {
			return nil, err
		}
		states := statesOf[K](env)
		o := &roller[K, T, A, R]{
			Through: through, keys: keys, accumulators: states.Table[A]("accumulators"), fold: newFold(through.halted), result: result,
		}
		o.each = o.one
		return o, states.Seal()
	})
}

type roller[K comparable, T, A, R any] struct {
	Through[R]
	keys         *keyed.Selector[T, K]
	accumulators backend.Table[K, A]
	fold         *fold[T, A]
	result       func(K, *A) R
	each         func(i int, acc *A, found bool) (more bool) // one, bound once, so that lending it allocates nothing

	ks  []K
	out record.Batch[R]
}

func (o *roller[K, T, A, R]) Input(int) any { return record.Input[T](o) }

func (o *roller[K, T, A, R]) Receive(b *record.Batch[T]) error {
	places, err := o.keys.Places(b)
	if err != nil {
		return err
	}
	if o.ks, err = o.keys.Keys(b); err != nil {
		return err
	}
	o.fold.in = b.V
	o.out = record.Batch[R]{V: o.out.V[:0], TS: b.TS, Shared: b.Shared}
	o.accumulators.Update(places, o.ks, o.each)
	if atomic.LoadUint32(&o.halted.Up) != 0 {
		return o.halted.Err()
	}
	return o.Out.Receive(&o.out)
}

func (o *roller[K, T, A, R]) one(i int, acc *A, found bool) bool {
	if !o.fold.one(i, acc, found) {
		return false
	}
	o.out.V = append(o.out.V, o.result(o.ks[i], acc))
	return true
}
