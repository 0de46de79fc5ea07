package slots

import "github.com/flott-dev/flott/internal/id"

// An Effect is something that has to be done.
type Effect interface{ effect() }

// A Place is where the tasks of a job's slot run.
type Place struct {
	TaskManager string
	Slot        int // of the TaskManager
	Worker      WorkerID
}

// A Grant is a slot that a job has got.
type Grant struct {
	Slot int // the job's number for it
	Place
}

// Give tells a job that its wishes are fulfilled. The workers may not be there yet.
type Give struct {
	Job    id.Job
	Grants []Grant
}

// Lack tells a job that so few slots are free, which is not enough for it, and how many there are.
type Lack struct {
	Job                       id.Job
	Free, TaskManagers, Slots int
}

// Lose tells a job that a worker is gone.
type Lose struct {
	Job    id.Job
	Worker WorkerID
	Cause  error
}

// Cut tells a job that one of its workers that were being ended is gone with its TaskManager. Its tasks are over, but nobody knows whether
// all that it has printed has come.
type Cut struct {
	Job    id.Job
	Worker WorkerID
	Cause  error
}

// Drop lets a TaskManager go: it has left, or was silent for too long.
type Drop struct {
	TaskManager string
	Cause       error
}

// Start starts a worker, or tells one that runs that it may use so much. It may come twice.
type Start struct {
	TaskManager string
	Worker      WorkerID
	Job         id.Job
	Slots       int
	Memory      int64 // bytes
}

// Stop ends a worker. It may come twice.
type Stop struct {
	TaskManager string
	Worker      WorkerID
	Job         id.Job // zero: of a worker that nobody knows
}

// Wake asks for Woken at a time, in place of what was asked before; 0: not any more.
type Wake struct{ At int64 }

func (Give) effect()  {}
func (Lack) effect()  {}
func (Lose) effect()  {}
func (Cut) effect()   {}
func (Drop) effect()  {}
func (Start) effect() {}
func (Stop) effect()  {}
func (Wake) effect()  {}
