package process_test

import (
	"bytes"
	"context"
	"errors"
	"io"
	"math"
	"os"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"strings"
	"testing"
	"time"

	"github.com/flott-dev/flott/internal/control/process"
	"github.com/flott-dev/flott/internal/control/view"
	"github.com/google/pprof/profile"
)

var _ view.Process = (*process.Self)(nil)

func TestFigures(t *testing.T) {
	p := process.New("JobManager", process.Options{Limit: 1 << 30})
	f, err := p.Figures(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if f.Pid != os.Getpid() || f.HeapUsed <= 0 || f.HeapCommitted < f.HeapUsed || f.Goroutines < 1 || f.CPU <= 0 || f.Limit != 1<<30 || f.Resident <= 0 {
		t.Errorf("%+v", f)
	}
}

// folder has the log files of several processes, and a file beside it.
func folder(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	logs := filepath.Join(dir, "log")
	if err := os.Mkdir(logs, 0o700); err != nil {
		t.Fatal(err)
	}
	at := time.Now()
	for _, f := range [][2]string{{"log/flott.log", "main"}, {"log/worker-b.out.1", "1 "}, {"log/worker-b.out", "2 "}, {"log/worker-a.log", "other"}, {"log/worker-a.out", "3"}, {"secret", "secret"}} {
		path := filepath.Join(dir, f[0])
		at = at.Add(time.Second) // each is newer than the one before
		if err := errors.Join(os.WriteFile(path, []byte(f[1]), 0o600), os.Chtimes(path, at, at)); err != nil {
			t.Fatal(err)
		}
	}
	return logs
}

func TestLogs(t *testing.T) {
	p := process.New("tm", process.Options{LogDir: folder(t), LogFile: "flott.log"})
	if all, err := p.Logs(t.Context()); err != nil || len(all) != 5 || all[0].Name != "flott.log" || all[0].Size != 4 || all[0].Modified == 0 {
		t.Errorf("%+v, %v", all, err)
	}
	for name, want := range map[string]string{"": "main", "flott.log": "main", "worker-a.log": "other"} {
		if got := read(t, logFrom(p, 0), name); got != want {
			t.Errorf("log %q is %q", name, got)
		}
	}
	for from, want := range map[int64]string{2: "in", 4: "", 100: ""} {
		if got := read(t, logFrom(p, from), ""); got != want {
			t.Errorf("the log from %d on is %q", from, got)
		}
	}
	if got := read(t, printed(p), ""); got != "1 2 3" {
		t.Errorf("output %q", got)
	}
	for _, name := range []string{"../secret", "none.log", "..", "/etc/passwd", "a/../flott.log"} {
		if _, err := p.Log(t.Context(), name, 0); !errors.Is(err, view.ErrUnknownFile) {
			t.Errorf("log %q: %v", name, err)
		}
	}
}

func TestLogsBesideThoseOfOthers(t *testing.T) {
	p := process.New("w", process.Options{LogDir: folder(t), LogFile: "worker-a.log", LogPrefix: "worker-a."})
	if all, err := p.Logs(t.Context()); err != nil || len(all) != 2 {
		t.Errorf("%+v, %v", all, err)
	}
	if got := read(t, logFrom(p, 0), ""); got != "other" {
		t.Errorf("log %q", got)
	}
	if got := read(t, printed(p), ""); got != "3" {
		t.Errorf("output %q", got)
	}
	if _, err := p.Log(t.Context(), "flott.log", 0); !errors.Is(err, view.ErrUnknownFile) {
		t.Error(err)
	}
}

func TestNothingWasPrinted(t *testing.T) {
	if got := read(t, printed(process.New("jm", process.Options{LogDir: t.TempDir()})), ""); got != "" {
		t.Errorf("output %q", got)
	}
}

func TestLogsThatGoElsewhere(t *testing.T) {
	p := process.New("tm", process.Options{})
	if _, err := p.Log(t.Context(), "", 0); !errors.Is(err, view.ErrUnavailable) {
		t.Error(err)
	}
	if _, err := p.Stdout(t.Context()); !errors.Is(err, view.ErrUnavailable) {
		t.Error(err)
	}
}

func logFrom(p *process.Self, from int64) func(context.Context, string) (io.ReadCloser, error) {
	return func(ctx context.Context, name string) (io.ReadCloser, error) { return p.Log(ctx, name, from) }
}

func printed(p *process.Self) func(context.Context, string) (io.ReadCloser, error) {
	return func(ctx context.Context, _ string) (io.ReadCloser, error) { return p.Stdout(ctx) }
}

func read(t *testing.T, open func(context.Context, string) (io.ReadCloser, error), name string) string {
	t.Helper()
	f, err := open(t.Context(), name)
	if err != nil {
		t.Fatal(err)
	}
	data, err := io.ReadAll(f)
	if err := errors.Join(err, f.Close()); err != nil {
		t.Fatal(err)
	}
	return string(data)
}

func TestProfiles(t *testing.T) {
	p := process.New("tm", process.Options{})
	for _, kind := range []string{"goroutine", "heap", "allocs", "mutex", "cpu"} {
		content, err := p.Profile(t.Context(), kind, time.Millisecond)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := profile.Parse(bytes.NewReader(content)); err != nil {
			t.Errorf("%s: %v", kind, err)
		}
	}
	if _, err := p.Profile(t.Context(), "nosuch", 0); !errors.Is(err, view.ErrUnavailable) {
		t.Error(err)
	}
	stacks, err := p.Goroutines(t.Context())
	if err != nil || !strings.Contains(string(stacks), "TestProfiles") {
		t.Errorf("%v: %s", err, stacks)
	}
}

func TestEnvironmentSaysWhatGoMayUse(t *testing.T) {
	defer debug.SetMemoryLimit(debug.SetMemoryLimit(1 << 40))
	e, err := process.New("JobManager", process.Options{}).Environment(t.Context())
	if err != nil || e.MemoryLimit != 1<<40 || e.MaxProcs != runtime.GOMAXPROCS(0) || e.CPUs != runtime.NumCPU() || e.Pid != os.Getpid() {
		t.Errorf("%+v %v", e, err)
	}
	if began := time.UnixMilli(e.Started); time.Since(began) < 0 || time.Since(began) > time.Hour {
		t.Errorf("it began at %v", began)
	}
	debug.SetMemoryLimit(math.MaxInt64)
	if e, err = process.New("JobManager", process.Options{}).Environment(t.Context()); e.MemoryLimit != 0 {
		t.Errorf("without a limit it is %d %v", e.MemoryLimit, err)
	}
}

func TestEnvironmentMasksSecrets(t *testing.T) {
	t.Setenv("FLOTT_REST_TOKEN", "hush")
	t.Setenv("FLOTT_REST_PORT", "8081")
	t.Setenv("MY_PASSWORD", "hush")
	before := os.Args
	defer func() { os.Args = before }()
	os.Args = []string{"flott", "-D", "security.token=hush", "rest.port=1"}
	e, err := process.New("JobManager", process.Options{Version: "1.2.3"}).Environment(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	values := map[string]string{}
	for _, v := range e.Variables {
		values[v.Key] = v.Value
	}
	if _, there := values["MY_PASSWORD"]; there || values["FLOTT_REST_TOKEN"] != "******" || values["FLOTT_REST_PORT"] != "8081" || e.Version != "1.2.3" ||
		strings.Join(e.Args, " ") != "flott -D security.token=****** rest.port=1" {
		t.Errorf("%+v", e)
	}
}
