package flott

import (
	"time"

	"github.com/flott-dev/flott/internal/graph/program"
)

// The methods of this file set what the operator that made the stream is like. On a stream that no operator made (after KeyBy,
// Union, SideOutput or a partitioning) they are a program error.

// Name names the operator.
func (s Stream[T]) Name(name string) Stream[T] {
	s.env.setName(s.node, name)
	return s
}

// UID is the word from which the operator's id is made, so that its state is found again after the program has changed.
func (s Stream[T]) UID(uid string) Stream[T] {
	s.env.setUID(s.node, uid)
	return s
}

// Parallelism is the number of the operator's subtasks.
func (s Stream[T]) Parallelism(n int) Stream[T] {
	s.env.setParallelism(s.node, n)
	return s
}

// MaxParallelism is the number of the operator's key groups, and the largest parallelism that it can ever have.
func (s Stream[T]) MaxParallelism(n int) Stream[T] {
	s.env.setMaxParallelism(s.node, n)
	return s
}

// SlotSharingGroup names the group of operators whose subtasks may share a slot. An operator that is in none joins the group of its
// inputs.
func (s Stream[T]) SlotSharingGroup(name string) Stream[T] {
	s.env.setSlotSharingGroup(s.node, name)
	return s
}

// StartNewChain makes the operator the first of its chain.
func (s Stream[T]) StartNewChain() Stream[T] {
	s.env.setChaining(s.node, "StartNewChain", program.ChainHead)
	return s
}

// DisableChaining runs the operator in a task of its own.
func (s Stream[T]) DisableChaining() Stream[T] {
	s.env.setChaining(s.node, "DisableChaining", program.ChainNever)
	return s
}

// BufferTimeout is the longest that a record of the operator waits for its block to fill. Negative: the environment's, which is the
// default.
func (s Stream[T]) BufferTimeout(d time.Duration) Stream[T] {
	s.env.setBufferTimeout(s.node, d)
	return s
}

// A SinkHandle sets what a sink is like.
type SinkHandle struct {
	env  *Environment
	node *program.Transformation
}

// Name names the sink.
func (h SinkHandle) Name(name string) SinkHandle {
	h.env.setName(h.node, name)
	return h
}

// UID is the word from which the ids of the sink's operators are made, so that their state is found again after the program has
// changed.
func (h SinkHandle) UID(uid string) SinkHandle {
	h.env.setUID(h.node, uid)
	return h
}

// Parallelism is the number of the sink's subtasks.
func (h SinkHandle) Parallelism(n int) SinkHandle {
	h.env.setParallelism(h.node, n)
	return h
}

// MaxParallelism is the largest parallelism that the sink can ever have.
func (h SinkHandle) MaxParallelism(n int) SinkHandle {
	h.env.setMaxParallelism(h.node, n)
	return h
}

// SlotSharingGroup names the group of operators whose subtasks may share a slot.
func (h SinkHandle) SlotSharingGroup(name string) SinkHandle {
	h.env.setSlotSharingGroup(h.node, name)
	return h
}

// StartNewChain makes the sink the first of its chain.
func (h SinkHandle) StartNewChain() SinkHandle {
	h.env.setChaining(h.node, "StartNewChain", program.ChainHead)
	return h
}

// DisableChaining runs the sink in a task of its own.
func (h SinkHandle) DisableChaining() SinkHandle {
	h.env.setChaining(h.node, "DisableChaining", program.ChainNever)
	return h
}

func (e *Environment) setName(t *program.Transformation, name string) {
	e.configure(t, "Name", func() { t.SetName(name) })
}

func (e *Environment) setUID(t *program.Transformation, uid string) {
	e.configure(t, "UID", func() { t.SetUID(uid) })
}

func (e *Environment) setParallelism(t *program.Transformation, n int) {
	e.configure(t, "Parallelism", func() {
		switch {
		case n < 1 || n > program.MaxParallelismLimit:
			e.note(t.Name, nil, "parallelism is set to %d; it must be between 1 and %d", n, program.MaxParallelismLimit)
		case e.fixed[t] && n != t.Parallelism:
			e.note(t.Name, nil, "parallelism is set to %d, but it is always %d", n, t.Parallelism)
		default:
			t.SetParallelism(n)
		}
	})
}

func (e *Environment) setMaxParallelism(t *program.Transformation, n int) {
	e.configure(t, "MaxParallelism", func() { t.SetMaxParallelism(n) })
}

func (e *Environment) setSlotSharingGroup(t *program.Transformation, name string) {
	e.configure(t, "SlotSharingGroup", func() { t.SetSlotSharingGroup(name) })
}

func (e *Environment) setChaining(t *program.Transformation, call string, c program.Chaining) {
	e.configure(t, call, func() { t.SetChaining(c) })
}

func (e *Environment) setBufferTimeout(t *program.Transformation, d time.Duration) {
	e.configure(t, "BufferTimeout", func() {
		ms, err := timeoutMs(d)
		if err != nil {
			e.note(t.Name, nil, "%v", err)
			return
		}
		t.SetBufferTimeout(ms)
	})
}

// configure makes one setting, if an operator is there to be set.
func (e *Environment) configure(t *program.Transformation, call string, set func()) {
	if e.operator(t, call) {
		set()
		e.takeRejections(userSite())
	}
}

// operator says whether t is one; a call that needs one is a mistake otherwise.
func (e *Environment) operator(t *program.Transformation, call string) bool {
	if t.Kind.Virtual() {
		e.note("", nil, "%s after %s: no operator made this stream; call it on the operator before", call, virtualCall(t))
		return false
	}
	return true
}

// virtualCall is the user's call that made a virtual transformation.
func virtualCall(t *program.Transformation) string {
	switch {
	case t.Kind == program.KindUnion:
		return "Union"
	case t.Kind == program.KindSideOutput:
		return "SideOutput"
	case t.Partition.Keyed:
		return "KeyBy"
	default:
		return map[program.Strategy]string{
			program.Forward: "Forward", program.Rebalance: "Rebalance", program.Shuffle: "Shuffle", program.Rescale: "Rescale",
			program.Broadcast: "Broadcast", program.Global: "Global", program.Custom: "PartitionBy",
		}[t.Partition.Strategy]
	}
}
