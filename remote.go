package flott

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"os"
	"sync/atomic"

	"github.com/flott-dev/flott/internal/control/client"
	"github.com/flott-dev/flott/internal/control/cluster"
	"github.com/flott-dev/flott/internal/control/view"
	"github.com/flott-dev/flott/internal/id"
)

// remote is a job that runs on a cluster.
type remote struct {
	cluster *client.Client
	job     id.Job
	stdout  io.Writer       // for what the job prints
	until   context.Context // when it ends, the job is cancelled
	release func()
	result  *view.Result // when the job is over
	log     *slog.Logger // of the job; nil: the JobManager in this process logs
	known   atomic.Bool  // job is, also to the goroutine that waits for signals
}

// submit sends the program, and then the job, whose id it has from then on.
func (r *remote) submit(s view.Submission) (err error) {
	if s.Blob, err = upload(r.until, r.cluster); err != nil {
		return err
	}
	r.job, err = r.cluster.Submit(context.WithoutCancel(r.until), s) // or nobody would know whether there is a job to cancel
	r.known.Store(err == nil)
	return err
}

// lastWord is said when a signal ends the process before it knows that the job is cancelled.
func (r *remote) lastWord() {
	if r.known.Load() {
		fmt.Fprintf(os.Stderr, "flott: job %s may go on; flott cancel %s ends it\n", r.job, r.job)
	}
}

func (r *remote) close() {
	r.release()
	r.cluster.Close()
}

func (r *remote) end() (*Result, error) {
	defer r.close()
	printed := make(chan error, 1)
	go func() { printed <- r.cluster.Output(context.Background(), r.job, r.stdout) }() // ends with the job
	stop := context.AfterFunc(r.until, func() {
		if err := r.cancel(context.Background()); err != nil {
			slog.Error("the job cannot be cancelled", "job_id", r.job.String(), "error", err)
		}
	})
	silence := r.follow()
	result, err := r.cluster.Result(context.Background(), r.job)
	silence()
	stop()
	errOutput := <-printed
	if err != nil {
		err = fmt.Errorf("flott: what becomes of job %s is not known: %w", r.job, err)
		r.result = &view.Result{Error: err.Error()}
		return nil, err
	}
	r.result = result
	return resultOf(result), errors.Join(r.errorOf(result), errOutput)
}

// follow logs what becomes of the job, until silence, which waits for that.
func (r *remote) follow() (silence func()) {
	if r.log == nil {
		return func() {}
	}
	ctx, cancel := context.WithCancel(context.Background())
	n, ended := &news{cluster: r.cluster, job: r.job, log: r.log}, make(chan struct{})
	go func() { // ends with silence; what goes wrong is logged
		defer close(ended)
		n.follow(ctx)
	}()
	return func() {
		cancel()
		<-ended
	}
}

// errorOf is the job's error. When the job was cancelled because a context ended, it wraps that context's error.
func (r *remote) errorOf(v *view.Result) error {
	if v.State == view.Canceled && r.until.Err() != nil {
		return fmt.Errorf("flott: job %q was cancelled: %w", v.Name, cluster.ReasonOf(r.until))
	}
	return errorOf(v)
}

func (r *remote) cancel(ctx context.Context) error {
	err := r.cluster.Cancel(ctx, r.job)
	var answer *client.Error
	if errors.As(err, &answer) && answer.Status == http.StatusConflict {
		return nil // it is over
	}
	return err
}

func (r *remote) metrics(ctx context.Context) ([]OperatorMetrics, error) {
	v, err := r.cluster.Progress(ctx, r.job)
	if err != nil {
		return nil, err
	}
	return resultOf(v).Operators, nil
}
