//go:build !race

// The race detector takes more memory than the workers of this test may have.

package cluster

import (
	"errors"
	"fmt"
	"net"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"syscall"
	"testing"

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
	t.Parallel() // it waits most of the time
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
