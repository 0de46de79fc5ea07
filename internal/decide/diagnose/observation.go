package diagnose

import "time"

// An Observation is a job at one moment. Times are milliseconds since the epoch.
type Observation struct {
	At       int64
	State    State
	Waiting  string            // what the job waits for before it can run; "": nothing
	Failures []Failure         // that it restarted after, or has ended with, newest first
	Earlier  bool              // there were more failures, that are not remembered
	Vertices []Vertex          // producers before consumers
	Memory   map[string]Memory // of the TaskManagers that run its tasks
}

// State is what a job is about, as far as it matters here.
type State uint8

// The states.
const (
	Beginning State = iota // it has tasks that do not run yet
	Running                // all tasks are to run
	Restarting
	Ending
	HasFailed
	HasEnded // otherwise
)

// A Failure is one that the job has started again after, or failed with.
type Failure struct {
	At    int64
	Cause string
	Where *Place // nil: no task's
}

// A Vertex is the tasks of one vertex.
type Vertex struct {
	Name           string
	Inputs         []Input // none: it is a source
	MaxParallelism int
	Tasks          []Task // by subtask
}

// An Input is an edge from another vertex.
type Input struct {
	Producer    int    // vertex
	Partitioner string // by Flink's name: "HASH"
}

// Phase is what a task is about.
type Phase uint8

// The phases.
const (
	Coming Phase = iota
	Active
	Gone
)

// A Task is what one attempt has done since it started.
type Task struct {
	Attempt                   int
	Phase                     Phase
	At                        int64 // when the rest was measured; 0: never
	Records                   int64 // read and written by its operators
	Read                      int64 // from other tasks
	Watermark                 int64 // None: none yet
	Busy, Idle, BackPressured time.Duration
	Inputs                    []InputTime // by gate
	Time                      *SourceTime // nil: no operator of it makes watermarks
	Keys                      KeyShare
}

// An InputTime is how far event time has come at one input of a task, and the task that holds it back there.
type InputTime struct {
	Watermark       int64
	Held            bool // false: nobody holds it, as all that feed it are idle or over
	Vertex, Subtask int
}

// A SourceTime is how far the watermark is that a task makes, and which of its splits holds it back. Times are in milliseconds.
type SourceTime struct {
	Free      bool   // nobody holds it: all is idle, or over
	NoSplit   bool   // it is held for a split that has not come yet
	Split     string // that holds it; "": there are no splits
	Watermark int64  // of that split
	Silent    int64  // how long it had no record
	Furthest  int64  // watermark of the split that is furthest ahead
	IdleAfter int64  // after how long a silence it is not waited for; 0: it always is
}

// A KeyShare is the key group that has most of the records that a task reads, and at least how many of a thousand; 0: nobody knows.
type KeyShare struct{ Group, Share int }

// active says that there is such a task, and that it runs.
func (o *Observation) active(at Place) bool {
	return at.Vertex < len(o.Vertices) && at.Subtask < len(o.Vertices[at.Vertex].Tasks) && o.Vertices[at.Vertex].Tasks[at.Subtask].Phase == Active
}

// consumers is which vertices read from each.
func (o *Observation) consumers() [][]int {
	all := make([][]int, len(o.Vertices))
	for v := range o.Vertices {
		for _, in := range o.Vertices[v].Inputs {
			all[in.Producer] = append(all[in.Producer], v)
		}
	}
	return all
}
