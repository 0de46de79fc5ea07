package schedule

import (
	"time"

	"github.com/flott-dev/flott/internal/decide/slots"
	"github.com/flott-dev/flott/internal/graph/execgraph"
)

// An Effect is something that has to be done for a job.
type Effect interface{ effect() }

// Request asks for all slots that the job lacks.
type Request struct{ Wishes []slots.Wish }

// Deploy starts attempts and enumerators, together: none may send before all that it sends to can receive. PlaceOf says where.
type Deploy struct {
	Attempts    []Attempt
	Enumerators []Enumerator
}

// Cancel ends attempts and enumerators. Each will be reported once more, as ended.
type Cancel struct {
	Attempts    []Attempt
	Enumerators []Enumerator
}

// A Failure is what went wrong, and whose task it was.
type Failure struct {
	Attempt *Attempt  // nil: it was no task, but the enumerator of a source, a worker, or want of slots
	Hit     []Attempt // then those that it has ended, or that cannot begin
	Cause   error
}

// Restart says that these subtasks will start again after a delay, because of a failure.
type Restart struct {
	Failure
	Delay    time.Duration
	Subtasks []execgraph.Subtask
}

// Suppress is a failure that came after the job's end was decided, or of what is to be cancelled anyway: worth a line in the log, but
// not what ended the job.
type Suppress struct{ Failure }

// Wake asks for Woken at a time, in place of what was asked before; 0: not any more.
type Wake struct{ At int64 }

// End says that the job is over and no attempt is left. It comes once, as the last effect.
type End struct {
	State   State // Finished, Failed or Canceled
	Failure       // the one that ended it: of Failed always, of Canceled when the job was failing already; else zero
}

func (Request) effect()  {}
func (Deploy) effect()   {}
func (Cancel) effect()   {}
func (Restart) effect()  {}
func (Suppress) effect() {}
func (Wake) effect()     {}
func (End) effect()      {}
