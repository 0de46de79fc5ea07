package view

import (
	"context"
	"encoding/json"
	"io"
	"time"

	"github.com/flott-dev/flott/internal/id"
)

// A Hash is the SHA-256 of an executable.
type Hash = [32]byte

// Blobs keeps executables by their contents.
type Blobs interface {
	// Has says how many bytes of a blob are there, and whether that is all of it.
	Has(ctx context.Context, h Hash) (have int64, complete bool, err error)
	// Put adds bytes to a blob, starting at an offset that is at most what is there. A blob becomes complete with its last byte, if its
	// contents have the hash.
	Put(ctx context.Context, h Hash, offset, size int64, bytes io.Reader) (have int64, err error)
}

// A Submission is a job that a client wants to run.
type Submission struct {
	Job         id.Job          // zero: the cluster chooses; else a second submission with the same id is the first one
	Graph       json.RawMessage // as package jobdoc writes it
	StreamGraph json.RawMessage // for people to look at; may be nil
	Blob        Hash
	Args, Env   []string
	Earlier     []json.RawMessage // what each job of the program before this one gave it, for the program only to read; null: it was not over
	Version     string            // of flott that the client was built with, for people
	Protocol    int               // that the program will speak as a worker: rpc.Protocol
	Detached    bool
}

// A Refusal is an error that is the client's: what it sent cannot be run here.
type Refusal struct {
	Reason string
	// Conflict says that it would do without something that is there already, such as another job with the same id.
	Conflict bool
}

// Error is the reason.
func (r *Refusal) Error() string { return r.Reason }

// Client is what flott's own command line asks for, beyond Flink's REST interface.
type Client interface {
	Blobs
	// Submit starts a job. A *Refusal says why it cannot be.
	Submit(ctx context.Context, s Submission) (id.Job, error)
	// Output writes what the job prints, from its beginning, until it is over: ErrUnknownJob.
	Output(ctx context.Context, job id.Job, to io.Writer) error
	// Result waits for the end of a job: ErrUnknownJob.
	Result(ctx context.Context, job id.Job) (*Result, error)
}

// A Result is what became of a job.
type Result struct {
	Job       id.Job
	Name      string
	State     JobState
	RunTime   int64  // milliseconds
	Error     string // "": it did not fail and was not cancelled
	Failure   *TaskFailure
	Operators []OperatorResult
}

// A TaskFailure is whose fault the error of a result is; nil: that of no task.
type TaskFailure struct {
	Task, Operator, Subtask string
	Cause                   string
	Stack                   string // of a panic
}

// An OperatorResult is what all subtasks of an operator have counted together, and the time that they have spent.
type OperatorResult struct {
	ID   id.Operator
	Name string
	OperatorCounters
	Busy, Idle, BackPressured time.Duration
}
