// Package operator holds the operators, one file each, and the contract between them and the chain that runs them.
//
// An operator is made per subtask by a Constructor that the typed API put into the program. It gets its outputs in Env, typed
// inside an any, and offers its inputs the same way: types are erased once, at the borders of operators, never per record.
//
// All calls to an operator and to its inputs come from the task's goroutine:
//
//	New -> Open -> { Input.Receive | Input.Watermark | Input.Idle | Pull | mails and clock | Resume | EndInput(i) }* -> Finish -> Close
//
// Open runs from the last operator of a chain to the first, Finish from the first to the last. Close runs in any case, also
// after an error and when the task is cancelled; Finish only when all inputs ended.
//
// An operator passes on what it is told: the watermark after all records that it emits before it, idle and active as they are,
// several inputs merged by decide/progress. Most embed Through for this.
package operator

import (
	"context"
	"log/slog"
	"sync/atomic"

	"github.com/flott-dev/flott/connector"
	"github.com/flott-dev/flott/internal/data/record"
	"github.com/flott-dev/flott/internal/decide/pace"
	"github.com/flott-dev/flott/internal/id"
)

// A Constructor makes the operator of one subtask. It is what program.Transformation.Operator holds.
type Constructor interface {
	New(env *Env) (Operator, error)
}

// Func is a Constructor that is a function.
type Func func(env *Env) (Operator, error)

// New calls f.
func (f Func) New(env *Env) (Operator, error) { return f(env) }

// An Operator is the running operator of one subtask.
type Operator interface {
	// Input is a record.Input[T] for input i, with the T of the stream that feeds it. Sources have none.
	Input(i int) any
	Open(ctx context.Context) error
	// EndInput says that no more records come from input i. The largest watermark came before.
	EndInput(i int) error
	// Finish emits what is left; nothing may be emitted after it.
	Finish() error
	// Close lets go of what the operator holds. It may come without Open, or after an Open that failed, and it may come twice.
	Close() error
}

// A Puller is an operator that makes records by itself: a source. The task calls Pull while its outputs have room.
type Puller interface {
	Operator
	// Pull emits at most one batch, of as many records as its pace allows. It never blocks. Before it returns Ended it has emitted the largest watermark.
	Pull() (Pulled, error)
}

// Pulled is what Pull found.
type Pulled int

const (
	More    Pulled = iota // call again
	Waiting               // nothing now; Env.Wake will be called
	Ended                 // the source is at its end
)

// A Yielder is an operator that does the work of one call in parts, so that the task can serve mails and wait for room between
// them: a watermark may make a million timers due. The call fires as many as its pace allows, keeps the rest, and returns;
// the operator is Busy until Resume has fired the others, and only then passes the watermark on, behind what they emitted.
//
// While an operator of its chain is busy, the task does nothing but serve mails, wait for room and call Resume. A mail may make
// an operator before it in the chain emit all the same. A busy operator that is called, and be it by EndInput or Finish, must
// therefore do all that is left first.
type Yielder interface {
	Operator
	// Busy says that a part of an earlier call is left.
	Busy() bool
	// Resume does the next part.
	Resume() error
}

// Env is what an operator knows of its task. All of it may be used until Close returns.
type Env struct {
	ID                   id.Operator
	Name                 string
	Subtask, Parallelism int
	MaxParallelism       int
	KeyGroups            id.KeyGroupRange // of keyed operators; the state of no other group may be touched

	Context context.Context // cancelled when the task is; for user code
	Logger  *slog.Logger    // carries job, task and subtask

	// Outputs. Operators take them by Output and SideOutput.
	Out    any                  // record.Input[O] of the main output; nil when nobody reads it
	Side   func(tag string) any // record.Input[U] of a side output; nil when nobody reads it
	Events []record.Events      // the side outputs that are read: they get the watermarks of the main output, too

	Clock   Clock
	Mails   Mails
	Metrics *Metrics
	// Pace makes a pace for work of one kind that the operator begins by itself; nil: nobody waits for the end of its steps.
	Pace func() *pace.Pace
	// Blocked is how long the task has waited for room in its outputs so far, in milliseconds. Idleness does not count it.
	Blocked func() int64
	// Splits hands splits to a source.
	Splits Splits
}

func (e *Env) pace() *pace.Pace {
	if e.Pace == nil {
		return pace.Constant(record.Size)
	}
	return e.Pace()
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
	// Wake ends the wait of a source that returned Waiting; one that comes before Pull returns is not lost. It may be called from
	// any goroutine and never blocks.
	Wake()
}

// Splits is a source's line to its enumerator. Splits come as mails.
type Splits interface {
	// Request asks for splits; give is called on the task's goroutine with some, or with none and done when no more come for this
	// subtask. It is called once a request; some may come with done.
	Request(give func(splits []connector.Split, done bool) error)
}

// Metrics are the counters of one operator in one subtask. The chain counts records in and out, once a batch, and knows the
// watermark of operators with one input; operators count what only they know. Others read them while the task runs.
type Metrics struct {
	RecordsIn, RecordsOut atomic.Int64
	LateRecords           atomic.Int64              // dropped or sent to the late output by a window
	Watermark             atomic.Int64              // the operator's current input watermark; of a source: the one it sent last
	Time                  atomic.Pointer[EventTime] // of operators that make watermarks; nil: this one does not, or has not begun
	Keys                  record.Keys               // of the records that come to the task by key
}
