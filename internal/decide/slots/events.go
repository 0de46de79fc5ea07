package slots

import "github.com/flott-dev/flott/internal/id"

// An Event is something that happened to the cluster.
type Event interface{ event() }

// Joined: a TaskManager is there. One that comes back after it was lost has another name.
type Joined struct {
	TaskManager string
	Slots       int
	Memory      int64 // bytes, for all its workers together
}

// Heard: a heartbeat, with the workers of which something is left. Those that are older than one that came are not told.
type Heard struct {
	TaskManager string
	Workers     []WorkerID
}

// Left: a TaskManager is gone, with all that ran there.
type Left struct {
	TaskManager string
	Cause       error
}

// Requested: a job lacks these slots.
type Requested struct {
	Job    id.Job
	Wishes []Wish
}

// A Wish is a slot that a job needs.
type Wish struct {
	Slot int   // the job's number for it
	Near []int // the job's slots from which it would read locally
}

// Ended: a job is over, and needs nothing any more.
type Ended struct{ Job id.Job }

// Abandoned: a job does not want a worker any more, as it cannot be reached.
type Abandoned struct{ Worker WorkerID }

// Exited: nothing is left of a worker. It may come late or twice.
type Exited struct {
	Worker WorkerID
	Cause  error
}

// Woken: it is as late as Wake said.
type Woken struct{}

func (Joined) event()    {}
func (Heard) event()     {}
func (Left) event()      {}
func (Requested) event() {}
func (Ended) event()     {}
func (Abandoned) event() {}
func (Exited) event()    {}
func (Woken) event()     {}
