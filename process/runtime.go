package process

import (
	"context"
	"log/slog"

	"github.com/flott-dev/flott/internal/data/keyed"
	"github.com/flott-dev/flott/state"
)

// A Runtime is what a function learns about its subtask when it is made.
//
// It is made twice: also while the program is compiled, to find out which states it declares. Then there is no subtask; the
// context is never cancelled, the logger drops everything, and the function that is made is not used.
type Runtime struct{ subtask keyed.Subtask }

// NewRuntime makes the runtime of a function. For the engine and its tests.
func NewRuntime(s keyed.Subtask) *Runtime { return &Runtime{s} }

// Context is cancelled when the task is.
func (r *Runtime) Context() context.Context { return r.subtask.Context }

// Logger is the task's: what it logs carries job, task and subtask.
func (r *Runtime) Logger() *slog.Logger { return r.subtask.Logger }

// Subtask is the index of the subtask, from 0, and how many there are.
func (r *Runtime) Subtask() (index, parallelism int) {
	return r.subtask.Index, r.subtask.Parallelism
}

// A KeyedRuntime is a Runtime with which a function declares its states. Their names must differ.
type KeyedRuntime[K comparable] struct {
	Runtime
	states *keyed.States[K]
}

// NewKeyedRuntime makes the runtime of a function. For the engine and its tests.
func NewKeyedRuntime[K comparable](s keyed.Subtask, states *keyed.States[K]) *KeyedRuntime[K] {
	return &KeyedRuntime[K]{Runtime{s}, states}
}

// Value declares one value per key.
func (r *KeyedRuntime[K]) Value[V any](name string, o ...state.Option) state.Value[V] {
	return state.NewValue(r.states.Value[V](name))
}

// List declares a list per key.
func (r *KeyedRuntime[K]) List[V any](name string, o ...state.Option) state.List[V] {
	return state.NewList(r.states.List[V](name))
}

// Map declares a map per key.
func (r *KeyedRuntime[K]) Map[MK comparable, V any](name string, o ...state.Option) state.Map[MK, V] {
	return state.NewMap(r.states.Map[MK, V](name))
}
