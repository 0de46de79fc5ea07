package taskmanager

import (
	"errors"
	"os/exec"
	"strings"
	"testing"
)

// Go's runtime has several words for it, which count only where there is a limit and the worker has failed.
func TestWordsOfARuntimeWithoutMemory(t *testing.T) {
	failed := exec.Command("false")
	if err := failed.Run(); err == nil {
		t.Fatal("false does not fail")
	}
	for text, want := range map[string]bool{
		"fatal error: out of memory allocating heap arena metadata":                  true,
		"fatal error: out of memory (stackalloc)":                                    true,
		"fatal error: pageAlloc: out of memory":                                      true,
		"runtime: out of memory: cannot allocate 4194304-byte block":                 true,
		"fatal error: runtime: cannot allocate memory":                               true,
		"fatal error: failed to reserve page summary memory":                         true,
		"panic: the shop is out of memory cards":                                     false,
		"fatal error: all goroutines are asleep - deadlock!\n\ngoroutine 1 [select]": false,
	} {
		var e *Exit
		if !errors.As(exitError(failed.ProcessState, nil, 64<<20, false, text), &e) || e.OutOfMemory != want {
			t.Errorf("%q: %v", text, e)
		}
		if want && !strings.Contains(e.Error(), "use 64 MB, the share of its slots in the memory of the TaskManager; a greater taskmanager.memory.process.size raises that") {
			t.Errorf("it says %q", e)
		}
		if !errors.As(exitError(failed.ProcessState, nil, 0, false, text), &e) || e.OutOfMemory {
			t.Errorf("%q without a limit: %v", text, e)
		}
	}
}
