package flott

import (
	"context"
	"errors"
	"runtime"

	"github.com/flott-dev/flott/internal/control/cluster"
	"github.com/flott-dev/flott/internal/graph/text"
)

// embedded is the role of a process that runs its jobs itself.
type embedded struct{}

func (s *settings) asEmbedded() role {
	s.config.Parallelism = runtime.GOMAXPROCS(0)
	return embedded{}
}

func (embedded) start(ctx context.Context, e *Environment, job string, a attachment) (*Job, error) {
	g, binding, err := e.compileToRun(job)
	if err != nil {
		return nil, err
	}
	look, err := e.listen()
	if err != nil {
		return nil, err
	}
	o := cluster.Options{Detached: a == loose, FlushGap: e.settings.flushGap}
	if look != nil {
		o.StreamGraph = text.StreamDocumentJSON(g.stream, g.job)
	}
	ctx, release := cancelledBySignals(ctx, func() {})
	started, err := cluster.Start(ctx, g.job, binding, o)
	if err != nil {
		release()
		return nil, errors.Join(err, look.close())
	}
	served := look.serve(started)
	return newJob(started.ID(), &local{started, func() { release(); served() }}), nil
}

// local is a job that runs in this process.
type local struct {
	job     *cluster.Job
	release func() // what it had taken
}

func (l *local) end() (*Result, error) {
	r, err := l.job.Wait(context.Background())
	l.release()
	return &Result{JobID: r.Job.String(), RunTime: r.RunTime, Operators: metricsOf(r.Operators)}, err
}

func (l *local) cancel(ctx context.Context) error { return l.job.Cancel(ctx) }

func (l *local) metrics(ctx context.Context) ([]OperatorMetrics, error) {
	all, err := l.job.Metrics(ctx)
	return metricsOf(all), err
}
