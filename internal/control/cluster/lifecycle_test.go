package cluster

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"

	"github.com/flott-dev/flott/internal/control/client"
	"github.com/flott-dev/flott/internal/control/view"
	"github.com/flott-dev/flott/internal/id"
)

// tellingPid is a program that has no end, and prints the number of the process that runs it.
func tellingPid(parallelism int) *flow {
	var once sync.Once
	return newFlow().from(endless(), parallelism).to(1, func(int64) error {
		once.Do(func() { fmt.Println(os.Getpid()) })
		return nil
	})
}

// startEndless runs a job without an end, and is there when its worker works.
func startEndless(t *testing.T, c *client.Client, hash view.Hash) (job id.Job, worker int) {
	t.Helper()
	job = submitOnly(t, c, hash, "pid", 1, 1)
	ctx, enough := context.WithCancel(t.Context())
	said, out := io.Pipe()
	followed := make(chan error, 1)
	go func() { followed <- c.Output(ctx, job, out) }() // is waited for below
	line, err := bufio.NewReader(said).ReadString('\n')
	check(t, err)
	enough()
	check(t, said.Close())
	if err := <-followed; err == nil {
		t.Error("a job without an end has printed all")
	}
	worker, err = strconv.Atoi(strings.TrimSpace(line))
	check(t, err)
	return job, worker
}

func wantsGone(t *testing.T, pid int) {
	t.Helper()
	if err := syscall.Kill(pid, 0); !errors.Is(err, syscall.ESRCH) {
		t.Errorf("process %d is there: %v", pid, err)
	}
}

func TestTaskManagerEndsItsWorkers(t *testing.T) {
	s := settings(t.TempDir())
	startJobManager(t, s)
	stop := startTaskManager(t, s)
	c := newClient(t, s)
	job, worker := startEndless(t, c, upload(t, c))
	check(t, stop())
	wantsGone(t, worker)
	if left, err := filepath.Glob(filepath.Join(s.Text("io.tmp.dirs"), "flott-*", "taskmanager-0", "workers")); err != nil || len(left) > 0 {
		t.Errorf("%v is left, %v", left, err)
	}
	check(t, c.Cancel(t.Context(), job)) // it waits for slots
}

// ownPort is a port that is free, and that the system gives to nobody who does not ask for it: one that was any could be taken when it is
// wanted for a second time.
func ownPort(t *testing.T) string {
	t.Helper()
	for {
		port := strconv.Itoa(10_000 + rand.N(20_000))
		if l, err := net.Listen("tcp", net.JoinHostPort("127.0.0.1", port)); err == nil {
			check(t, l.Close())
			return port
		}
	}
}

// TestJobManagerComesBack ends a JobManager that has a job, and starts it again: the job is over and can be seen, and the TaskManager runs
// the next one.
func TestJobManagerComesBack(t *testing.T) {
	s := settings(t.TempDir())
	s.Set("test", "jobmanager.archive.fs.dir", t.TempDir())
	s.Set("test", "rest.port", ownPort(t))
	s.Set("test", "jobmanager.rpc.port", ownPort(t))
	stop := startJobManager(t, s)
	startTaskManager(t, s)
	c := newClient(t, s)
	hash := upload(t, c)
	job, worker := startEndless(t, c, hash)
	check(t, stop())

	startJobManager(t, s)
	r, err := c.Result(t.Context(), job)
	check(t, err)
	if r.State != view.Canceled || !strings.Contains(r.Error, "the JobManager ends") {
		t.Errorf("%+v", r)
	}
	if r := submit(t, c, hash, 2, 2); r.State != view.Finished { // its executable is still there
		t.Errorf("%+v", r)
	}
	wantsGone(t, worker) // the TaskManager has joined anew, and before that it ended what it had
}

// The stream of a page ends with the JobManager, and is not cut off.
func TestPagesHearTheEndOfTheJobManager(t *testing.T) {
	s := settings(t.TempDir())
	stop := startJobManager(t, s)
	stream := openEvents(t, &http.Client{Transport: &http.Transport{DisableKeepAlives: true}}, "http://"+address(s, "rest.address", "rest.port")+"/flott/events")
	check(t, stop())
	_, err := io.ReadAll(stream)
	check(t, err)
}

func TestClientShutsDown(t *testing.T) {
	s := settings(t.TempDir())
	ready, ended := make(chan net.Addr, 1), make(chan error, 1)
	go func() { ended <- RunJobManager(context.Background(), s, func(rest, _ net.Addr) { ready <- rest }) }() // ends as it is shut down
	r, err := http.NewRequestWithContext(t.Context(), http.MethodDelete, "http://"+(<-ready).String()+"/cluster", nil)
	check(t, err)
	a, err := http.DefaultClient.Do(r)
	check(t, err)
	check(t, a.Body.Close())
	http.DefaultClient.CloseIdleConnections()
	if err := <-ended; err != nil || a.StatusCode != http.StatusOK {
		t.Errorf("%s, %v", a.Status, err)
	}
}
