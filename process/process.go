// Package process holds what process functions see: contexts, runtimes, tags, and the interfaces that they implement. Package flott
// gives all of it under its own name.
//
// Contexts and runtimes are made by the engine, for one subtask each, and are used on its goroutine only. A context shows the
// record, or the timer, that is being handled: it is good until the call that got it returns.
package process

import (
	"context"
	"time"
)

// A Processor handles one record at a time. Returning an error fails the task. It may have the methods of Opener, Closer and
// EndOfInputHandler.
type Processor[I, O any] interface {
	Process(c *Context[O], in I) error
}

// A KeyedProcessor handles one record at a time, with the state and the timers of the record's key. It may have the methods of
// Opener, Closer, EndOfInputHandler, EventTimerHandler and ProcessingTimerHandler.
type KeyedProcessor[K comparable, I, O any] interface {
	Process(c *KeyedContext[K, O], in I) error
}

// A KeyedCoProcessor handles the records of two streams, one at a time, which share state and timers. It may have the methods
// that a KeyedProcessor may have.
type KeyedCoProcessor[K comparable, A, B, O any] interface {
	ProcessLeft(c *KeyedContext[K, O], in A) error
	ProcessRight(c *KeyedContext[K, O], in B) error
}

// An Opener is told before the first record. This is where I/O belongs. The context is cancelled with the task.
type Opener interface {
	Open(ctx context.Context) error
}

// A Closer is told at the end in any case, also when the task failed or was cancelled.
type Closer interface {
	Close() error
}

// An EndOfInputHandler is told when all its inputs have ended and all event-time timers have fired, and may emit a last time. The
// records have no timestamp. There is no key, so that state must not be touched.
type EndOfInputHandler[O any] interface {
	EndOfInput(c *Context[O]) error
}

// An EventTimerHandler is told when the watermark has come to the time of a timer. The context's timestamp, and that of what is
// emitted, is the timer's.
type EventTimerHandler[K comparable, O any] interface {
	OnEventTimer(c *KeyedContext[K, O], at time.Time) error
}

// A ProcessingTimerHandler is told when the clock has come to the time of a timer. What it emits has no timestamp. Timers that are
// pending when the input ends do not fire.
type ProcessingTimerHandler[K comparable, O any] interface {
	OnProcessingTimer(c *KeyedContext[K, O], at time.Time) error
}

// A Tag names a side output of element type T.
type Tag[T any] struct{ name string }

// NewTag makes a tag. Two tags of one name are the same side output.
func NewTag[T any](name string) Tag[T] { return Tag[T]{name} }

// Name is the tag's name.
func (t Tag[T]) Name() string { return t.name }
