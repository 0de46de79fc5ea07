package operator

import (
	"github.com/flott-dev/flott/aggregate"
	"github.com/flott-dev/flott/backend"
	"github.com/flott-dev/flott/internal/data/keyed"
	"github.com/flott-dev/flott/internal/data/record"
)

// Reduce makes of each record f of the key's last result and the record. The first record of a key is its first result.
func Reduce[K comparable, T any](key func(T) K, f func(a, b T) T) Constructor {
	return rolling(key, func() *fold[T, T] { return foldByReduce(f) }, func(_ K, acc *T) T { return *acc })
}

// Aggregate makes of each record out of the key and the aggregate of its records so far.
func Aggregate[K comparable, T, A, V, R any](key func(T) K, a aggregate.Function[T, A, V], out func(K, V) R) Constructor {
	return rolling(key, func() *fold[T, A] { return foldByAggregate(a) }, func(k K, acc *A) R { return out(k, a.Value(*acc)) })
}

// rolling makes one record of each, by an accumulator that each key has.
func rolling[K comparable, T, A, R any](key func(T) K, newFold func() *fold[T, A], result func(K, *A) R) Constructor {
	return Func(func(env *Env) (Operator, error) {
		keys, err := keyed.NewSelector(key, env.MaxParallelism)
		if err != nil {
			return nil, err
		}
		states := statesOf[K](env)
		o := &roller[K, T, A, R]{
			Through: NewThrough[R](env), keys: keys, accumulators: states.Table[A]("accumulators"), fold: newFold(), result: result,
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
	each         func(i int, acc *A, found bool) // one, bound once, so that lending it allocates nothing

	ks  []K
	out record.Batch[R]
}

func (o *roller[K, T, A, R]) Input(int) any { return record.Input[T](o) }

func (o *roller[K, T, A, R]) Receive(b *record.Batch[T]) error {
	o.fold.in, o.ks = b.V, o.keys.Keys(b)
	o.out = record.Batch[R]{V: o.out.V[:0], TS: b.TS, Shared: b.Shared}
	o.accumulators.Update(o.keys.Places(b), o.ks, o.each)
	return o.Out.Receive(&o.out)
}

func (o *roller[K, T, A, R]) one(i int, acc *A, found bool) {
	o.fold.one(i, acc, found)
	o.out.V = append(o.out.V, o.result(o.ks[i], acc))
}
