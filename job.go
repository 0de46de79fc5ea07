package flott

import (
	"context"
	"time"

	"github.com/flott-dev/flott/internal/fault"
	"github.com/flott-dev/flott/internal/id"
)

// Execute runs the job and waits for its end: in this process, or on a cluster, when the process was told of one ("flott run"). It takes
// the program and leaves the environment empty.
//
// A program with mistakes is not run: the error is a *ProgramError. The error of a job that failed wraps that of the user's code
// (errors.Is; of another process only what it says), and is a *TaskError, which names the operator and the subtask; of a panic it has
// the value and the stack.
//
// Cancelling ctx cancels the job, and so do the signals SIGINT and SIGTERM, the first time; a second one ends the process. The
// error then is context.Canceled, or whatever ctx ended with (errors.Is). The result is what was counted until the end, also of a
// job that failed or was cancelled.
func (e *Environment) Execute(ctx context.Context, job string) (*Result, error) {
	j, err := e.start(ctx, job, attached)
	if err != nil {
		return nil, err
	}
	return j.Wait(context.WithoutCancel(ctx)) // a cancelled job has an end to wait for, too
}

// Start is Execute that does not wait for the end, Flink's detached mode. Cancelling ctx cancels the job, also later. As perhaps
// nobody calls Wait, a failure of the job is logged, too, by slog.Default() at level Error, with job, task and subtask.
//
// A job on a cluster goes on when the process that has submitted it ends. Neither ctx nor signals cancel it, but Job.Cancel does; its
// failure stands in the JobManager's log.
func (e *Environment) Start(ctx context.Context, job string) (*Job, error) {
	return e.start(ctx, job, loose)
}

func (e *Environment) start(ctx context.Context, job string, a attachment) (*Job, error) {
	defer e.take()
	return e.settings.role.start(ctx, e, job, a)
}

// A TaskError is why a task failed: which Operator in which Subtask ("(2/4)") of which Task, the Cause, and the Stack of a panic.
// The enumerator of a source belongs to no task and subtask; of it there is the Operator only.
type TaskError = fault.Failure

// A Job is a handle on a job that was started.
type Job struct {
	id      string
	running running
	over    chan struct{} // closed when result and err are there
	result  *Result
	err     error
}

// running is a job that was started, wherever it runs.
type running interface {
	// end waits for the end, and says what became of the job.
	end() (*Result, error)
	// cancel asks for the end. That a job is over already is no error.
	cancel(ctx context.Context) error
	metrics(ctx context.Context) ([]OperatorMetrics, error)
}

func newJob(job id.Job, r running) *Job {
	j := &Job{id: job.String(), running: r, over: make(chan struct{})}
	go j.await() // ends with the job, whose error it leaves in j
	return j
}

func (j *Job) await() {
	j.result, j.err = j.running.end()
	close(j.over)
}

// finished is a job that is over.
func finished(r *Result, err error) *Job {
	j := &Job{id: r.JobID, over: make(chan struct{}), result: r, err: err}
	close(j.over)
	return j
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
	if err := j.running.cancel(ctx); err != nil {
		return err
	}
	select {
	case <-j.over:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// A Result is what became of a job.
type Result struct {
	JobID     string // 32 hexadecimal digits
	RunTime   time.Duration
	Operators []OperatorMetrics // those of a chain together, in the order of the JobGraph
}
