package view

import (
	"context"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"time"

	"github.com/flott-dev/flott/internal/id"
)

// A Hash is the SHA-256 of an executable.
type Hash [32]byte

// String is the hash in hexadecimal digits.
func (h Hash) String() string { return hex.EncodeToString(h[:]) }

// MarshalText is the hash as String has it.
func (h Hash) MarshalText() ([]byte, error) { return []byte(h.String()), nil }

// UnmarshalText reads what String wrote.
func (h *Hash) UnmarshalText(text []byte) error {
	raw, err := hex.DecodeString(string(text))
	if err != nil || len(raw) != len(h) {
		return fmt.Errorf("%q is no SHA-256: 64 hexadecimal digits", text)
	}
	copy(h[:], raw)
	return nil
}

// Blobs keeps executables by their contents.
type Blobs interface {
	// Has says how many bytes of a blob are there, and whether that is all of it.
	Has(ctx context.Context, h Hash) (have int64, complete bool, err error)
	// Put adds bytes to a blob, starting at an offset that is at most what is there. A blob becomes complete with its last byte, if its
	// contents have the hash.
	Put(ctx context.Context, h Hash, offset, size int64, bytes io.Reader) (have int64, err error)
}

// A Submission is a job that a client wants to run. Its form on the wire is the tags'.
type Submission struct {
	Job         id.Job          `json:"jobId,omitzero"`        // zero: the cluster chooses; else a second submission with the same id is the first one
	Graph       json.RawMessage `json:"graph"`                 // as package jobdoc writes it
	StreamGraph json.RawMessage `json:"streamGraph,omitempty"` // for people to look at
	Blob        Hash            `json:"blob"`
	Args        []string        `json:"args"`
	Env         []string        `json:"env"`
	// Earlier is what each job of the program before this one gave it, for the program only to read.
	Earlier  []json.RawMessage `json:"earlier,omitempty"`
	Version  string            `json:"version"`  // of flott that the client was built with, for people
	Protocol int               `json:"protocol"` // that the program will speak as a worker: rpc.Protocol
	Detached bool              `json:"detached"`
}

// A Refusal is an error that is the client's: what it sent cannot be run here.
type Refusal struct {
	Reason string
	// Conflict says that it would do without something that is there already, such as another job with the same id.
	Conflict bool
}

// Error is the reason.
func (r *Refusal) Error() string { return r.Reason }

// NotKept is the error about output that was dropped because there is so much of it.
type NotKept struct{ From int64 } // where what is kept begins

// Error says how much that is.
func (n *NotKept) Error() string {
	return fmt.Sprintf("the first %d bytes of the output are not kept any more", n.From)
}

// Client is what flott's own command line asks for, beyond Flink's REST interface.
type Client interface {
	Blobs
	// Submit starts a job. A *Refusal says why it cannot be.
	Submit(ctx context.Context, s Submission) (id.Job, error)
	// Output writes what the job prints, from a byte on, until it is over: ErrUnknownJob. If that, or what follows when writing is slow,
	// is not kept any more, it is a *NotKept.
	Output(ctx context.Context, job id.Job, from int64, to io.Writer) error
	// Result waits for the end of a job: ErrUnknownJob.
	Result(ctx context.Context, job id.Job) (*Result, error)
	// Progress is what a job has counted so far, and its state: ErrUnknownJob.
	Progress(ctx context.Context, job id.Job) (*Result, error)
}

// A Result is what became of a job. Its form on the wire is the tags'.
type Result struct {
	Job       id.Job           `json:"jobid"`
	Name      string           `json:"name"`
	State     JobState         `json:"state"`
	RunTime   int64            `json:"runTime"`         // milliseconds
	Error     string           `json:"error,omitempty"` // "": it did not fail and was not cancelled
	Failure   *TaskFailure     `json:"failure,omitempty"`
	Operators []OperatorResult `json:"operators"`
}

// A TaskFailure is whose fault the error of a result is; nil: that of no task.
type TaskFailure struct {
	Task     string `json:"task"`
	Operator string `json:"operator"`
	Subtask  string `json:"subtask"`
	Cause    string `json:"cause"`
	Stack    string `json:"stack,omitempty"` // of a panic
}

// An OperatorResult is what all subtasks of an operator have counted together, and the time that they have spent.
type OperatorResult struct {
	ID   id.Operator `json:"id"`
	Name string      `json:"name"`
	OperatorCounters
	// In nanoseconds.
	Busy          time.Duration `json:"busy"`
	Idle          time.Duration `json:"idle"`
	BackPressured time.Duration `json:"backPressured"`
}
