package taskmanager

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
)

// allowed is where this machine lets the test have control groups with a controller of memory; or "".
func allowed() ControlGroups {
	for _, parent := range []string{"/sys/fs/cgroup/memory", "/sys/fs/cgroup"} {
		c := ControlGroups(filepath.Join(parent, fmt.Sprintf("flott-test-%d", os.Getpid())))
		if c.Check() == nil {
			return c
		}
	}
	return ""
}

// With the hardest cage that the machine allows, a worker that allocates without end is ended and said to have run out of memory; and
// a process that has left the process group of its worker ends with it, where there is a control group that knows it.
func TestCage(t *testing.T) {
	groups := allowed()
	t.Logf("control groups: %q", groups)
	h := start(t, func(o *Options) { o.ControlGroups = groups })
	h.run("allocate", "allocate")
	var e *Exit
	if x := <-h.exits; !errors.As(x.Cause, &e) || !e.OutOfMemory {
		t.Errorf("it ended with %v", x.Cause)
	}
	if groups != "" {
		h.run("stray", "stray", filepath.Base(string(groups)))
		pid := h.line("stray")
		h.end("stray")
		if x := <-h.exits; x.Cause != nil {
			t.Error(x.Cause)
		}
		gone(t, pid)
	}
	if left, err := filepath.Glob(string(groups) + "-*"); err != nil || groups != "" && len(left) > 0 {
		t.Errorf("of control groups is left %v, %v", left, err)
	}
	h.clean(t)
}

// A folder without a controller is refused before a worker starts.
func TestNoControlGroups(t *testing.T) {
	folder := t.TempDir()
	err := ControlGroups(filepath.Join(folder, "tm")).Check()
	if err == nil || !strings.Contains(err.Error(), folder+" have no controller of memory") {
		t.Errorf("the error is %v", err)
	}
	if entries, _ := os.ReadDir(folder); len(entries) > 0 {
		t.Errorf("left is %v", entries)
	}
}

// What the files of both versions say of processes that the kernel has ended.
func TestRanOut(t *testing.T) {
	for name, text := range map[string]string{
		"memory.events":      "low 0\nhigh 0\nmax 12\noom 1\noom_kill %d\noom_group_kill 0\n",
		"memory.oom_control": "oom_kill_disable 0\nunder_oom 0\noom_kill %d\n",
	} {
		for kills := range 2 {
			g := &controlGroup{folder: t.TempDir()}
			if err := os.WriteFile(filepath.Join(g.folder, name), fmt.Appendf(nil, text, kills), 0o600); err != nil {
				t.Fatal(err)
			}
			if g.ranOut() != (kills > 0) {
				t.Errorf("%s with %s: %v", name, strconv.Itoa(kills), g.ranOut())
			}
		}
	}
}
