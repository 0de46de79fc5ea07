package schedule

import (
	"github.com/flott-dev/flott/internal/decide/slots"
	"github.com/flott-dev/flott/internal/graph/execgraph"
)

// An Event is something that happened to a job.
type Event interface{ event() }

// Started: the job may run.
type Started struct{}

// Given: the job has got slots. It may come twice.
type Given struct{ Grants []slots.Grant }

// Lacking: there are too few slots for the job.
type Lacking struct{ Free, TaskManagers, Slots int }

// WorkerReady: tasks can be deployed to a worker.
type WorkerReady struct{ Worker slots.WorkerID }

// WorkerRefused: the program of a worker is not the job's, and trying again will not help.
type WorkerRefused struct {
	Worker slots.WorkerID
	Cause  error
}

// WorkerLost: nobody will hear of a worker any more, and all that ran there is lost.
type WorkerLost struct {
	Worker slots.WorkerID
	Cause  error
}

// Reported: a worker says what became of an attempt. Reports may come late or twice, and one may be lost when a later one
// of the same attempt is not.
type Reported struct {
	Attempt Attempt
	State   execgraph.State // Initializing, Running, Finished, Canceled or Failed
	Cause   error           // of Failed
}

// Lost: nobody will hear of an attempt any more, though it may still run somewhere.
type Lost struct {
	Attempt Attempt
	Cause   error
}

// SourceEnded: an enumerator has ended, because it was cancelled, or has failed, or has nothing to do.
type SourceEnded struct {
	Enumerator Enumerator
	Cause      error // nil: it did not fail
}

// CancelRequested: a user wants the job to end.
type CancelRequested struct{}

// Woken: it is as late as Wake said.
type Woken struct{}

func (Started) event()         {}
func (Given) event()           {}
func (Lacking) event()         {}
func (WorkerReady) event()     {}
func (WorkerRefused) event()   {}
func (WorkerLost) event()      {}
func (Reported) event()        {}
func (Lost) event()            {}
func (SourceEnded) event()     {}
func (CancelRequested) event() {}
func (Woken) event()           {}
