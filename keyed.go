package flott

import (
	"github.com/flott-dev/flott/aggregate"
	"github.com/flott-dev/flott/internal/data/operator"
	"github.com/flott-dev/flott/internal/data/shuffle"
	"github.com/flott-dev/flott/internal/id"
)

// A KeyedStream is a stream whose records meet, key by key, in one subtask, where the operator behind has state for each key.
//
// It holds its Stream: where a Stream is wanted (Union, Connect), write k.Stream.
type KeyedStream[K comparable, T any] struct {
	Stream[T]
	key func(T) K
}

// KeyBy partitions the stream by a key: any comparable type without pointers, interfaces, channels and floats. time.Time is refused,
// since == compares its location: take UnixMilli.
func (s Stream[T]) KeyBy[K comparable](key func(T) K) KeyedStream[K, T] {
	return KeyedStream[K, T]{partitionByKey(s, key), key}
}

// partitionByKey is the stream of a keyed stream.
func partitionByKey[K comparable, T any](s Stream[T], key func(T) K) Stream[T] {
	hash, err := id.HashOf[K]()
	k := Stream[T]{s.env, s.env.add(s.env.program.KeyBy(s.node, shuffle.ByKey(key, hash)))}
	k.require(key != nil, "KeyBy was given a nil function")
	if err != nil {
		s.env.note("", err, "%v", err)
	}
	return k
}

// Reduce emits, for each record, f of its key's last result and the record; for a key's first record, the record.
func (s KeyedStream[K, T]) Reduce(f func(a, b T) T) Stream[T] {
	return rolling[T](s.Stream, "Keyed Reduce", f != nil, operator.Reduce(s.key, f))
}

// Aggregate emits, for each record, out of its key and the aggregate of all records of the key so far.
func (s KeyedStream[K, T]) Aggregate[A, V, R any](a aggregate.Function[T, A, V], out func(K, V) R) Stream[R] {
	r := rolling[R](s.Stream, "Keyed Aggregation", a != nil && out != nil, operator.Aggregate(s.key, a, out))
	r.env.check(r.node, a)
	return r
}

// rolling is the stream of a keyed aggregation without windows.
func rolling[R, T any](s Stream[T], name string, complete bool, op operator.Constructor) Stream[R] {
	return run[R](s.env, s.env.program.Reduce(s.node, name, kindOf[R]()), complete, op)
}

// Connect puts another stream with keys of the same type beside this one, for an operator that sees both.
func (s KeyedStream[K, T]) Connect[U any](o KeyedStream[K, U]) KeyedConnected[K, T, U] {
	right := Stream[U]{s.env, s.env.same(o.env, o.node, s.node)}
	return KeyedConnected[K, T, U]{s, KeyedStream[K, U]{right, o.key}}
}
