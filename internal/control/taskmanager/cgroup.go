package taskmanager

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"
)

// A controlGroup is the kernel's account of a worker and of all that it has started. Its limit of memory counts what is touched, and so
// is exact; and it knows all processes that have left the worker's process group, but for one that the worker starts in the microseconds
// before it is put here itself. It has the files of version 1 or 2.
type controlGroup struct {
	folder string
	memory string // the file with the limit
}

// newControlGroup makes a group.
func newControlGroup(folder string) (*controlGroup, error) {
	if err := os.Mkdir(folder, 0o755); err != nil {
		return nil, fmt.Errorf("control group: %w", err)
	}
	for _, name := range []string{"memory.max", "memory.limit_in_bytes"} {
		if _, err := os.Stat(filepath.Join(folder, name)); err == nil {
			return &controlGroup{folder, name}, nil
		}
	}
	return nil, errors.Join(fmt.Errorf("control groups in %s have no controller of memory", filepath.Dir(folder)), os.Remove(folder))
}

func (g *controlGroup) hold(p *os.Process, bytes int64) error {
	if bytes > 0 {
		if err := g.write(g.memory, bytes); err != nil {
			return err
		}
	}
	return g.write("cgroup.procs", int64(p.Pid))
}

func (g *controlGroup) write(name string, number int64) error {
	return os.WriteFile(filepath.Join(g.folder, name), strconv.AppendInt(nil, number, 10), 0o600)
}

func (g *controlGroup) ranOut() bool {
	for _, name := range []string{"memory.events", "memory.oom_control"} {
		text, _ := os.ReadFile(filepath.Join(g.folder, name)) // only one of them is there
		for line := range strings.Lines(string(text)) {
			if kills, ok := strings.CutPrefix(strings.TrimSpace(line), "oom_kill "); ok && kills != "0" {
				return true
			}
		}
	}
	return false
}

func (g *controlGroup) open() (err error) {
	for range rounds {
		if err = os.Remove(g.folder); err == nil || errors.Is(err, fs.ErrNotExist) {
			return nil
		}
		if text, err := os.ReadFile(filepath.Join(g.folder, "cgroup.procs")); err == nil {
			killAll(strings.Fields(string(text)))
		}
		time.Sleep(round)
	}
	return fmt.Errorf("control group: %w", err)
}

func killAll(pids []string) {
	for _, s := range pids {
		if pid, err := strconv.Atoi(s); err == nil && pid > 1 {
			if p, err := os.FindProcess(pid); err == nil {
				_ = p.Kill() // or it is over already
			}
		}
	}
}

// ControlGroups is where workers have control groups: one each, whose folder's name begins like this. Empty: they have none, and
// RLIMIT_DATA limits them.
type ControlGroups string

// Check wants them to be possible, and deletes what a TaskManager that was killed has left there.
func (c ControlGroups) Check() error {
	if c == "" {
		return nil
	}
	left, err := filepath.Glob(string(c) + "-*")
	if err != nil {
		return err
	}
	for _, folder := range left {
		if err := (&controlGroup{folder: folder}).open(); err != nil {
			return err
		}
	}
	// In version 2 a group says which controllers those in it have. In version 1 there is no such file, and it is another error if
	// the folder is not there.
	control := filepath.Join(filepath.Dir(string(c)), "cgroup.subtree_control")
	if _, err := os.Stat(control); err == nil {
		if err := os.WriteFile(control, []byte("+memory"), 0o600); err != nil {
			return fmt.Errorf("control group: %w", err)
		}
	}
	g, err := c.cage(0)
	if err != nil {
		return err
	}
	return g.open()
}

// cage is for the worker with a number.
func (c ControlGroups) cage(number int) (cage, error) {
	if c == "" {
		return processLimit{}, nil
	}
	return newControlGroup(string(c) + "-" + strconv.Itoa(number))
}
