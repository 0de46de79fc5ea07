package schedule

import "github.com/flott-dev/flott/internal/graph/execgraph"

// An Event is something that happened to a job.
type Event interface{ event() }

// Started: the job may run.
type Started struct{}

// Reported: a TaskManager says what became of an attempt. Reports may come late or twice, and one may be lost when a later one
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

// SourceFailed: the enumerator of a source failed, and without splits the job cannot go on.
type SourceFailed struct{ Cause error }

// CancelRequested: a user wants the job to end.
type CancelRequested struct{}

func (Started) event()         {}
func (Reported) event()        {}
func (Lost) event()            {}
func (SourceFailed) event()    {}
func (CancelRequested) event() {}
