package main

import (
	"bufio"
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"strings"
	"syscall"
	"testing"
	"time"
)

// A running process is a JobManager or a TaskManager.
type running struct {
	*exec.Cmd
	t      *testing.T
	ready  string // the line that says so
	stderr bytes.Buffer
}

// start runs the command as TestMain has put it into the PATH, and waits until it is ready.
func start(t *testing.T, folder string, args ...string) *running {
	t.Helper()
	r := &running{Cmd: exec.Command("flott", args...), t: t}
	r.Dir, r.Env, r.Stderr = folder, append(os.Environ(), "FLOTT_IO_TMP_DIRS="+folder), &r.stderr
	stdout, err := r.StdoutPipe()
	if err == nil {
		err = r.Start()
	}
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = r.Process.Kill() }) // unless it has ended
	r.ready, err = bufio.NewReader(stdout).ReadString('\n')
	if err != nil {
		t.Fatalf("%v is not ready: %v, %v\n%s", args, err, r.Wait(), &r.stderr)
	}
	return r
}

// end sends a signal, and wants exit status 0.
func (r *running) end(s os.Signal) {
	r.t.Helper()
	if err := r.Process.Signal(s); err != nil {
		r.t.Error(err)
	}
	if err := r.Wait(); err != nil {
		r.t.Errorf("%v: %v\n%s", r.Args, err, &r.stderr)
	}
}

// startJobManager starts a JobManager, and gives what a TaskManager's command line must say of it.
func startJobManager(t *testing.T, folder string) (m *running, where []string) {
	t.Helper()
	m = start(t, folder, "jobmanager", "-D", "rest.port=0", "-D", "jobmanager.rpc.port=0")
	ports := readyPorts.FindStringSubmatch(strings.TrimSpace(m.ready))
	if ports == nil {
		t.Fatalf("it says %q", m.ready)
	}
	return m, []string{"taskmanager", "-D", "rest.port=" + ports[1], "-D", "jobmanager.rpc.port=" + ports[2]}
}

func TestSignalsEndProcesses(t *testing.T) {
	folder := t.TempDir()
	m, where := startJobManager(t, folder)
	_, rpc, _ := strings.Cut(m.ready, "RPC ")
	for _, s := range []os.Signal{syscall.SIGTERM, os.Interrupt} {
		w := start(t, folder, where...)
		if want := "flott: TaskManager ready: JobManager " + rpc; w.ready != want {
			t.Errorf("it says %q, want %q", w.ready, want)
		}
		w.end(s)
	}
	m.end(syscall.SIGTERM)
}

// A JobManager and a TaskManager need 0.1 s of a core to start, and have 38 MB together. The bounds are much looser: of time, as machines
// differ; of memory, as this executable has tests in it.
func TestStartIsQuickAndSmall(t *testing.T) {
	folder := t.TempDir()
	m, where := startJobManager(t, folder)
	w := start(t, folder, where...)
	if kb := m.resident() + w.resident(); kb > 80<<10 {
		t.Errorf("they have %d KB", kb)
	}
	w.end(syscall.SIGTERM)
	m.end(syscall.SIGTERM)
	if used := m.used() + w.used(); used > time.Second {
		t.Errorf("they have used %v of a core", used)
	}
}

// used is the time of a core that the process took, once it has ended.
func (r *running) used() time.Duration {
	return r.ProcessState.UserTime() + r.ProcessState.SystemTime()
}

// resident is the memory that the process has, in KB.
func (r *running) resident() (kb int) {
	r.t.Helper()
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", r.Process.Pid))
	if err != nil {
		r.t.Fatal(err)
	}
	_, rss, _ := strings.Cut(string(text), "VmRSS:")
	if _, err := fmt.Sscan(rss, &kb); err != nil {
		r.t.Fatal(err)
	}
	return kb
}
