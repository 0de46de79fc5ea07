// Package view is what a running flott shows of itself: plain snapshots, and the interfaces that give them.
//
// Whoever looks (REST, metrics, health) knows the JobManager by these interfaces only, whether it is one of many processes or a
// value in the user's program. A snapshot belongs to the one who asked for it; what it points to does not change any more. Times
// are milliseconds since the epoch, 0 for never.
package view

import (
	"context"
	"errors"

	"github.com/flott-dev/flott/internal/id"
)

// A Source gives snapshots. Its methods may be called from any goroutine.
type Source interface {
	// Jobs is all jobs that are known, running and over, newest first, with what was measured last.
	Jobs(ctx context.Context) ([]*Job, error)
	// Job is one job with its newest metrics. The error is ErrUnknownJob if there is none, and comes soon if workers do not answer:
	// then metrics are the last ones that came.
	Job(ctx context.Context, job id.Job) (*Job, error)
	// Cancel asks for a job's end, without waiting for it: ErrUnknownJob, ErrJobOver.
	Cancel(ctx context.Context, job id.Job) error
	// TaskManagers is those that are connected, in the order in which they came.
	TaskManagers(ctx context.Context) ([]*TaskManager, error)
	// Happenings is what has happened lately and has a greater number, newest first.
	Happenings(after int64) []Happening
	// JobManager is the process that answers.
	JobManager() Process
	// TaskManager is the process of a TaskManager: ErrUnknownTaskManager.
	TaskManager(taskManager string) (Process, error)
	// Workers is the processes that run tasks of a job: each on a TaskManager, or the JobManager's own when that is embedded.
	Workers(ctx context.Context, job id.Job) ([]Process, error)
	// Config is the configuration of the JobManager, by key. Secrets are masked.
	Config() []Setting
	// Shutdown ends the cluster, after the answer to who asked for it.
	Shutdown()
}

// What can be wrong with a request.
var (
	ErrUnknownJob         = errors.New("no such job")
	ErrJobOver            = errors.New("the job is over")
	ErrUnknownTaskManager = errors.New("no such TaskManager")
	ErrUnknownFile        = errors.New("no such file")
	// ErrUnavailable: the process does not keep or give this.
	ErrUnavailable = errors.New("not available")
	// ErrNoAnswer: the process cannot be reached, or does not answer in time.
	ErrNoAnswer = errors.New("no answer")
)

// A Setting is one entry of a configuration.
type Setting struct {
	Key, Value string
	Origin     string // "default", "file NAME", "environment NAME", "flag", "job"
}
