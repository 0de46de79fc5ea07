package operator

import (
	"github.com/flott-dev/flott/aggregate"
	"github.com/flott-dev/flott/backend"
	"github.com/flott-dev/flott/internal/data/keyed"
	"github.com/flott-dev/flott/internal/data/record"
	"github.com/flott-dev/flott/state"
)

// Reduce makes of each record f of the key's last result and the record. The first record of a key is its first result.
func Reduce[K comparable, T any](key func(T) K, f func(a, b T) T) Constructor {
	return rolling(key, func(acc *T, found bool, _ K, v T) T {
		if found {
			v = f(*acc, v)
		}
		*acc = v
		return v
	})
}

// Aggregate makes of each record out of the key and the aggregate of its records so far.
func Aggregate[K comparable, T, A, V, R any](key func(T) K, a aggregate.Function[T, A, V], out func(K, V) R) Constructor {
	return rolling(key, func(acc *A, found bool, k K, v T) R {
		if !found {
			*acc = a.Zero()
		}
		a.Add(acc, v)
		return out(k, a.Value(*acc))
	})
}

// rolling makes one record of each, by an accumulator that each key has.
func rolling[K comparable, T, A, R any](key func(T) K, fold func(acc *A, found bool, k K, v T) R) Constructor {
	return Func(func(env *Env) (Operator, error) {
		keys, err := keyed.NewSelector(key, env.MaxParallelism)
		if err != nil {
			return nil, err
		}
		states := statesOf[K](env)
		o := &roller[K, T, A, R]{Through: NewThrough[R](env), keys: keys, key: states.Key, fold: fold}
		o.accumulator = states.Value[A]("accumulator")
		return o, states.Seal()
	})
}

type roller[K comparable, T, A, R any] struct {
	Through[R]
	keys        *keyed.Selector[T, K]
	key         *backend.Key[K]
	accumulator state.ValueStore[A]
	fold        func(acc *A, found bool, k K, v T) R
	out         record.Batch[R]
}

func (o *roller[K, T, A, R]) Input(int) any { return record.Input[T](o) }

func (o *roller[K, T, A, R]) Receive(b *record.Batch[T]) error {
	places := o.keys.Places(b)
	results := o.out.V[:0]
	for i, v := range b.V {
		k := o.keys.Of(v)
		o.key.K, o.key.Place = k, places[i]
		acc, found := o.accumulator.Ref()
		results = append(results, o.fold(acc, found, k, v))
	}
	o.out = record.Batch[R]{V: results, TS: b.TS, Shared: b.Shared}
	return o.Out.Receive(&o.out)
}
