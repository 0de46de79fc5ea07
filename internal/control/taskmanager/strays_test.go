package taskmanager

import (
	"os/exec"
	"path/filepath"
	"syscall"
	"testing"
)

// A process in a session of its own ends with its worker, without a control group, too.
func TestProcessThatLeavesTheGroupOfItsWorker(t *testing.T) {
	h := start(t, nil)
	h.run("w", "stray", "")
	pid := h.line("w")
	h.end("w")
	if e := <-h.exits; e.Cause != nil {
		t.Error(e.Cause)
	}
	gone(t, pid)
	h.clean(t)
}

// What outlived a TaskManager that was killed ends when there is one again; workers of other TaskManagers go on.
func TestProcessesOfAnEarlierTaskManager(t *testing.T) {
	sleep := func(folder string) *exec.Cmd {
		c := exec.Command("sleep", "60")
		c.Env = []string{"FLOTT_WORKER_FOLDER=" + folder}
		c.SysProcAttr = ownGroup() // it ends with the test
		check(t, c.Start())
		return c
	}
	var left, others *exec.Cmd
	start(t, func(o *Options) {
		left, others = sleep(filepath.Join(o.Folder, "3")), sleep(o.Folder+"2/3")
	})
	if err := left.Wait(); err == nil {
		t.Error("a process goes on whose TaskManager is gone")
	}
	check(t, others.Process.Signal(syscall.Signal(0)))
	check(t, others.Process.Kill())
	if err := others.Wait(); err == nil {
		t.Error("it was not killed")
	}
}
