// Package rpc is all that the processes of a cluster say to each other: plain messages, and an interface for each side to receive
// them. They know of each other by this package only, in one process too.
//
//	  Worker <------------------ JobManager (Dispatcher, JobMasters)
//	  runs the tasks of one job    |   ^
//	     |                         |   |
//	     +-- Report, splits -------|---+
//	                               v
//	TaskManager <--------------- ResourceManager
//	starts workers               knows slots, hears heartbeats
//
// Sending is one way. It fails silently, does not wait for the receiver to act, and may be done from any goroutine; messages of one
// sender to one receiver keep their order. In one process a message is a function call that puts it into the receiver's inbox.
// Across processes it may be lost, late or doubled, and so each message names its job and attempt and carries a fencing token.
//
// Who receives (JobManager, ResourceManager) is given with the first message of a sender what it can answer by. Across processes both
// are stand-ins, and the message opens the connection.
package rpc

import (
	"github.com/flott-dev/flott/internal/decide/schedule"
	"github.com/flott-dev/flott/internal/decide/slots"
	"github.com/flott-dev/flott/internal/graph/execgraph"
	"github.com/flott-dev/flott/internal/graph/taskplan"
	"github.com/flott-dev/flott/internal/id"
)

// Protocol is the number of what the processes of this build say to each other. It changes when builds before and after could not
// understand each other.
const Protocol = 1

// A Token is a fencing token: the number of the leadership under which a job is run. It grows with each new leader, and a message
// with an older one than the receiver has seen is void.
type Token int64

// A Header says what a message is about.
type Header struct {
	Job   id.Job
	Token Token
}

// A WorkerID names a worker: one process that runs tasks of one job. The JobManager makes it up, and no two workers ever have the
// same. Who wants to know of which TaskManager and job it is must ask elsewhere.
type WorkerID = slots.WorkerID

// Local is the worker of a job that is embedded.
const Local WorkerID = "local"

// AttemptOf is the attempt that a plan is for.
func AttemptOf(p *taskplan.Plan) schedule.Attempt {
	return schedule.Attempt{Subtask: execgraph.Subtask{Vertex: p.Index, Index: p.Subtask}, Number: p.Attempt}
}
