package taskmanager

import (
	"errors"
	"fmt"
	"os"
	"strings"
	"syscall"

	"github.com/flott-dev/flott/internal/fault"
)

// An Exit is a worker that ended without having been told to.
type Exit struct {
	Status      int            // of its exit; -1: a signal ended it
	Signal      syscall.Signal // 0: none
	OutOfMemory bool           // it wanted more than its limit
	Memory      int64          // its limit, in bytes; 0: none
	Stderr      string         // the last it wrote there
}

// kindOf is what sort of failure it is that a worker ended, or was never started.
func kindOf(err error) fault.Kind {
	var e *Exit
	if errors.As(err, &e) && e.OutOfMemory {
		return fault.WorkerNoMemory
	}
	return fault.WorkerLost
}

// Error says all of it, on several lines if there are words of the worker's own.
func (e *Exit) Error() string {
	var s string
	switch {
	case e.OutOfMemory:
		s = "the worker ran out of memory" + e.limit()
	case e.Signal != 0:
		s = fmt.Sprintf("the worker was ended by signal %d (%s)", e.Signal, e.Signal)
	case e.Status == 0:
		s = "the worker ended with exit status 0 before its job was over: main returned without running it, or something called os.Exit"
	default:
		s = fmt.Sprintf("the worker ended with exit status %d", e.Status)
	}
	if e.Stderr != "" {
		s += "; it said last:\n" + e.Stderr
	}
	return s
}

// limit says how much memory the worker may use, and what changes that.
func (e *Exit) limit() string {
	if e.Memory == 0 {
		return ", though flott sets it no limit"
	}
	return fmt.Sprintf(": flott lets it use %d MB, the share of its slots in the memory of the TaskManager; a greater taskmanager.memory.process.size raises that, and so do fewer taskmanager.numberOfTaskSlots", e.Memory>>20)
}

// outOfMemory is what Go's runtime says when the kernel gives it no more.
var outOfMemory = []string{
	"runtime: out of memory", "fatal error: out of memory", "fatal error: pageAlloc: out of memory", "cannot allocate memory",
	"failed to reserve page summary memory", "failed to create new OS thread", "pthread_create failed",
}

func exitError(state *os.ProcessState, err error, memory int64, ranOut bool, stderr string) error {
	if state == nil {
		return fmt.Errorf("the worker: %w", err)
	}
	e := &Exit{Status: state.ExitCode(), OutOfMemory: ranOut, Memory: memory, Stderr: strings.TrimSpace(stderr)}
	if status, ok := state.Sys().(syscall.WaitStatus); ok && status.Signaled() {
		e.Signal = status.Signal()
	}
	for _, words := range outOfMemory {
		e.OutOfMemory = e.OutOfMemory || memory > 0 && e.Status != 0 && strings.Contains(stderr, words)
	}
	return e
}
