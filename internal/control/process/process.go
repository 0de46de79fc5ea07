// Package process is the process that it runs in, as a view.Process: what it uses, its logs, stacks and profiles. JobManager,
// TaskManager and worker all have one.
package process

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"runtime/pprof"
	"slices"
	"strings"
	"time"

	"github.com/flott-dev/flott/internal/control/view"
)

// Options are what a process cannot find out about itself.
type Options struct {
	Version   string // of flott
	LogDir    string // "": it writes no log files
	LogFile   string // its main one, a name in LogDir
	LogPrefix string // how the names of its files begin, where others write to LogDir, too
	Limit     int64  // memory that it may use, in bytes; 0: as much as there is
}

// Out is how the names of log files end that have what is printed. When such a file has grown large it gets the end Old, and another
// one takes its place.
const (
	Out = ".out"
	Old = ".1"
)

// started is when this process began, or nearly.
var started = time.Now()

// A Self is this process.
type Self struct {
	name    string
	options Options
	load    Load
}

// New is this process under a name, such as "JobManager".
func New(name string, o Options) *Self { return &Self{name: name, options: o} }

// Name is the name that it was given.
func (s *Self) Name() string { return s.name }

// Figures is what it uses now.
func (s *Self) Figures(context.Context) (view.Figures, error) {
	f := figures(&s.load)
	f.Limit = s.options.Limit
	return f, nil
}

// Logs is the files of its log folder.
func (s *Self) Logs(context.Context) ([]view.LogFile, error) {
	if s.options.LogDir == "" {
		return nil, nil
	}
	entries, err := os.ReadDir(s.options.LogDir)
	if err != nil {
		return nil, err
	}
	var all []view.LogFile
	for _, e := range entries {
		info, err := e.Info()
		if err == nil && info.Mode().IsRegular() && s.owns(e.Name()) { // or it is gone by now
			all = append(all, view.LogFile{Name: e.Name(), Size: info.Size(), Modified: info.ModTime().UnixMilli()})
		}
	}
	return all, nil
}

func (s *Self) owns(name string) bool { return strings.HasPrefix(name, s.options.LogPrefix) }

// Log is a file of its log folder, from a byte on. A name that leads out of it is that of no file.
func (s *Self) Log(_ context.Context, name string, from int64) (io.ReadCloser, error) {
	if name == "" {
		name = s.options.LogFile
	}
	switch {
	case s.options.LogDir == "" || name == "":
		return nil, fmt.Errorf("log of %s: %w: it goes to where the process was started", s.name, view.ErrUnavailable)
	case !filepath.IsLocal(name) || filepath.Base(name) != name || !s.owns(name):
		return nil, fmt.Errorf("log %q: %w", name, view.ErrUnknownFile)
	}
	return open(filepath.Join(s.options.LogDir, name), from)
}

// Stdout is what was printed: all its files of that, oldest first.
func (s *Self) Stdout(ctx context.Context) (io.ReadCloser, error) {
	if s.options.LogDir == "" {
		return nil, fmt.Errorf("output of %s: %w: it goes to where the process was started", s.name, view.ErrUnavailable)
	}
	all, err := s.Logs(ctx)
	if err != nil {
		return nil, err
	}
	all = slices.DeleteFunc(all, func(f view.LogFile) bool { return !strings.HasSuffix(strings.TrimSuffix(f.Name, Old), Out) })
	slices.SortStableFunc(all, func(x, y view.LogFile) int { return cmp.Compare(x.Modified, y.Modified) })
	p := &parts{}
	for _, f := range all {
		p.paths = append(p.paths, filepath.Join(s.options.LogDir, f.Name))
	}
	return p, nil
}

func open(path string, from int64) (io.ReadCloser, error) {
	f, err := os.Open(path)
	if os.IsNotExist(err) {
		return nil, fmt.Errorf("log %q: %w", filepath.Base(path), view.ErrUnknownFile)
	}
	if err != nil {
		return nil, err
	}
	if _, err := f.Seek(from, io.SeekStart); err != nil {
		return nil, errors.Join(err, f.Close())
	}
	return f, nil
}

// Goroutines is the stacks of all goroutines.
func (s *Self) Goroutines(context.Context) ([]byte, error) {
	var b bytes.Buffer
	err := pprof.Lookup("goroutine").WriteTo(&b, 2)
	return b.Bytes(), err
}

// Profile is a profile of this process. There can be one CPU profile at a time.
func (s *Self) Profile(ctx context.Context, kind string, over time.Duration) ([]byte, error) {
	var b bytes.Buffer
	if kind == "cpu" {
		if err := pprof.StartCPUProfile(&b); err != nil {
			return nil, fmt.Errorf("%s: %w: %w", s.name, view.ErrUnavailable, err)
		}
		sleep(ctx, over)
		pprof.StopCPUProfile()
		return b.Bytes(), ctx.Err()
	}
	p := pprof.Lookup(kind)
	if p == nil {
		return nil, fmt.Errorf("profile %q: %w", kind, view.ErrUnavailable)
	}
	if kind == "mutex" {
		defer runtime.SetMutexProfileFraction(runtime.SetMutexProfileFraction(100))
		sleep(ctx, over)
	}
	err := p.WriteTo(&b, 0)
	return b.Bytes(), err
}

func sleep(ctx context.Context, d time.Duration) {
	select {
	case <-ctx.Done():
	case <-time.After(d):
	}
}

// Environment is how it was built and started. Of the variables it tells flott's own. Secrets are masked.
func (s *Self) Environment(context.Context) (view.Environment, error) {
	e := view.Environment{
		GoVersion: runtime.Version(), Platform: runtime.GOOS + "/" + runtime.GOARCH, Version: s.options.Version,
		Args: arguments(os.Args), Variables: variables(os.Environ()),
		Pid: os.Getpid(), Started: started.UnixMilli(), CPUs: runtime.NumCPU(), MaxProcs: runtime.GOMAXPROCS(0),
	}
	if limit := debug.SetMemoryLimit(-1); limit != math.MaxInt64 { // which asks only
		e.MemoryLimit = limit
	}
	if info, ok := debug.ReadBuildInfo(); ok {
		for _, m := range info.Deps {
			e.Modules = append(e.Modules, m.Path+" "+m.Version)
		}
	}
	return e, nil
}
