package flott

import (
	"github.com/flott-dev/flott/internal/data/operator"
	"github.com/flott-dev/flott/process"
)

// What process functions see is declared in package process, which operators and test kits import, too.
type (
	// A Tag names a side output of element type T.
	Tag[T any] = process.Tag[T]
	// A Context is what a function knows while it handles a record, and where its output goes.
	Context[O any] = process.Context[O]
	// A KeyedContext is a Context with a key, for which timers can be set.
	KeyedContext[K comparable, O any] = process.KeyedContext[K, O]
	// A Runtime is what a function learns about its subtask when it is made.
	Runtime = process.Runtime
	// A KeyedRuntime is a Runtime with which a function declares its states.
	KeyedRuntime[K comparable] = process.KeyedRuntime[K]
	// A Processor handles one record at a time.
	Processor[I, O any] = process.Processor[I, O]
	// A KeyedProcessor handles one record at a time, with the state and the timers of the record's key.
	KeyedProcessor[K comparable, I, O any] = process.KeyedProcessor[K, I, O]
	// A KeyedCoProcessor handles the records of two streams, which share state and timers.
	KeyedCoProcessor[K comparable, A, B, O any] = process.KeyedCoProcessor[K, A, B, O]
)

// NewTag makes a tag. Two tags of one name are the same side output.
func NewTag[T any](name string) Tag[T] { return process.NewTag[T](name) }

// Identity returns its argument: the key of records that are their own key.
func Identity[T any](v T) T { return v }

// Process makes one F per subtask, which gets the records one at a time and emits what it likes, also to side outputs. F need not
// be safe for concurrent use.
//
// open makes the value and nothing else: it also runs once while the program is compiled, so that mistakes are known before the job
// starts. I/O belongs in F's optional method Open(ctx context.Context) error; package process lists the others.
func (s Stream[T]) Process[O any, F Processor[T, O]](open func(*Runtime) (F, error)) Stream[O] {
	return then[O](s, "Process", open != nil, operator.Process[T, O](open))
}

// Process makes one F per subtask, which gets the records one at a time, with state and timers for each key. F need not be safe for
// concurrent use.
//
// open declares the states, makes the value and does nothing else: it also runs once while the program is compiled, so that states
// and mistakes are known before the job starts. I/O belongs in F's optional method Open(ctx context.Context) error; package process
// lists the others.
func (s KeyedStream[K, T]) Process[O any, F KeyedProcessor[K, T, O]](open func(*KeyedRuntime[K]) (F, error)) Stream[O] {
	return then[O](s.Stream, "KeyedProcess", open != nil, operator.KeyedProcess[K, T, O](s.key, open))
}

// ProcessFunc is Process for one closure: open runs once per subtask, and once while the program is compiled, and returns it.
func (s KeyedStream[K, T]) ProcessFunc[O any](open func(*KeyedRuntime[K]) func(*KeyedContext[K, O], T) error) Stream[O] {
	return then[O](s.Stream, "KeyedProcess", open != nil, operator.KeyedProcessFunc(s.key, open))
}

// Process makes one F per subtask, which gets the records of both streams one at a time, with state and timers for each key. What
// KeyedStream.Process says of open holds here, too.
func (c KeyedConnected[K, A, B]) Process[O any, F KeyedCoProcessor[K, A, B, O]](open func(*KeyedRuntime[K]) (F, error)) Stream[O] {
	op := operator.KeyedCoProcess[K, A, B, O](c.left.key, c.right.key, open)
	return thenBoth[O](c.left.Stream, c.right.Stream, "Co-Keyed-Process", open != nil, op)
}
