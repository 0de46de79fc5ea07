package flott

import "github.com/flott-dev/flott/internal/data/operator"

// Connected is two streams side by side, for an operator that sees both.
type Connected[A, B any] struct {
	left  Stream[A]
	right Stream[B]
}

// Connect puts another stream beside this one, for an operator that sees both.
func (s Stream[T]) Connect[U any](o Stream[U]) Connected[T, U] {
	return Connected[T, U]{s, Stream[U]{s.env, s.env.same(o.env, o.node, s.node)}}
}

// Map emits left of each record of the first stream and right of each record of the second.
func (c Connected[A, B]) Map[R any](left func(A) R, right func(B) R) Stream[R] {
	return thenBoth[R](c.left, c.right, "Co-Map", left != nil && right != nil, operator.CoMap(left, right))
}

// KeyBy partitions both streams by keys of the same type, so that records with the same key meet.
func (c Connected[A, B]) KeyBy[K comparable](left func(A) K, right func(B) K) KeyedConnected[K, A, B] {
	return c.left.KeyBy(left).Connect(c.right.KeyBy(right))
}

// KeyedConnected is two streams side by side, partitioned by keys of the same type.
type KeyedConnected[K comparable, A, B any] struct {
	left  KeyedStream[K, A]
	right KeyedStream[K, B]
}
