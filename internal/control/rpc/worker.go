package rpc

import (
	"github.com/flott-dev/flott/connector"
	"github.com/flott-dev/flott/internal/decide/schedule"
	"github.com/flott-dev/flott/internal/graph/execgraph"
	"github.com/flott-dev/flott/internal/id"
)

// A Worker runs tasks of one job, and enumerators of its sources.
type Worker interface {
	Deploy(Deployment)
	Cancel(Cancellation)
	// NextSplits asks an enumerator that this worker hosts for splits. The answer is Assigned.
	NextSplits(SplitRequest)
	// Assign gives a reader of this worker what an enumerator, perhaps of another worker, had for it.
	Assign(Assignment)
	// Inquire asks how attempts fare. Each is answered with a Report; one that is not known, with that of a failure, and it will never
	// run here. So what was lost on the way is found out.
	Inquire(Inquiry)
	Measure(MetricsRequest)
	// Release: the job is over, nothing of it may be left.
	Release(Header)
}

// A JobManager is told how the tasks of its jobs fare.
type JobManager interface {
	// Ready: the graph of a worker has matched, and tasks can be deployed to it by w.
	Ready(r WorkerReady, w Worker)
	Refused(WorkerRefusal)
	// Disconnected: the connection to a worker that was ready has closed. Its tasks are lost.
	Disconnected(WorkerLoss)

	Report(Report)
	ReportMetrics(MetricsReport)
	// RequestSplits is passed on to the worker that hosts the enumerator, and Assigned back to the one that asked.
	RequestSplits(SplitRequest)
	Assigned(Assignment)
	SourceEnded(SourceEnd)
}

// A Deployment is tasks to run. None may send before all of them, those of other workers too, can receive: as long as its receiver
// is not there, what is sent waits.
type Deployment struct {
	Header
	Attempts    []schedule.Attempt // that this worker is to run
	Placement   Placement          // of all subtasks of the job
	Enumerators []Enumerator       // that this worker is to start
}

// A Placement says where each subtask runs, and as which attempt.
type Placement struct {
	Workers []WorkerAddress
	Of      [][]uint16 // by vertex and subtask: index in Workers
	Attempt [][]uint32 // by vertex and subtask
}

// A WorkerAddress says where a worker takes data connections.
type WorkerAddress struct {
	ID   WorkerID
	Host string
	Data string // "unix:PATH" or "tcp:HOST:PORT"; "": it has none, there is no other worker
}

// An Enumerator is one life of the enumerator of a source.
type Enumerator = schedule.Enumerator

// A Cancellation is tasks and enumerators to end. Each will be reported as ended.
type Cancellation struct {
	Header
	Attempts    []schedule.Attempt
	Enumerators []Enumerator
}

// An Inquiry is about attempts and enumerators that were deployed to this worker and of whom no end was heard.
type Inquiry struct {
	Header
	Attempts    []schedule.Attempt
	Enumerators []Enumerator
}

// A WorkerReady says that a worker can run tasks.
type WorkerReady struct {
	Header
	Worker WorkerID
	Data   string // see WorkerAddress
	Pid    int
}

// A WorkerRefusal is a worker that cannot run its job, because its program is another one than the client's.
type WorkerRefusal struct {
	Header
	Worker     WorkerID
	Difference string // in words
}

// A WorkerLoss is a worker that cannot be reached any more.
type WorkerLoss struct {
	Header
	Worker WorkerID
	Cause  error
	Closed bool // its side has closed the connection, as that of a process that ends; else nothing was heard for too long
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

// A SourceEnd says that an enumerator has ended: as it was told to, or because it failed, or because it does not return and is given
// up. It is the last that the enumerator says.
type SourceEnd struct {
	Header
	Enumerator
	Cause error // nil: it was told to; a *watch.Stuck when it is given up
}
