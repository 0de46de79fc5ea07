package cluster

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"github.com/flott-dev/flott/codec"
	"github.com/flott-dev/flott/internal/config"
	"github.com/flott-dev/flott/internal/control/process"
	"github.com/flott-dev/flott/internal/control/rpc"
	"github.com/flott-dev/flott/internal/control/security"
	"github.com/flott-dev/flott/internal/control/transport"
	"github.com/flott-dev/flott/internal/control/worker"
	"github.com/flott-dev/flott/internal/data/network"
	"github.com/flott-dev/flott/internal/graph/execgraph"
	"github.com/flott-dev/flott/internal/graph/jobdoc"
	"github.com/flott-dev/flott/internal/graph/jobgraph"
	"github.com/flott-dev/flott/internal/id"
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
	graph, err := execgraph.From(&named)
	if err != nil {
		return err
	}
	data, err := network.Listen(t.data)
	if err != nil {
		return err
	}
	difference := jobdoc.Difference(t.submitted, &named)
	err = transport.DialWorker(ctx, t.dial, t.jobManager, func(ctx context.Context, m rpc.JobManager) {
		if difference != "" {
			m.Refused(rpc.WorkerRefusal{Header: t.header, Worker: t.worker, Difference: difference})
			return
		}
		w := worker.New(m, graph, b, worker.Options{ID: t.worker, Logger: slog.Default(), FlushGap: flushGap, Endpoint: data, Codecs: codecs})
		m.Ready(rpc.WorkerReady{Header: t.header, Worker: t.worker, Data: data.Addr(), Pid: os.Getpid()}, w)
		<-ctx.Done()
		w.Release(t.header)
	})
	err = errors.Join(err, data.Close())
	if difference != "" {
		return fmt.Errorf("the program makes another graph than the client's: %s", difference)
	}
	return err
}

// A ticket is what the TaskManager tells a worker.
type ticket struct {
	header     rpc.Header
	worker     rpc.WorkerID
	jobManager string // address
	submitted  *jobgraph.Graph
	dial       transport.Options
	data       network.Options
}

// readTicket reads variables.
func readTicket() (t ticket, err error) {
	var errs [5]error
	var token int64
	var text []byte
	token, errs[0] = strconv.ParseInt(os.Getenv("FLOTT_WORKER_TOKEN"), 10, 64)
	t.header.Token = rpc.Token(token)
	t.header.Job, errs[1] = id.ParseJob(os.Getenv("FLOTT_JOB_ID"))
	if text, errs[2] = os.ReadFile(os.Getenv("FLOTT_WORKER_GRAPH")); errs[2] == nil {
		t.submitted, errs[3] = jobdoc.Decode(text)
	}
	t.worker, t.jobManager = rpc.WorkerID(os.Getenv("FLOTT_WORKER_ID")), os.Getenv(jobManagerVariable)
	s := config.Read("", os.Environ())
	t.dial = transport.Options{Version: Version(), Security: security.From(s), Process: selfOf(t.worker), Log: slog.Default()}
	t.data, errs[4] = t.dataOptions(s)
	return t, errors.Join(errs[:]...)
}

// selfOf is this process, whose log files lie beside those of others.
func selfOf(w rpc.WorkerID) *process.Self {
	folder, file := filepath.Split(os.Getenv("FLOTT_WORKER_LOG"))
	return process.New(string(w), process.Options{Version: Version(), LogDir: folder, LogFile: file, LogPrefix: strings.TrimSuffix(file, "log")})
}
