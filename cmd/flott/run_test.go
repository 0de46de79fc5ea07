package main

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/flott-dev/flott/internal/control/client"
)

// A go command in its place says what it was asked for.
func TestProgramIsBuiltForTheCluster(t *testing.T) {
	bin, dir := t.TempDir(), t.TempDir()
	const script = "#!/bin/sh\necho $GOOS $GOARCH $CGO_ENABLED $PWD $1 >$3\nchmod +x $3\n"
	if err := os.WriteFile(filepath.Join(bin, "go"), []byte(script), 0o700); err != nil {
		t.Fatal(err)
	}
	t.Setenv("PATH", bin+":"+os.Getenv("PATH"))
	p, err := findProgram("testdata/jobs/steps")
	check(t, err)
	variables, err := p.binaryFor(t.Context(), client.Platform{OS: "plan9", Arch: "mips"}, dir, os.Stderr)
	check(t, err)
	path, ok := strings.CutPrefix(variables[0], "FLOTT_BINARY=")
	text, err := os.ReadFile(path)
	if want := "plan9 mips 0 "; !ok || err != nil || !strings.HasPrefix(string(text), want) || !strings.HasSuffix(string(text), "jobs/steps build\n") {
		t.Errorf("%v: %s, %v", variables, text, err)
	}
}

func TestBinaryOfAnotherPlatformIsTheUsers(t *testing.T) {
	p := program{path: "/bin/sh"}
	there := client.Platform{OS: "plan9", Arch: "mips"}
	if _, err := p.binaryFor(t.Context(), there, "", os.Stderr); err == nil || !strings.Contains(err.Error(), "runs on plan9/mips") || !strings.Contains(err.Error(), "FLOTT_BINARY") {
		t.Errorf("the error is %v", err)
	}
	t.Setenv("FLOTT_BINARY", "theirs")
	if v, err := p.binaryFor(t.Context(), there, "", os.Stderr); err != nil || v != nil {
		t.Errorf("%v, %v", v, err)
	}
}

// What the command line says wins over variables, which win over the file that it names.
func TestVariablesOfAProgram(t *testing.T) {
	file := filepath.Join(t.TempDir(), "other.yaml")
	check(t, os.WriteFile(file, []byte("parallelism.default: 2\npipeline.max-parallelism: 64\n"), 0o600))
	t.Setenv("FLOTT_ROLE", "plan")
	t.Setenv("FLOTT_PARALLELISM_DEFAULT", "3")
	r, _, err := parseRun([]string{"--config", file, "-D", "security.token=x", "program", "--env", "A=1", "--env", "B", "-p", "4", "--", "-p", "5"}, nil)
	check(t, err)
	if r.program != "program" || !slices.Equal(r.args, []string{"-p", "5"}) {
		t.Errorf("%+v", r)
	}
	last := map[string]string{}
	for _, v := range r.environment("http://h:1") {
		name, value, _ := strings.Cut(v, "=")
		last[name] = value
	}
	for name, want := range map[string]string{
		"FLOTT_JOBMANAGER": "http://h:1", "FLOTT_PARALLELISM_DEFAULT": "4", "FLOTT_PIPELINE_MAX_PARALLELISM": "64",
		"FLOTT_SECURITY_TOKEN": "x", "A": "1", "FLOTT_RUN_ENV": "A\nB", "FLOTT_ROLE": "", "FLOTT_JOB_ID": "",
	} {
		if last[name] != want {
			t.Errorf("%s is %q, want %q", name, last[name], want)
		}
	}
	r.parallelism = ""
	if i := slices.Index(r.environment(""), "FLOTT_PARALLELISM_DEFAULT=3"); i < slices.Index(r.environment(""), "FLOTT_PARALLELISM_DEFAULT=2") {
		t.Error("the file wins over a variable")
	}
}
