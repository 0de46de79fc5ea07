package main

import (
	"bufio"
	"bytes"
	"os"
	"os/exec"
	"strings"
	"syscall"
	"testing"
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

func TestSignalsEndProcesses(t *testing.T) {
	folder := t.TempDir()
	m := start(t, folder, "jobmanager", "-D", "rest.port=0", "-D", "jobmanager.rpc.port=0")
	ports := readyPorts.FindStringSubmatch(strings.TrimSpace(m.ready))
	if ports == nil {
		t.Fatalf("it says %q", m.ready)
	}
	at := []string{"-D", "rest.port=" + ports[1], "-D", "jobmanager.rpc.port=" + ports[2]}
	for _, s := range []os.Signal{syscall.SIGTERM, os.Interrupt} {
		w := start(t, folder, append([]string{"taskmanager"}, at...)...)
		if want := "flott: TaskManager ready: JobManager 127.0.0.1:" + ports[2] + "\n"; w.ready != want {
			t.Errorf("it says %q, want %q", w.ready, want)
		}
		w.end(s)
	}
	m.end(syscall.SIGTERM)
}
