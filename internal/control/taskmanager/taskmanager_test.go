package taskmanager

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/flott-dev/flott/internal/control/blob"
	"github.com/flott-dev/flott/internal/control/process"
	"github.com/flott-dev/flott/internal/control/rpc"
	"github.com/flott-dev/flott/internal/id"
)

func check(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// resources is the ResourceManager of a test.
type resources struct {
	registered chan rpc.TaskManager
	beats      chan rpc.Heartbeat
	exits      chan rpc.WorkerExit
	leaves     chan rpc.Leave
	mu         sync.Mutex
	printed    map[rpc.WorkerID]string
	more       *sync.Cond // something was printed
}

func newResources() *resources {
	r := &resources{
		registered: make(chan rpc.TaskManager, 1), beats: make(chan rpc.Heartbeat, 100), exits: make(chan rpc.WorkerExit, 100),
		leaves: make(chan rpc.Leave, 1), printed: map[rpc.WorkerID]string{},
	}
	r.more = sync.NewCond(&r.mu)
	return r
}

func (r *resources) Register(_ rpc.Registration, m rpc.TaskManager) { r.registered <- m }
func (r *resources) Unregister(l rpc.Leave)                         { r.leaves <- l }
func (r *resources) WorkerExited(e rpc.WorkerExit)                  { r.exits <- e }

func (r *resources) Heartbeat(h rpc.Heartbeat) {
	select {
	case r.beats <- h:
	default:
	}
}

func (r *resources) Printed(o rpc.Output) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.printed[o.Worker] += string(o.Lines)
	r.more.Broadcast()
}

// line waits for the first line of a worker.
func (r *resources) line(w rpc.WorkerID) string {
	r.mu.Lock()
	defer r.mu.Unlock()
	for !strings.Contains(r.printed[w], "\n") {
		r.more.Wait()
	}
	first, _, _ := strings.Cut(r.printed[w], "\n")
	return first
}

// host is a TaskManager that runs, and what it tells.
type host struct {
	*resources
	rpc.TaskManager
	folder string
	hash   blob.Hash
	stop   context.CancelFunc
	ended  chan error
}

func options(folder string, s *blob.Store) Options {
	return Options{
		Registration: rpc.Registration{ID: "tm", Slots: 2}, Folder: filepath.Join(folder, "workers"), Logs: filepath.Join(folder, "log"), Blobs: s,
		Env: []string{"FLOTT_WORKER_JOBMANAGER=somewhere"}, Self: process.New("tm", process.Options{}), Log: slog.New(slog.DiscardHandler),
	}
}

func start(t *testing.T, change func(*Options)) *host {
	t.Helper()
	s, hash := executable(t, t.TempDir())
	o := options(t.TempDir(), s)
	if change != nil {
		change(&o)
	}
	ctx, stop := context.WithCancel(t.Context())
	h := &host{resources: newResources(), folder: o.Folder, hash: hash, stop: stop, ended: make(chan error, 1)}
	go func() { h.ended <- Run(ctx, h.resources, o) }() // ends with the test
	h.TaskManager = <-h.registered
	t.Cleanup(func() {
		stop()
		if err := <-h.ended; err != nil {
			t.Error(err)
		}
		if l := <-h.leaves; l.ID != "tm" || l.Cause != nil {
			t.Errorf("left as %v", l)
		}
		if _, err := os.Stat(h.folder); !errors.Is(err, os.ErrNotExist) {
			t.Errorf("the folder is left: %v", err)
		}
	})
	return h
}

// job is the id of the job of a worker in these tests.
var job = id.Job{7}

func (h *host) run(worker rpc.WorkerID, args ...string) {
	h.StartWorker(rpc.WorkerStart{Header: rpc.Header{Job: job, Token: 5}, Worker: worker, Blob: h.hash, Args: args, Memory: 64 << 20, Graph: []byte("{}"), Fingerprint: "abc"})
}

func (h *host) end(worker rpc.WorkerID) {
	h.StopWorker(rpc.WorkerStop{Header: rpc.Header{Job: job, Token: 5}, Worker: worker})
}

// clean wants that no folder of a worker is left.
func (h *host) clean(t *testing.T) {
	t.Helper()
	entries, err := os.ReadDir(h.folder)
	check(t, err)
	if len(entries) != 0 {
		t.Errorf("there is left: %v", entries)
	}
}

// gone wants that a process does not run any more. One that its new parent has not asked after yet does not either.
func gone(t *testing.T, pid string) {
	t.Helper()
	for end := time.Now().Add(time.Minute); time.Now().Before(end); time.Sleep(time.Millisecond) {
		stat, err := os.ReadFile("/proc/" + pid + "/stat")
		if err != nil || strings.Contains(string(stat), ") Z ") {
			return
		}
	}
	t.Errorf("process %s still runs", pid)
}

// Each of four fails in its own way, and the fifth does not notice.
func TestMisbehaviour(t *testing.T) {
	h := start(t, nil)
	h.run("spin", "spin")
	h.run("panic", "panic")
	h.run("exit", "exit")
	h.run("allocate", "allocate")
	h.run("count", "count")
	exits := map[rpc.WorkerID]error{}
	spinning := h.line("spin")
	for range 4 {
		e := <-h.exits
		exits[e.Worker] = e.Cause
		if e.Job != job || e.Token != 5 {
			t.Errorf("the exit is %+v", e)
		}
	}
	h.end("spin")
	if e := <-h.exits; e.Worker != "spin" || e.Cause != nil {
		t.Errorf("the exit is %+v", e)
	}
	gone(t, spinning)
	for worker, want := range map[rpc.WorkerID]struct {
		status int
		memory bool
		words  string
	}{
		"panic":    {2, false, "exit status 2; it said last:\npanic: user code fails"},
		"exit":     {3, false, "on TaskManager tm (flott logs " + job.String() + " shows more): the worker ended with exit status 3; it said last:\nno way"},
		"allocate": {2, true, "ran out of memory: flott lets it use 64 MB, the share of its slots"},
		"count":    {0, false, "exit status 0"},
	} {
		var e *Exit
		if !errors.As(exits[worker], &e) || e.Status != want.status || e.OutOfMemory != want.memory || !strings.Contains(exits[worker].Error(), want.words) {
			t.Errorf("%s ended with %v", worker, exits[worker])
		}
	}
	var want strings.Builder
	for i := range 1000 {
		fmt.Fprintln(&want, "line", i)
	}
	if h.printed["count"] != want.String() {
		t.Errorf("printed %q", h.printed["count"])
	}
	h.clean(t)
}

func TestNothingIsLeft(t *testing.T) {
	h := start(t, nil)
	h.run("w", "litter")
	if e := <-h.exits; e.Cause == nil || !strings.Contains(e.Cause.Error(), "exit status 0") {
		t.Errorf("the exit is %+v", e)
	}
	gone(t, h.line("w"))
	h.clean(t)
}

func TestEnvironment(t *testing.T) {
	t.Setenv("SECRET", "of the TaskManager")
	h := start(t, nil)
	h.StartWorker(rpc.WorkerStart{
		Header: rpc.Header{Job: job, Token: 5}, Worker: "w", Blob: h.hash, Args: []string{"tell", "a", "b c"},
		Env: []string{"FLOTT_X=1", "NAMED=2", "FLOTT_ROLE=jobmanager"}, Memory: 100 << 20, Fingerprint: "abc", Secret: "hush",
	})
	<-h.exits
	folder := filepath.Join(h.folder, "1")
	want := []string{
		filepath.Join(folder, "work"), "0", "a,b c",
		"FLOTT_JOB_ID=" + job.String(), "FLOTT_ROLE=worker", "FLOTT_WORKER_EARLIER=" + folder + "/earlier.json",
		"FLOTT_WORKER_FINGERPRINT=abc", "FLOTT_WORKER_FOLDER=" + folder,
		"FLOTT_WORKER_GRAPH=" + folder + "/graph.json", "FLOTT_WORKER_ID=w", "FLOTT_WORKER_JOBMANAGER=somewhere",
		"FLOTT_WORKER_LOG=" + filepath.Join(filepath.Dir(h.folder), "log", "worker-"+job.String()+"-1.log"),
		"FLOTT_WORKER_SECRET=hush", "FLOTT_WORKER_TOKEN=5", "FLOTT_X=1",
		"GOMEMLIMIT=94371840", "NAMED=2", "PWD=" + folder + "/work", "TMPDIR=" + folder + "/temp",
	}
	got := strings.Split(h.printed["w"], "\n")
	got = slices.DeleteFunc(got, func(s string) bool { return strings.HasPrefix(s, "PWD=") || strings.HasPrefix(s, "FLOTT_WORKER_MARK=") })
	want = slices.DeleteFunc(want, func(s string) bool { return strings.HasPrefix(s, "PWD=") || strings.HasPrefix(s, "FLOTT_WORKER_MARK=") })
	if !slices.Equal(got, want) {
		t.Errorf("a worker sees\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
}

// A worker whose executable does not come holds up no other, and can be stopped.
func TestSlowStartHoldsUpNobody(t *testing.T) {
	asked := make(chan bool, 1)
	slow := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		asked <- true
		<-r.Context().Done()
	}))
	defer slow.Close()
	h := start(t, func(o *Options) { o.Origin = blob.Origin{URL: slow.URL, Client: slow.Client()} })
	h.StartWorker(rpc.WorkerStart{Worker: "slow", Blob: blob.Hash{1}})
	<-asked
	h.run("quick", "count")
	if e := <-h.exits; e.Worker != "quick" {
		t.Errorf("the exit is %+v", e)
	}
	h.end("slow")
	if e := <-h.exits; e.Worker != "slow" || e.Cause != nil {
		t.Errorf("the exit is %+v", e)
	}
	h.clean(t)
}

func TestExecutableIsMissing(t *testing.T) {
	origin := httptest.NewServer(http.NotFoundHandler())
	defer origin.Close()
	h := start(t, func(o *Options) { o.Origin = blob.Origin{URL: origin.URL, Client: origin.Client()} })
	h.StartWorker(rpc.WorkerStart{Worker: "w", Blob: blob.Hash{1}})
	if e := <-h.exits; !errors.Is(e.Cause, blob.ErrMissing) {
		t.Errorf("the exit is %+v", e)
	}
	h.clean(t)
}

// Messages may come late or twice.
func TestWorkerStartsOnce(t *testing.T) {
	h := start(t, nil)
	h.end("late")
	h.run("late", "count")
	for range 2 {
		if e := <-h.exits; e.Worker != "late" || e.Cause != nil {
			t.Errorf("the exit is %+v", e)
		}
	}
	for range 3 {
		h.run("failed", "exit")
	}
	first := <-h.exits
	h.run("failed", "exit")
	h.end("failed")
	for range 2 {
		if e := <-h.exits; e.Cause == nil || e != first {
			t.Errorf("the exit is %+v, after %+v", e, first)
		}
	}
	if h.printed["late"] != "" {
		t.Error("a worker ran that was stopped before")
	}
	h.clean(t)
}

func TestHeartbeat(t *testing.T) {
	h := start(t, nil)
	h.run("w", "wait")
	pid, err := strconv.Atoi(h.line("w"))
	check(t, err)
	h.StartWorker(rpc.WorkerStart{Worker: "w", Memory: 200 << 20})
	last := 0
	for b := range h.beats {
		if b.ID != "tm" || b.Number <= last || b.Figures.Pid != os.Getpid() {
			t.Fatalf("the heartbeat is %+v", b)
		}
		last = b.Number
		if len(b.Workers) == 1 && b.Workers[0].Pid == pid && b.Workers[0].Limit == 200<<20 && b.Workers[0].Resident > 1<<20 {
			break
		}
	}
	limits, err := os.ReadFile(fmt.Sprintf("/proc/%d/limits", pid))
	check(t, err)
	if want := fmt.Sprintf("Max data size             %d ", 200<<20+spare); !strings.Contains(string(limits), want) {
		t.Errorf("the limits are\n%s\nwant %s", limits, want)
	}
}

func TestDismissal(t *testing.T) {
	s, hash := executable(t, t.TempDir())
	h := &host{resources: newResources(), hash: hash, ended: make(chan error, 1)}
	go func() { h.ended <- Run(t.Context(), h.resources, options(t.TempDir(), s)) }() // ends below
	h.TaskManager = <-h.registered
	h.run("w", "wait")
	pid := h.line("w")
	lost := errors.New("no heartbeat")
	h.Dismiss(lost)
	if err := <-h.ended; !errors.Is(err, lost) {
		t.Errorf("it ended with %v", err)
	}
	if e, l := <-h.exits, <-h.leaves; e.Worker != "w" || !errors.Is(l.Cause, lost) {
		t.Errorf("told %+v and %+v", e, l)
	}
	gone(t, pid)
	h.run("another", "count")
	if len(h.exits) != 0 {
		t.Error("it goes on")
	}
}

func TestKilledTaskManagerTakesItsWorkersWithIt(t *testing.T) {
	folder := t.TempDir()
	_, hash := executable(t, filepath.Join(folder, "blobs"))
	c := exec.Command(os.Args[0])
	c.Env = append(os.Environ(), "TEST_TASKMANAGER="+folder, fmt.Sprintf("TEST_HASH=%v", hash))
	c.Stderr = os.Stderr
	c.SysProcAttr = ownGroup() // it ends with the test
	out, err := c.StdoutPipe()
	check(t, err)
	check(t, c.Start())
	pid, err := bufio.NewReader(out).ReadString('\n')
	check(t, err)
	pid = strings.TrimSpace(pid)
	if err := syscall.Kill(c.Process.Pid, 0); err != nil {
		t.Errorf("the TaskManager does not run: %v", err)
	}
	check(t, c.Process.Kill())
	if err := c.Wait(); err == nil {
		t.Error("it was not killed")
	}
	gone(t, pid)
}
