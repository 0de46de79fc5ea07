package operator

import (
	"context"

	"github.com/flott-dev/flott/backend/heap"
	"github.com/flott-dev/flott/internal/data/keyed"
	"github.com/flott-dev/flott/internal/data/record"
	"github.com/flott-dev/flott/internal/data/timer"
	"github.com/flott-dev/flott/internal/halt"
	"github.com/flott-dev/flott/process"
)

// A function is the user's value behind a process operator, with its optional methods and what it emits to. Operators embed it.
type function[O any] struct {
	Out    record.Input[O]
	halted *halt.Flag
	main   *record.Emitter[O]
	sides  *record.Sides
	moment *timer.Moment

	opener process.Opener               // nil: it has no such method
	closer process.Closer               // likewise
	ender  process.EndOfInputHandler[O] // likewise
	opened bool
}

func newFunction[O any](env *Env) function[O] {
	out := Output[O](env)
	return function[O]{Out: out, halted: halt.Of(env.Context), main: record.NewEmitter(out), sides: record.NewSides(env.Side), moment: timer.NewMoment(env.Clock)}
}

// bind finds the optional methods of the user's value. That none of them has a wrong signature was checked before: see Declare.
func (f *function[O]) bind(user any) {
	f.opener, _ = user.(process.Opener)
	f.closer, _ = user.(process.Closer)
	f.ender, _ = user.(process.EndOfInputHandler[O])
}

// flush sends what the function emitted.
func (f *function[O]) flush() error {
	if err := f.main.Flush(); err != nil {
		return err
	}
	return f.sides.Flush()
}

// Open opens the function.
func (f *function[O]) Open(ctx context.Context) error {
	f.opened = true
	if f.opener == nil {
		return nil
	}
	return f.opener.Open(ctx)
}

// Finish tells the function that its inputs have ended.
func (f *function[O]) Finish() error {
	if f.ender == nil {
		return nil
	}
	f.moment.TS = record.NoTime
	if err := f.ender.EndOfInput(process.NewContext(f.main, f.sides, f.moment)); err != nil {
		return err
	}
	return f.flush()
}

// Close closes the function, once, if it was opened.
func (f *function[O]) Close() error {
	if f.closer == nil || !f.opened {
		return nil
	}
	f.opened = false
	return f.closer.Close()
}

func subtaskOf(env *Env) keyed.Subtask {
	return keyed.Subtask{Context: env.Context, Logger: env.Logger, Index: env.Subtask, Parallelism: env.Parallelism}
}

// statesOf is where the states of a keyed operator are opened.
func statesOf[K comparable](env *Env) *keyed.States[K] {
	return keyed.NewStates[K](heap.Backend{}, env.KeyGroups, env.MaxParallelism)
}
