package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"
)

func TestMain(m *testing.M) {
	testscript.Main(m, map[string]func(){"flott": main})
}

// TestScripts runs the command as a user would, on programs that are built once.
func TestScripts(t *testing.T) {
	jobs, err := filepath.Abs("testdata/jobs")
	if err != nil {
		t.Fatal(err)
	}
	bin := t.TempDir()
	build := exec.Command("go", "build", "-o", bin+"/", "./testdata/jobs/...")
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	testscript.Run(t, testscript.Params{
		Dir:  "testdata/script",
		Cmds: scriptCommands,
		Setup: func(e *testscript.Env) error {
			e.Setenv("JOBS", jobs)
			e.Setenv("ROOT", filepath.Join(jobs, "../../../.."))
			e.Setenv("BIN", bin)
			for _, key := range []string{"HOME", "GOCACHE", "GOMODCACHE", "GOPROXY"} { // where Go keeps what it built, and has modules from
				e.Setenv(key, os.Getenv(key))
			}
			e.Setenv("FLOTT_IO_TMP_DIRS", e.WorkDir)
			e.Defer(func() {
				if left := processesLeft(e.WorkDir); len(left) > 0 {
					e.T().Fatal("processes are left:", left)
				}
			})
			e.Defer(func() { stopClusterOf(t, e) })
			withCluster(e)
			return nil
		},
	})
}

// Of a script's processes those are seen that it has started itself, such as clients.
func TestProcessesOfAScript(t *testing.T) {
	work := t.TempDir()
	client := exec.Command("sleep", "60")
	client.Env = []string{"WORK=" + work}
	if err := client.Start(); err != nil {
		t.Fatal(err)
	}
	if found := processesOf(work); len(found) != 1 || found[0] != client.Process.Pid {
		t.Errorf("the processes are %v, want %d", found, client.Process.Pid)
	}
	if err := client.Process.Kill(); err != nil {
		t.Error(err)
	}
	_ = client.Wait() // it was killed
	if left := processesLeft(work); len(left) > 0 {
		t.Errorf("%v is left", left)
	}
}

// stopClusterOf ends what a script has started and left.
func stopClusterOf(t *testing.T, e *testscript.Env) {
	stop := exec.Command("flott", "cluster", "stop")
	stop.Dir, stop.Env = e.WorkDir, []string{"FLOTT_IO_TMP_DIRS=" + e.WorkDir}
	if said, err := stop.CombinedOutput(); err != nil {
		t.Errorf("%v: %s", err, said)
	}
}
