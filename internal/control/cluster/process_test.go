package cluster

import (
	"bytes"
	"context"
	"crypto/sha256"
	"flag"
	"fmt"
	"net"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"

	"github.com/flott-dev/flott/connector/sequence"
	"github.com/flott-dev/flott/internal/config"
	"github.com/flott-dev/flott/internal/control/client"
	"github.com/flott-dev/flott/internal/control/rpc"
	"github.com/flott-dev/flott/internal/control/view"
	"github.com/flott-dev/flott/internal/graph/jobdoc"
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

func arguments(program, name string, parallelism int) []string {
	return []string{"--name", name, "--parallelism=" + strconv.Itoa(parallelism), program}
}

// programs is the programs of workers.
var programs = map[string]func(parallelism int) *flow{"print": printing, "total": totalling, "messages": exchanging, "pid": tellingPid}

// workHere is the main of a worker.
func workHere() error {
	var args flag.FlagSet
	name, parallelism := args.String("name", "", ""), args.Int("parallelism", 0, "")
	if err := args.Parse(os.Args[1:]); err != nil {
		return err
	}
	g, binding := programs[args.Arg(0)](*parallelism).compile(&testing.T{})
	g.Name = *name
	return RunWorker(context.Background(), g, binding, nil, 0)
}

// settings are those of a cluster whose files are in a folder, and whose ports are any.
func settings(folder string) *config.Settings {
	s := &config.Settings{}
	for key, value := range map[string]string{
		"io.tmp.dirs": folder, "rest.port": "0", "jobmanager.rpc.port": "0", "taskmanager.numberOfTaskSlots": "4",
	} {
		s.Set("test", key, value)
	}
	return s
}

// portOf is what settings have of an address.
func portOf(a net.Addr) string { return strconv.Itoa(a.(*net.TCPAddr).Port) }

// startSession is a JobManager with one TaskManager, whose workers are this test's executable. It has the executable already.
func startSession(t *testing.T) (*client.Client, view.Hash) {
	t.Helper()
	s := settings(t.TempDir())
	startJobManager(t, s)
	startTaskManager(t, s)
	c := newClient(t, s)
	return c, upload(t, c)
}

// startJobManager starts one until the end of the test. The settings have its ports then.
func startJobManager(t *testing.T, s *config.Settings) (stop func() error) {
	t.Helper()
	return begin(t, func(ctx context.Context, ready func()) error {
		return RunJobManager(ctx, s, func(rest, rpc net.Addr) {
			s.Set("test", "rest.port", portOf(rest))
			s.Set("test", "jobmanager.rpc.port", portOf(rpc))
			ready()
		})
	})
}

func startTaskManager(t *testing.T, s *config.Settings) (stop func() error) {
	t.Helper()
	return begin(t, func(ctx context.Context, ready func()) error { return RunTaskManager(ctx, s, ready) })
}

// begin runs a process of a cluster until it is stopped, or the end of the test, and waits until it is ready.
func begin(t *testing.T, run func(ctx context.Context, ready func()) error) (stop func() error) {
	t.Helper()
	ctx, end := context.WithCancel(t.Context())
	ready, ended := make(chan struct{}), make(chan error, 1)
	go func() { ended <- run(ctx, func() { close(ready) }) }() // is waited for below
	select {
	case <-ready:
	case err := <-ended:
		end()
		t.Fatalf("it is not ready: %v", err)
	}
	stop = sync.OnceValue(func() error { end(); return <-ended })
	t.Cleanup(func() { check(t, stop()) })
	return stop
}

func newClient(t *testing.T, s *config.Settings) *client.Client {
	t.Helper()
	c, err := client.From(s, "", "test")
	check(t, err)
	t.Cleanup(c.Close)
	return c
}

// upload sends this test's executable.
func upload(t *testing.T, c *client.Client) view.Hash {
	t.Helper()
	self, err := os.Executable()
	check(t, err)
	text, err := os.ReadFile(self)
	check(t, err)
	hash := view.Hash(sha256.Sum256(text))
	check(t, c.Upload(t.Context(), hash, int64(len(text)), bytes.NewReader(text)))
	return hash
}

// submit runs the job with a parallelism, by a program that makes it with perhaps another one.
func submit(t *testing.T, c *client.Client, hash view.Hash, parallelism, made int, env ...string) *view.Result {
	t.Helper()
	return submitProgram(t, c, hash, "print", parallelism, made, env...)
}

func submitProgram(t *testing.T, c *client.Client, hash view.Hash, name string, parallelism, made int, env ...string) *view.Result {
	t.Helper()
	r, err := c.Result(t.Context(), submitOnly(t, c, hash, name, parallelism, made, env...))
	check(t, err)
	return r
}

// submitOnly does not wait for the job's end.
func submitOnly(t *testing.T, c *client.Client, hash view.Hash, name string, parallelism, made int, env ...string) id.Job {
	t.Helper()
	g, _ := programs[name](parallelism).compile(t)
	g.Restart = program.RestartStrategy{Type: program.FixedDelay, Fixed: program.FixedRestart{Attempts: 1}}
	text, err := jobdoc.Encode(g)
	check(t, err)
	job, err := c.Submit(t.Context(), view.Submission{
		Job: id.Job{1, byte(made)}, Graph: text, Blob: hash, Args: arguments(name, g.Name, made), Env: env, Protocol: rpc.Protocol,
	})
	check(t, err)
	return job
}

func TestJobInAProcess(t *testing.T) {
	c, hash := startSession(t)
	if r := submit(t, c, hash, 1, 1); r.State != view.Finished {
		t.Errorf("%+v", r)
	}
	wantsOutput(t, c)
}

func TestKilledWorkerIsReplaced(t *testing.T) {
	c, hash := startSession(t)
	mark := filepath.Join(t.TempDir(), "died")
	if r := submit(t, c, hash, 1, 1, "TEST_DIE_ONCE="+mark); r.State != view.Finished {
		t.Errorf("%+v", r)
	}
	wantsOutput(t, c)
	if _, err := os.Stat(mark); err != nil {
		t.Errorf("no worker died: %v", err)
	}
}

// wantsOutput wants the job to have printed all its numbers, once and in order.
func wantsOutput(t *testing.T, c *client.Client) {
	t.Helper()
	var want, got strings.Builder
	for i := range 1000 {
		fmt.Fprintln(&want, i+1)
	}
	check(t, c.Output(t.Context(), id.Job{1, 1}, &got))
	if got.String() != want.String() {
		t.Errorf("printed %.300q", got.String())
	}
}

func TestProcessWithAnotherGraph(t *testing.T) {
	c, hash := startSession(t)
	if r := submit(t, c, hash, 1, 2); r.State != view.Failed || !strings.Contains(r.Error, "parallelism") {
		t.Errorf("%+v", r)
	}
}
