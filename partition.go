package flott

import (
	"github.com/flott-dev/flott/internal/data/shuffle"
	"github.com/flott-dev/flott/internal/graph/program"
)

// Rebalance deals records out evenly to the subtasks of the next operator.
func (s Stream[T]) Rebalance() Stream[T] { return s.partition(program.Rebalance, nil) }

// Rescale deals records out evenly, each subtask to its own share of the next operator's subtasks.
func (s Stream[T]) Rescale() Stream[T] { return s.partition(program.Rescale, nil) }

// Shuffle sends each record to a random subtask of the next operator.
func (s Stream[T]) Shuffle() Stream[T] { return s.partition(program.Shuffle, nil) }

// Broadcast sends each record to all subtasks of the next operator.
func (s Stream[T]) Broadcast() Stream[T] { return s.partition(program.Broadcast, nil) }

// Forward keeps each record in the subtask that it is in. Both operators must have the same parallelism.
func (s Stream[T]) Forward() Stream[T] { return s.partition(program.Forward, nil) }

// Global sends all records to the first subtask of the next operator.
func (s Stream[T]) Global() Stream[T] { return s.partition(program.Global, nil) }

// PartitionBy sends each record to the subtask of the next operator that f chooses, from 0 up to, but without, subtasks. Another
// number fails the task.
func (s Stream[T]) PartitionBy(f func(v T, subtasks int) int) Stream[T] {
	p := s.partition(program.Custom, shuffle.ByFunc(f))
	p.require(f != nil, "PartitionBy was given a nil function")
	return p
}

func (s Stream[T]) partition(how program.Strategy, typed any) Stream[T] {
	return Stream[T]{s.env, s.env.add(s.env.program.Repartition(s.node, how, typed))}
}
