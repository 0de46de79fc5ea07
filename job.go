package flott

import (
	"context"
	"errors"
	"time"

	"github.com/flott-dev/flott/internal/control/cluster"
	"github.com/flott-dev/flott/internal/fault"
	"github.com/flott-dev/flott/internal/graph/jobgraph"
	"github.com/flott-dev/flott/internal/graph/text"
)

// Execute runs the job in this process and waits for its end. It takes the program and leaves the environment empty.
//
// A program with mistakes is not run: the error is a *ProgramError. The error of a job that failed wraps that of the user's code
// (errors.Is), and is a *TaskError, which names the operator and the subtask; of a panic it has the value and the stack.
//
// Cancelling ctx cancels the job, and so do the signals SIGINT and SIGTERM, the first time; a second one ends the process. The
// error then is context.Canceled, or whatever ctx ended with (errors.Is). The result is what was counted until the end, also of a
// job that failed or was cancelled.
func (e *Environment) Execute(ctx context.Context, job string) (*Result, error) {
	j, err := e.start(ctx, job, cluster.Options{})
	if err != nil {
		return nil, err
	}
	return j.Wait(context.WithoutCancel(ctx)) // a cancelled job has an end to wait for, too
}

// Start is Execute that does not wait for the end, Flink's detached mode. Cancelling ctx cancels the job, also later. As perhaps
// nobody calls Wait, a failure of the job is logged, too, by slog.Default() at level Error, with job, task and subtask.
func (e *Environment) Start(ctx context.Context, job string) (*Job, error) {
	return e.start(ctx, job, cluster.Options{Detached: true})
}

func (e *Environment) start(ctx context.Context, job string, o cluster.Options) (*Job, error) {
	defer e.take()
	if e.settings.role == planning {
		return e.show(job)
	}
	g, err := e.compile(job)
	if err != nil {
		return nil, err
	}
	binding, err := jobgraph.Bind(g.stream, g.job)
	if err != nil {
		return nil, err
	}
	look, err := e.listen()
	if err != nil {
		return nil, err
	}
	if look != nil {
		o.StreamGraph = text.StreamDocumentJSON(g.stream, g.job)
	}
	ctx, release := cancelledBySignals(ctx)
	o.FlushGap = e.settings.flushGap
	running, err := cluster.Start(ctx, g.job, binding, o)
	if err != nil {
		release()
		return nil, errors.Join(err, look.close())
	}
	j := &Job{id: running.ID().String(), running: running, over: make(chan struct{})}
	served := look.serve(running)
	go j.await(func() { release(); served() }) // ends with the job, whose error it leaves in j
	return j, nil
}

// A TaskError is why a task failed: which Operator in which Subtask ("(2/4)") of which Task, the Cause, and the Stack of a panic.
// The enumerator of a source belongs to no task and subtask; of it there is the Operator only.
type TaskError = fault.Failure

// A Job is a handle on a job that was started.
type Job struct {
	id      string
	running *cluster.Job
	over    chan struct{} // closed when result and err are there
	result  *Result
	err     error
}

// ID is the job's id, 32 hexadecimal digits.
func (j *Job) ID() string { return j.id }

// Wait waits for the end of the job, and returns what Execute would. It also ends with ctx, which does not cancel the job.
func (j *Job) Wait(ctx context.Context) (*Result, error) {
	select {
	case <-j.over:
		return j.result, j.err
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

// Cancel cancels the job, and waits for its end or that of ctx. A job that is over already is left alone.
func (j *Job) Cancel(ctx context.Context) error {
	select {
	case <-j.over:
		return nil
	default:
	}
	if err := j.running.Cancel(ctx); err != nil {
		return err
	}
	<-j.over // soon
	return nil
}

// await waits for the end of the job.
func (j *Job) await(release func()) {
	r, err := j.running.Wait(context.Background())
	release()
	j.result, j.err = resultOf(r), err
	close(j.over)
}

// A Result is what became of a job.
type Result struct {
	JobID     string // 32 hexadecimal digits
	RunTime   time.Duration
	Operators []OperatorMetrics // those of a chain together, in the order of the JobGraph
}

func resultOf(r *cluster.Result) *Result {
	return &Result{JobID: r.Job.String(), RunTime: r.RunTime, Operators: metricsOf(r.Operators)}
}
