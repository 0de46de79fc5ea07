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
			e.Setenv("HOME", os.Getenv("HOME")) // where Go keeps what it built
			e.Setenv("FLOTT_IO_TMP_DIRS", e.WorkDir)
			e.Defer(func() { stopClusterOf(t, e) })
			withCluster(e)
			return nil
		},
	})
}

// stopClusterOf ends what a script has started and left.
func stopClusterOf(t *testing.T, e *testscript.Env) {
	stop := exec.Command("flott", "cluster", "stop")
	stop.Dir, stop.Env = e.WorkDir, []string{"FLOTT_IO_TMP_DIRS=" + e.WorkDir}
	if said, err := stop.CombinedOutput(); err != nil {
		t.Errorf("%v: %s", err, said)
	}
}
