//go:build !race

// The race detector takes more memory than the workers of this test may have.

package cluster

import (
	"errors"
	"fmt"
	"io/fs"
	"net"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"

	"github.com/flott-dev/flott/connector/sequence"
	"github.com/flott-dev/flott/internal/control/view"
	"github.com/flott-dev/flott/internal/id"
)

func init() {
	programs["healthy"] = atHalf(waitForOthers)
	programs["panic"] = atHalf(panicElsewhere)
	programs["exit"] = atHalf(exit)
	programs["allocate"] = atHalf(allocate)
	programs["stuck"] = atHalf(ignoreAll)
	roles["litter"] = func() error {
		signal.Ignore(syscall.SIGTERM, syscall.SIGINT, syscall.SIGHUP)
		select {}
	}
}

const numbers = 1000

// atHalf prints numbers, and behaves somehow after half of them.
func atHalf(behave func()) func(int) *flow {
	return func(parallelism int) *flow {
		return newFlow().from(sequence.Of(1, numbers), 1).to(parallelism, func(v int64) error {
			if v == numbers/2 {
				behave()
			}
			_, err := fmt.Println(v)
			return err
		})
	}
}

// waitForOthers waits until the test has seen what the others did.
func waitForOthers() {
	b := make([]byte, 1)
	gate, err := os.Open(os.Getenv("TEST_GATE")) // waits for who writes
	if err == nil {
		_, err = gate.Read(b)
	}
	if err != nil {
		panic(err)
	}
}

func panicElsewhere() {
	go panic("user code fails")
	select {}
}

// exit leaves all behind that can be left: a file, a socket, and a process.
func exit() {
	err := os.WriteFile("litter", nil, 0o600)
	_, listenErr := net.Listen("unix", filepath.Join(os.TempDir(), "socket"))
	c := exec.Command(os.Args[0])
	c.Env = append(os.Environ(), "FLOTT_ROLE=litter")
	if err := errors.Join(err, listenErr, c.Start()); err != nil {
		panic(err)
	}
	fmt.Fprintln(os.Stderr, "no way")
	os.Exit(3)
}

func allocate() {
	for kept := [][]byte{}; ; {
		b := make([]byte, 1<<20)
		for i := range b {
			b[i] = 1
		}
		kept = append(kept, b)
	}
}

// ignoreAll never returns, cancelled or not.
func ignoreAll() {
	if err := os.WriteFile(os.Getenv("TEST_STUCK"), nil, 0o600); err != nil {
		panic(err)
	}
	select {}
}

// TestMisbehaviour runs four jobs that misbehave each its own way beside one that does not notice, in the same TaskManager.
func TestMisbehaviour(t *testing.T) {
	f := startFleet(t, "FLOTT_TASKMANAGER_MEMORY_PROCESS_SIZE=320m")
	tm, _ := f.taskManager(5)
	gate, stuck := filepath.Join(t.TempDir(), "gate"), filepath.Join(t.TempDir(), "stuck")
	check(t, syscall.Mkfifo(gate, 0o600))
	jobs := map[string]id.Job{}
	for i, name := range []string{"healthy", "panic", "exit", "allocate", "stuck"} {
		jobs[name] = f.submit(fmt.Sprintf("%032x", i+1), name, name, 1, 0, 0, "TEST_GATE="+gate, "TEST_STUCK="+stuck)
	}
	await(t, says("a stuck task"), func() bool { _, err := os.Stat(stuck); return err == nil })
	workers := f.workers()
	if len(processes(t, tm.Process.Pid, workers)) == 0 || len(files(t, workers)) == 0 {
		t.Error("the test does not see what workers have, and so not what they leave")
	}
	check(t, f.Cancel(t.Context(), jobs["stuck"]))
	f.ends(jobs["panic"], view.Failed, "panic: user code fails")
	f.ends(jobs["exit"], view.Failed, "exit status 3; it said last:\nno way")
	f.ends(jobs["allocate"], view.Failed, "ran out of memory: flott lets it use 64 MB, the share of its slots")
	f.ends(jobs["stuck"], view.Canceled, "cluster.ignoreAll")
	w, err := os.OpenFile(gate, os.O_WRONLY, 0) // waits for the healthy one, which is half through
	check(t, err)
	_, err = w.Write([]byte{1})
	check(t, errors.Join(err, w.Close()))
	f.prints(jobs["healthy"])
	f.nothingLeft(tm.Process.Pid)
}

// ends wants a job to end in a state, with these words in its error.
func (f *fleet) ends(job id.Job, s view.JobState, words string) {
	f.t.Helper()
	r, err := f.Result(f.t.Context(), job)
	check(f.t, err)
	if r.State != s || !strings.Contains(r.Error, words) {
		f.t.Errorf("job %s: %s: %s; want %s: %s", job, r.State, r.Error, s, words)
	}
}

// prints wants a job to finish, and to have printed all numbers, once and in order.
func (f *fleet) prints(job id.Job) {
	f.t.Helper()
	r, err := f.Result(f.t.Context(), job)
	check(f.t, err)
	var want, got strings.Builder
	for i := range numbers {
		fmt.Fprintln(&want, i+1)
	}
	check(f.t, f.Output(f.t.Context(), job, &got))
	if r.State != view.Finished || got.String() != want.String() {
		f.t.Errorf("job %s: %s: %s; it printed %.300q", job, r.State, r.Error, got.String())
	}
}

// nothingLeft wants that no process, file or socket of any worker of a TaskManager is there any more.
func (f *fleet) nothingLeft(taskManager int) {
	f.t.Helper()
	workers := f.workers()
	var left []string
	await(f.t, func() string { return fmt.Sprintf("there is left: %v", left) }, func() bool {
		left = append(processes(f.t, taskManager, workers), files(f.t, workers)...)
		sockets, err := os.ReadFile("/proc/net/unix")
		check(f.t, err)
		if strings.Contains(string(sockets), workers) {
			left = append(left, "sockets")
		}
		return len(left) == 0
	})
}

// workers is where the workers of the only TaskManager have their files.
func (f *fleet) workers() string {
	f.t.Helper()
	for _, setting := range f.env {
		if folder, ok := strings.CutPrefix(setting, "FLOTT_IO_TMP_DIRS="); ok {
			found, err := filepath.Glob(filepath.Join(folder, "*", "*", "workers"))
			check(f.t, err)
			if len(found) == 1 {
				return found[0]
			}
		}
	}
	f.t.Fatal("the TaskManager has no folder, or there are two")
	return ""
}

// processes is those whose parent is this one, and those that a worker has started, which have its environment, wherever they are now.
func processes(t *testing.T, parent int, workers string) (found []string) {
	t.Helper()
	all, err := filepath.Glob("/proc/[0-9]*")
	check(t, err)
	for _, p := range all {
		stat, _ := os.ReadFile(p + "/stat") // it may end just now, or be another user's
		environ, _ := os.ReadFile(p + "/environ")
		_, state, _ := strings.Cut(string(stat), ") ")
		if fields := strings.Fields(state); len(fields) > 1 && fields[1] == strconv.Itoa(parent) || strings.Contains(string(environ), "FLOTT_WORKER_FOLDER="+workers) {
			found = append(found, p)
		}
	}
	return found
}

func files(t *testing.T, folder string) (found []string) {
	t.Helper()
	check(t, filepath.WalkDir(folder, func(path string, _ fs.DirEntry, err error) error {
		if path != folder && !errors.Is(err, fs.ErrNotExist) {
			found = append(found, path)
		}
		return nil
	}))
	return found
}
