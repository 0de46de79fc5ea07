package main

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"time"

	"github.com/flott-dev/flott/internal/config"
	"github.com/flott-dev/flott/internal/control/cluster"
)

// A crew is the background processes of a cluster on this machine. Each has a file NAME.pid with its number and when it was started, by
// which it is told from another process that has got its number later.
type crew struct {
	folder string
	lock   *os.File // that nobody starts and stops at the same time
}

func openCrew(s *config.Settings) (*crew, error) {
	if err := s.Err(); err != nil {
		return nil, err
	}
	parent, err := cluster.Folder(s)
	if err != nil {
		return nil, err
	}
	c := &crew{folder: filepath.Join(parent, "cluster")}
	if err := os.MkdirAll(c.folder, 0o700); err != nil {
		return nil, err
	}
	if c.lock, err = os.OpenFile(filepath.Join(c.folder, "lock"), os.O_RDWR|os.O_CREATE, 0o600); err != nil {
		return nil, err
	}
	if err := syscall.Flock(int(c.lock.Fd()), syscall.LOCK_EX); err != nil {
		return nil, errors.Join(err, c.lock.Close())
	}
	return c, nil
}

func (c *crew) close() error { return c.lock.Close() }

// A member is a process of the crew.
type member struct {
	name, file string
	pid        int
	started    string // see startOf
	process    *os.Process
}

// String is for people.
func (m *member) String() string { return fmt.Sprintf("%s (pid %d)", m.name, m.pid) }

// running is the processes that are still there, the JobManager first: when it ends, it cancels the jobs that TaskManagers run.
func (c *crew) running() []*member {
	files, _ := filepath.Glob(filepath.Join(c.folder, "*.pid")) // the pattern is right
	slices.Sort(files)
	var all []*member
	for _, f := range files {
		if m := find(f); m != nil {
			all = append(all, m)
		} else {
			_ = os.Remove(f) // of a process that is over; it does no harm
		}
	}
	return all
}

// find is the process of a file; nil: it is over.
func find(file string) *member {
	text, err := os.ReadFile(file)
	if err != nil {
		return nil
	}
	m := &member{name: strings.TrimSuffix(filepath.Base(file), ".pid"), file: file}
	if _, err := fmt.Sscan(string(text), &m.pid, &m.started); err != nil {
		return nil
	}
	if m.process, err = os.FindProcess(m.pid); err != nil || !m.alive() {
		return nil
	}
	return m
}

func (m *member) alive() bool {
	started, err := startOf(m.pid)
	return err == nil && started == m.started
}

// startOf is when a process was started, in ticks since the machine was.
func startOf(pid int) (string, error) {
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	if err != nil {
		return "", err
	}
	fields := strings.Fields(string(text[bytes.LastIndexByte(text, ')')+1:])) // behind the name, which may be anything
	if len(fields) < 20 || fields[0] == "Z" {
		return "", os.ErrProcessDone
	}
	return fields[19], nil
}

// How long a process may take to end when it is asked to, and how often it is looked after.
const (
	endPatience = time.Minute
	endPause    = 5 * time.Millisecond
)

// end ends a process, and waits until it is over.
func (m *member) end() error {
	if err := m.process.Signal(syscall.SIGTERM); err != nil && !errors.Is(err, os.ErrProcessDone) {
		return fmt.Errorf("%v cannot be ended: %w", m, err)
	}
	for late := time.Now().Add(endPatience); m.alive(); time.Sleep(endPause) {
		if time.Now().After(late) {
			return errors.Join(fmt.Errorf("%v did not end when it was told to, and was killed", m), m.process.Kill())
		}
	}
	return os.Remove(m.file)
}
