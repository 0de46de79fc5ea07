package view

import (
	"encoding/json"
	"time"

	"github.com/flott-dev/flott/internal/graph/execgraph"
	"github.com/flott-dev/flott/internal/graph/jobgraph"
	"github.com/flott-dev/flott/internal/id"
)

// A Job is a job at one moment.
type Job struct {
	ID    id.Job
	Graph *jobgraph.Graph // as it was submitted; never changes
	// StreamGraph is the stream graph as text.StreamGraphJSON makes it, where it is still known: at submission. nil: it is not known.
	StreamGraph json.RawMessage
	State       JobState
	Entered     map[JobState]int64 // when the job entered each state last; a state that it has not been in may be missing
	Vertices    []Vertex           // in the order of the graph's
	Failures    Failures
	Restarts    int
	// Waiting says in words what the job waits for before it can run, such as which slots; "": nothing.
	Waiting  string
	Settings JobSettings
}

// SourcesAgain is said of a job that starts again, as it has no checkpoints.
const SourcesAgain = "without checkpoints sources start again from their beginning"

// JobSettings is what a program said about how it is to be run.
type JobSettings struct {
	RestartStrategy string // as a sentence
	Parallelism     int    // of operators that say nothing
	Parameters      map[string]string
	Detached        bool
}

// A JobState is how far a job has got, by Flink's name.
type JobState string

// The states. RECONCILING and SUSPENDED are Flink's; no job of flott is ever in one.
const (
	Initializing JobState = "INITIALIZING" // submitted, and its master is not there yet
	Created      JobState = "CREATED"      // waits for slots
	Running      JobState = "RUNNING"
	Failing      JobState = "FAILING"
	Failed       JobState = "FAILED"
	Cancelling   JobState = "CANCELLING"
	Canceled     JobState = "CANCELED"
	Finished     JobState = "FINISHED"
	Restarting   JobState = "RESTARTING"
	Suspended    JobState = "SUSPENDED"
	Reconciling  JobState = "RECONCILING"
)

// JobStates is all of them, in Flink's order.
var JobStates = [...]JobState{Initializing, Created, Running, Failing, Failed, Cancelling, Canceled, Finished, Restarting, Suspended, Reconciling}

// Terminal says that the job is over.
func (s JobState) Terminal() bool { return s == Failed || s == Canceled || s == Finished }

// Start is when the job was submitted.
func (j *Job) Start() int64 {
	if at := j.Entered[Initializing]; at != 0 {
		return at
	}
	return j.Entered[Created]
}

// End is when the job was over; 0: it is not.
func (j *Job) End() int64 {
	if !j.State.Terminal() {
		return 0
	}
	return j.Entered[j.State]
}

// A Vertex is the subtasks of one vertex.
type Vertex struct {
	Parallelism    int
	MaxParallelism int
	Subtasks       []Subtask
}

// A Subtask is the attempts to run a subtask, oldest first: at least one, the current. Very old ones may have been forgotten.
type Subtask struct{ Attempts []Attempt }

// Current is the newest attempt.
func (s *Subtask) Current() *Attempt { return &s.Attempts[len(s.Attempts)-1] }

// Attempt is an attempt by its number; nil: it is not known.
func (s *Subtask) Attempt(number int) *Attempt {
	for i := range s.Attempts {
		if s.Attempts[i].Execution.Attempt == number {
			return &s.Attempts[i]
		}
	}
	return nil
}

// An Attempt is an attempt to run a subtask: which one, how far it has got and when, where it runs, and what it has done.
type Attempt struct {
	execgraph.Execution
	Location
	Metrics *TaskMetrics // nil: none have come yet
}

// A Location is where an attempt runs. It is zero before there is a slot.
type Location struct {
	TaskManager string // id
	Host        string
	DataPort    int // 0: there is none, everything is in one process
	Slot        int // of the TaskManager, from 0
}

// TaskMetrics is what a task has done since it started.
type TaskMetrics struct {
	At                        int64 // when they were taken
	Busy, Idle, BackPressured time.Duration
	BytesIn, BytesOut         int64              // between this task and others
	Operators                 []OperatorCounters // by index in the chain
	Inputs                    []InputTime        // by gate
	Time                      *EventTime         // of the last operator in the chain that makes watermarks; nil: none does
	Keys                      KeyShare
}

// An InputTime is how far event time has come at one input of a task, and the task that holds it back there.
type InputTime struct {
	Watermark       int64 // math.MinInt64: none yet
	Held            bool  // false: nobody holds it, as all that feed it are idle or over
	Vertex, Subtask int   // of the task that does
}

// An EventTime is how far the watermark is that an operator makes, and which of its splits holds it back. Times are in milliseconds.
type EventTime struct {
	Free      bool   // nobody holds it: all is idle, or over
	NoSplit   bool   // it is held for a split that has not come yet
	Split     string // that holds it; "": the operator has none
	Watermark int64  // of that split; math.MinInt64: none yet
	Silent    int64  // how long it had no record
	Furthest  int64  // watermark of the split that is furthest ahead
	IdleAfter int64  // after how long a silence it is not waited for; 0: it always is
}

// A KeyShare is the key group that has most of the records that a task reads, and at least how many of a thousand. 0: nothing is known.
type KeyShare struct{ Group, Share int }

// OperatorCounters is what one operator of a task has counted, and how far its event time has come.
type OperatorCounters struct {
	RecordsIn   int64 `json:"recordsIn"`
	RecordsOut  int64 `json:"recordsOut"`
	LateRecords int64 `json:"lateRecords"`
	Watermark   int64 `json:"watermark"` // math.MinInt64: none yet
}

// Failures is the newest failures of a job, newest first.
type Failures struct {
	Newest    []Failure
	Truncated bool // there were more
}

// A Failure is something that went wrong.
type Failure struct {
	At         int64
	Name       string // see fault.Name: "*errors.errorString", "panic", "worker lost"
	Text       string // the error, then the stack of user code if there is one
	Task       string // "NAME (1/4) - execution #2"; "": no task has failed
	Operator   string // the one at work; "": none was, or nobody knows
	Tasks      int    // how many failed with this one's cause: more than one when it was their worker's
	Labels     map[string]string
	Concurrent []Failure // what failed with it, oldest first, up to a bound
	// Attempt and Location say whose failure it was, if a task's.
	Vertex, Subtask, Attempt int
	Location
	Restart *Restart // nil: nothing starts again because of it
}

// A Restart is what a job does about a failure. Times are 0 until it is so far.
type Restart struct {
	Subtasks int   // that start again
	Vertices []int // of those
	Due      int64 // when the restart strategy lets them
	Deployed int64
	Running  int64 // when all tasks of the job ran again, or had finished
}
