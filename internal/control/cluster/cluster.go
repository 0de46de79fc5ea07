// Package cluster puts JobManager, TaskManagers and workers together, in one of two ways.
//
// Embedded (Start): JobManager and worker are values in the user's program. They send each other the same messages as processes of
// their own, but by function call; no socket or file is opened, unless somebody wants to look at the job.
//
// As processes (RunJobManager, RunTaskManager, RunWorker): each is the main of one, made from the settings of package config.
//
//	client --- REST ---> JobManager <--- RPC --- TaskManager      registers, starts workers, sends heartbeats
//	                     front, session          |    ^
//	                          ^  ^               |    +--- GET /flott/blobs/HASH, from the JobManager's REST port
//	                          |  |               v
//	                          |  +---- RPC ---- worker <--- records ---> worker
//	                          +------- RPC ------------------------------+
package cluster

import (
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"time"

	"github.com/flott-dev/flott/internal/control/jobmanager"
	"github.com/flott-dev/flott/internal/control/logbook"
	"github.com/flott-dev/flott/internal/control/rpc"
	"github.com/flott-dev/flott/internal/control/worker"
	"github.com/flott-dev/flott/internal/graph/execgraph"
	"github.com/flott-dev/flott/internal/graph/jobgraph"
	"github.com/flott-dev/flott/internal/id"
)

// Options are the settings of an embedded job.
type Options struct {
	Job      id.Job       // zero: a random one
	Logger   *slog.Logger // nil: slog.Default()
	Detached bool         // perhaps nobody waits for the job: if it fails, the log has the error
	// StreamGraph is for people to look at, as package text writes it; nil: nobody will.
	StreamGraph json.RawMessage
	FlushGap    time.Duration // the least time between two flushes of an output because its task has nothing else to do
}

// A Job is a handle on a job that was started.
type Job struct {
	id         id.Job
	master     *jobmanager.JobMaster
	dispatcher *jobmanager.Dispatcher
	book       *logbook.Book // what is logged of it
}

// A Result is what became of a job.
type Result = jobmanager.Result

// OperatorMetrics is what all subtasks of an operator have counted together.
type OperatorMetrics = jobmanager.OperatorMetrics

// onlyLeader is the fencing token of a JobManager that nobody can replace.
const onlyLeader rpc.Token = 1

// Start runs a job. When ctx ends, the job is cancelled; its error then wraps ctx's.
func Start(ctx context.Context, g *jobgraph.Graph, program *jobgraph.Binding, o Options) (*Job, error) {
	o = o.withDefaults()
	book := logbook.New()
	o.Logger = slog.New(slog.NewMultiHandler(o.Logger.Handler(), book.Handler()))
	s, err := submission(g, o)
	if err != nil {
		return nil, err
	}
	dispatcher := jobmanager.New(jobmanager.Options{Token: onlyLeader, Logger: o.Logger})
	s.Worker = worker.New(dispatcher, s.Graph, program, worker.Options{ID: rpc.Local, Logger: o.Logger, FlushGap: o.FlushGap})
	master, err := dispatcher.Submit(s)
	if err != nil {
		return nil, err
	}
	go cancelWith(ctx, master) // ends with the job
	return &Job{o.Job, master, dispatcher, book}, nil
}

func (o Options) withDefaults() Options {
	if o.Job == (id.Job{}) {
		rand.Read(o.Job[:])
	}
	if o.Logger == nil {
		o.Logger = slog.Default()
	}
	return o
}

// submission lays out a job, whose graph stays as it is, under its id.
func submission(g *jobgraph.Graph, o Options) (s jobmanager.Submission, err error) {
	named := *g
	named.ID = o.Job
	if s.Graph, err = execgraph.From(&named); err != nil {
		return s, err
	}
	s.Settings.Detached = o.Detached
	s.StreamGraph = o.StreamGraph
	return s, nil
}

func cancelWith(ctx context.Context, master *jobmanager.JobMaster) {
	select {
	case <-ctx.Done():
		master.Cancel(ReasonOf(ctx))
	case <-master.Done():
	}
}

// ReasonOf is the error of a context that has ended, and why it was cancelled, if somebody said.
func ReasonOf(ctx context.Context) error {
	if cause := context.Cause(ctx); !errors.Is(cause, ctx.Err()) {
		return fmt.Errorf("%w: %w", ctx.Err(), cause)
	}
	return ctx.Err()
}

// ID is the job's id.
func (j *Job) ID() id.Job { return j.id }

// Wait waits for the end of the job, or of ctx, which does not cancel the job. The error is the job's:
//
//   - of a failed job the first failure, which wraps the error of user code;
//   - of a cancelled one the reason (an error that is context.Canceled, or the error of the context that was given to Start);
//   - with a *watch.Stuck for each call of user code that did not return. The job is over all the same, but the call goes on.
//
// The result is there in any case: what was counted until then.
func (j *Job) Wait(ctx context.Context) (*Result, error) {
	select {
	case <-j.master.Done():
		r, err := j.master.Result()
		return &r, err
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

// Metrics are those of the operators at this moment, or at the end of the job.
func (j *Job) Metrics(ctx context.Context) ([]OperatorMetrics, error) { return j.master.Metrics(ctx) }

// Cancel cancels the job and waits for its end, or that of ctx.
func (j *Job) Cancel(ctx context.Context) error {
	j.master.Cancel(context.Canceled)
	select {
	case <-j.master.Done():
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}
