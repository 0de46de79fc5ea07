package cluster

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"time"

	"github.com/flott-dev/flott/codec"
	"github.com/flott-dev/flott/internal/control/rpc"
	"github.com/flott-dev/flott/internal/control/transport"
	"github.com/flott-dev/flott/internal/control/worker"
	"github.com/flott-dev/flott/internal/data/network"
	"github.com/flott-dev/flott/internal/graph/execgraph"
	"github.com/flott-dev/flott/internal/graph/jobdoc"
	"github.com/flott-dev/flott/internal/graph/jobgraph"
)

// RunWorker runs tasks of a job in this process, as a worker of a cluster, until ctx ends or the JobManager is lost. Its TaskManager has
// told it the rest by variables. If the graph is another one than the client's, the JobManager is told so, and the error says what
// differs. A worker whose job is over is ended by its TaskManager. What is printed from now on is the job's.
func RunWorker(ctx context.Context, g *jobgraph.Graph, b *jobgraph.Binding, codecs *codec.Set, flushGap time.Duration) error {
	t, err := readTicket()
	if err != nil {
		return fmt.Errorf("this is no worker that a TaskManager has started: %w", err)
	}
	fmt.Println(os.Getenv("FLOTT_WORKER_MARK"))
	named := *g
	named.ID = t.header.Job
	if d := jobdoc.Difference(t.submitted, &named); d != "" {
		return t.refuse(ctx, d)
	}
	return t.work(ctx, &named, b, worker.Options{ID: t.worker, Logger: slog.Default(), FlushGap: flushGap, Codecs: codecs})
}

// refuse tells the JobManager that this is another program than the client's.
func (t *ticket) refuse(ctx context.Context, difference string) error {
	err := transport.DialWorker(ctx, t.dial, t.jobManager, func(_ context.Context, m rpc.JobManager) {
		m.Refused(rpc.WorkerRefusal{Header: t.header, Worker: t.worker, Difference: difference})
	})
	return errors.Join(fmt.Errorf("the program makes another graph than the client's: %s", difference), err)
}

// work runs tasks.
func (t *ticket) work(ctx context.Context, g *jobgraph.Graph, b *jobgraph.Binding, o worker.Options) error {
	graph, err := execgraph.From(g)
	if err != nil {
		return err
	}
	if o.Endpoint, err = network.Listen(t.data); err != nil {
		return err
	}
	err = transport.DialWorker(ctx, t.dial, t.jobManager, func(ctx context.Context, m rpc.JobManager) {
		w := worker.New(m, graph, b, o)
		m.Ready(rpc.WorkerReady{Header: t.header, Worker: t.worker, Data: o.Endpoint.Addr(), Pid: os.Getpid()}, w)
		<-ctx.Done()
		w.Release(t.header)
	})
	return errors.Join(err, o.Endpoint.Close())
}
