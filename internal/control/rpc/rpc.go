// Package rpc is all that a JobManager and a TaskManager say to each other: plain messages, and an interface for either side to
// receive them. They know of each other by this package only, in one process too.
//
// Sending is one way. It fails silently, does not wait for the receiver to act, and may be done from any goroutine; messages of one
// sender to one receiver keep their order. In one process a message is a function call that puts it into the receiver's inbox.
// Across processes it may be lost, late or doubled, and so each message names its job and attempt and carries a fencing token.
package rpc

import (
	"time"

	"github.com/flott-dev/flott/connector"
	"github.com/flott-dev/flott/internal/decide/schedule"
	"github.com/flott-dev/flott/internal/graph/execgraph"
	"github.com/flott-dev/flott/internal/graph/taskplan"
	"github.com/flott-dev/flott/internal/id"
)

// A Token is a fencing token: the number of the leadership under which a job is run. It grows with each new leader, and a message
// with an older one than the receiver has seen is void.
type Token int64

// A Header says what a message is about.
type Header struct {
	Job   id.Job
	Token Token
}

// A TaskManager runs the tasks of jobs.
type TaskManager interface {
	Deploy(Deployment)
	Cancel(Cancellation)
	Assign(Assignment)
	Measure(MetricsRequest)
	Release(Header) // the job is over: nothing of it may be left
}

// A JobManager is told how the tasks of its jobs fare.
type JobManager interface {
	Report(Report)
	ReportMetrics(MetricsReport)
	RequestSplits(SplitRequest)
}

// A Deployment is tasks to run. None may send before all of them can receive.
type Deployment struct {
	Header
	Tasks []*taskplan.Plan
}

// AttemptOf is the attempt that a plan is for.
func AttemptOf(p *taskplan.Plan) schedule.Attempt {
	return schedule.Attempt{Subtask: execgraph.Subtask{Vertex: p.Index, Index: p.Subtask}, Number: p.Attempt}
}

// A Cancellation is tasks to end. Each will be reported as ended.
type Cancellation struct {
	Header
	Attempts []schedule.Attempt
}

// A Report says that a task has come into a new state. The last one of an attempt, with a state that is terminal, comes with its
// metrics, and is the last that the task does.
type Report struct {
	Header
	Attempt schedule.Attempt
	State   execgraph.State
	Cause   error // of Failed; a *watch.Stuck when the task does not end, is given up, and may run on
	Metrics TaskMetrics
}

// A MetricsRequest asks for the metrics of a job's tasks while they run. It is answered with one MetricsReport.
type MetricsRequest struct {
	Header
	Number int // of the JobManager's requests, from 1
}

// A MetricsReport answers a MetricsRequest. Tasks that have ended are not in it: what they counted came with their last Report.
type MetricsReport struct {
	MetricsRequest
	Tasks []AttemptMetrics
}

// AttemptMetrics is what the task of an attempt has counted so far.
type AttemptMetrics struct {
	Attempt schedule.Attempt
	TaskMetrics
}

// TaskMetrics is what a task has counted.
type TaskMetrics struct {
	Times
	Operators []Counters // by index in the chain
}

// Times is how a task has spent its time: with work, without any, or waiting for room in its outputs.
type Times struct{ Busy, Idle, BackPressured time.Duration }

// Counters is what one operator of a task has counted, and how far its event time has come.
type Counters struct {
	RecordsIn, RecordsOut, LateRecords int64
	Watermark                          int64 // math.MinInt64: none yet
}

// A SplitRequest is a reader that has come to the end of its splits and asks the enumerator for more. It is answered with one
// Assignment, sooner or later.
type SplitRequest struct {
	Header
	Attempt  schedule.Attempt
	Operator id.Operator // the source
	Number   int         // of the reader's requests, from 1
}

// An Assignment answers a SplitRequest: with splits, or with the word that no more will come for this reader.
type Assignment struct {
	SplitRequest
	Splits []connector.Split
	Done   bool
}
