// Package operator holds the operators, one file each, and the contract between them and the chain that runs them.
//
// An operator is made per subtask by a Constructor that the typed API put into the program. It gets its outputs in Env, typed
// inside an any, and offers its inputs the same way: types are erased once, at the borders of operators, never per record.
//
// All calls to an operator and to its inputs come from the task's goroutine:
//
//	New -> Open -> { Input.Receive | Input.Watermark | Input.Idle | timers | EndInput(i) }* -> Finish -> Close
//
// Open runs from the last operator of a chain to the first, Finish from the first to the last. Close runs in any case, also
// after an error and when the task is cancelled; Finish only when all inputs ended.
package operator

import (
	"context"
	"log/slog"
	"sync/atomic"

	"github.com/flott-dev/flott/connector"
	"github.com/flott-dev/flott/internal/id"
)

// A Constructor makes the operator of one subtask. It is what program.Transformation.Operator holds.
type Constructor interface {
	New(env *Env) (Operator, error)
}

// An Operator is the running operator of one subtask.
type Operator interface {
	// Input is a record.Input[T] for input i, with the T of the stream that feeds it. Sources have none.
	Input(i int) any
	Open(ctx context.Context) error
	// EndInput says that no more records come from input i. The largest watermark came before.
	EndInput(i int) error
	// Finish emits what is left; nothing may be emitted after it.
	Finish() error
	Close() error
}

// A Puller is an operator that makes records by itself: a source. The task calls Pull while its outputs have room.
type Puller interface {
	Operator
	// Pull emits at most one batch. It never blocks.
	Pull() (Pulled, error)
}

// Pulled is what Pull found.
type Pulled int

const (
	More    Pulled = iota // call again
	Waiting               // nothing now; Env.Wake will be called
	Ended                 // the source is at its end
)

// Env is what an operator knows of its task. All of it may be used until Close returns.
type Env struct {
	ID                   id.Operator
	Name                 string
	Subtask, Parallelism int
	MaxParallelism       int
	KeyGroups            id.KeyGroupRange // of keyed operators; the state of no other group may be touched

	Context context.Context // cancelled when the task is; for user code
	Logger  *slog.Logger    // carries job, task and subtask

	Out  any                  // record.Input[O] of the main output; never nil
	Side func(tag string) any // record.Input[U] of a side output, or nil when nobody reads it

	Clock   Clock
	Mails   Mails
	Metrics *Metrics
	// Splits hands splits of a source to this subtask; nil for other operators.
	Splits Splits
}

// Clock is the processing time.
type Clock interface {
	// Now is in milliseconds since the epoch and never goes back, also when the wall clock does.
	Now() int64
	// At runs f on the task's goroutine, between two batches, once Now() >= ms. stop makes that not happen; it may be called late.
	At(ms int64, f func() error) (stop func())
}

// Mails is the way of other goroutines to the task's.
type Mails interface {
	// Send runs f on the task's goroutine, between two batches. It may be called from any goroutine and never blocks.
	Send(f func() error)
	// Wake ends the wait of a source that returned Waiting. It may be called from any goroutine and never blocks.
	Wake()
}

// Splits is a source's line to its enumerator. Splits come as mails.
type Splits interface {
	// Request asks for splits; give is called on the task's goroutine with some, or with none and done when no more come for this subtask.
	Request(give func(splits []connector.Split, done bool) error)
}

// Metrics are the counters of one operator in one subtask. The chain counts records in and out, once a batch; operators count
// what only they know. Others read them while the task runs.
type Metrics struct {
	RecordsIn, RecordsOut atomic.Int64
	LateRecords           atomic.Int64 // dropped or sent to the late output by a window
	Watermark             atomic.Int64 // the operator's current input watermark
}
