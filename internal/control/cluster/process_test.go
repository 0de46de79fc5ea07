package cluster

import (
	"bytes"
	"context"
	"crypto/sha256"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/flott-dev/flott/connector/sequence"
	"github.com/flott-dev/flott/internal/control/blob"
	"github.com/flott-dev/flott/internal/control/jobmanager"
	"github.com/flott-dev/flott/internal/control/process"
	"github.com/flott-dev/flott/internal/control/rpc"
	"github.com/flott-dev/flott/internal/control/taskmanager"
	"github.com/flott-dev/flott/internal/control/transport"
	"github.com/flott-dev/flott/internal/control/worker"
	"github.com/flott-dev/flott/internal/graph/execgraph"
	"github.com/flott-dev/flott/internal/graph/jobdoc"
	"github.com/flott-dev/flott/internal/graph/jobgraph"
	"github.com/flott-dev/flott/internal/graph/program"
	"github.com/flott-dev/flott/internal/id"
)

// printing is the program of the job that runs in processes: the worker makes it again.
func printing(parallelism int) *flow {
	return newFlow().from(sequence.Of(1, 1000), 1).do("look", parallelism, func(int64) {}).
		to(1, func(v int64) error { dieOnce(); fmt.Println(v); return nil })
}

// dieOnce kills the process, as kill -9 does, unless that was done before.
func dieOnce() {
	mark := os.Getenv("TEST_DIE_ONCE")
	if mark == "" || os.Mkdir(mark, 0o700) != nil {
		return
	}
	_ = syscall.Kill(os.Getpid(), syscall.SIGKILL)
	select {}
}

// workerOptions are what a worker that is a process is told by its TaskManager.
type workerOptions struct {
	rpc.Header
	Worker     rpc.WorkerID
	JobManager string // address
	Graph      []byte // that the client has submitted, as package jobdoc writes it
	Logger     *slog.Logger
}

// work runs tasks of a job in this process, as a worker of a cluster, until ctx ends or the JobManager is lost. If the graph is another
// one than the client's, the JobManager is told so, and the error says what differs. A worker whose job is over is ended by its
// TaskManager.
func work(ctx context.Context, g *jobgraph.Graph, binding *jobgraph.Binding, o workerOptions) error {
	named := *g
	named.ID = o.Job
	graph, err := execgraph.From(&named)
	if err != nil {
		return err
	}
	submitted, err := jobdoc.Decode(o.Graph)
	if err != nil {
		return err
	}
	var refusal error
	err = transport.DialWorker(ctx, transport.Options{Log: o.Logger}, o.JobManager, func(ctx context.Context, m rpc.JobManager) {
		if d := jobdoc.Difference(submitted, &named); d != "" {
			m.Refused(rpc.WorkerRefusal{Header: o.Header, Worker: o.Worker, Difference: d})
			refusal = fmt.Errorf("the program makes another graph than the client's: %s", d)
			return
		}
		w := worker.New(m, graph, binding, worker.Options{ID: o.Worker, Logger: o.Logger})
		m.Ready(rpc.WorkerReady{Header: o.Header, Worker: o.Worker, Pid: os.Getpid()}, w)
		<-ctx.Done()
		w.Release(o.Header)
	})
	if refusal != nil {
		return refusal
	}
	return err
}

// workHere is the main of a worker.
func workHere() error {
	token, err := strconv.ParseInt(os.Getenv("FLOTT_WORKER_TOKEN"), 10, 64)
	if err != nil {
		return err
	}
	job, err := id.ParseJob(os.Getenv("FLOTT_JOB_ID"))
	if err != nil {
		return err
	}
	text, err := os.ReadFile(os.Getenv("FLOTT_WORKER_GRAPH"))
	if err != nil {
		return err
	}
	parallelism, err := strconv.Atoi(os.Args[1])
	if err != nil {
		return err
	}
	g, binding := printing(parallelism).compile(&testing.T{})
	return work(context.Background(), g, binding, workerOptions{
		Header: rpc.Header{Job: job, Token: rpc.Token(token)}, Worker: rpc.WorkerID(os.Getenv("FLOTT_WORKER_ID")),
		JobManager: os.Getenv("FLOTT_WORKER_JOBMANAGER"), Graph: text, Logger: slog.Default(),
	})
}

// session is a JobManager with one TaskManager, whose workers are this test's executable.
func session(t *testing.T) (*jobmanager.Dispatcher, blob.Hash) {
	t.Helper()
	folder := t.TempDir()
	store, err := blob.Open(filepath.Join(folder, "blobs"), blob.Limits{})
	check(t, err)
	self, err := os.Executable()
	check(t, err)
	text, err := os.ReadFile(self)
	check(t, err)
	hash := sha256.Sum256(text)
	_, err = store.Put(t.Context(), hash, 0, int64(len(text)), bytes.NewReader(text))
	check(t, err)

	ctx, stop := context.WithCancel(t.Context())
	d := jobmanager.New(jobmanager.Options{Token: onlyLeader, Logger: quiet.Logger})
	server, err := transport.Listen(transport.Options{Log: quiet.Logger}, "127.0.0.1:0")
	check(t, err)
	ended := make(chan error, 3)
	go func() { d.Run(ctx.Done()); ended <- nil }() // these three end with the test
	go func() { ended <- server.Serve(ctx, d, d.Resources()) }()
	go func() {
		ended <- transport.DialTaskManager(ctx, transport.Options{Log: quiet.Logger}, server.Addr().String(), func(ctx context.Context, r rpc.ResourceManager) {
			err := taskmanager.Run(ctx, r, taskmanager.Options{
				Registration: rpc.Registration{ID: "tm", Host: "localhost", Slots: 4}, Folder: filepath.Join(folder, "workers"), Blobs: store,
				Env: []string{"FLOTT_WORKER_JOBMANAGER=" + server.Addr().String()}, Self: process.New("tm", process.Options{}), Log: quiet.Logger,
			})
			if err != nil {
				t.Error(err)
			}
		})
	}()
	t.Cleanup(func() {
		stop()
		for range 3 {
			if err := <-ended; err != nil {
				t.Error(err)
			}
		}
		if _, err := os.Stat(filepath.Join(folder, "workers")); !os.IsNotExist(err) {
			t.Errorf("of workers is left: %v", err)
		}
	})
	return d, hash
}

// submit runs the job with a parallelism, by a program that makes it with perhaps another one.
func submit(t *testing.T, d *jobmanager.Dispatcher, hash blob.Hash, parallelism, made int, env ...string) *jobmanager.JobMaster {
	t.Helper()
	g, _ := printing(parallelism).compile(t)
	g.ID = id.Job{1, byte(made)}
	g.Restart = program.RestartStrategy{Type: program.FixedDelay, Fixed: program.FixedRestart{Attempts: 1}}
	s, err := submission(g, Options{Job: g.ID})
	check(t, err)
	s.SlotTimeout = 20 * time.Second
	s.Program = jobmanager.Program{Blob: hash, Args: []string{strconv.Itoa(made)}, Env: env, Fingerprint: jobdoc.Fingerprint(g)}
	s.Program.Graph, err = jobdoc.Encode(g)
	check(t, err)
	m, err := d.Submit(s)
	check(t, err)
	<-m.Done()
	return m
}

func TestJobInAProcess(t *testing.T) {
	d, hash := session(t)
	_, err := submit(t, d, hash, 1, 1).Result()
	check(t, err)
	wantsOutput(t, d)
}

func TestKilledWorkerIsReplaced(t *testing.T) {
	d, hash := session(t)
	mark := filepath.Join(t.TempDir(), "died")
	_, err := submit(t, d, hash, 1, 1, "TEST_DIE_ONCE="+mark).Result()
	check(t, err)
	wantsOutput(t, d)
	if j, err := d.Job(t.Context(), id.Job{1, 1}); err != nil || j.Restarts != 1 {
		t.Errorf("the job is %+v, %v", j, err)
	}
	if _, err := os.Stat(mark); err != nil {
		t.Errorf("no worker died: %v", err)
	}
}

// wantsOutput wants the job to have printed all its numbers, once and in order.
func wantsOutput(t *testing.T, d *jobmanager.Dispatcher) {
	t.Helper()
	var want, got strings.Builder
	for i := range 1000 {
		fmt.Fprintln(&want, i+1)
	}
	check(t, d.Output(t.Context(), id.Job{1, 1}, 0, &got))
	if got.String() != want.String() {
		t.Errorf("printed %.300q", got.String())
	}
}

func TestProcessWithAnotherGraph(t *testing.T) {
	d, hash := session(t)
	_, err := submit(t, d, hash, 1, 2).Result()
	if err == nil || !strings.Contains(err.Error(), "parallelism") {
		t.Errorf("the error is %v", err)
	}
}
