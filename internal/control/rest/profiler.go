package rest

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"maps"
	"net/http"
	"slices"
	"sync"
	"time"

	"github.com/flott-dev/flott/internal/control/view"
)

// profiles is the profiles that were asked for, the newest of each process that is there. Each is taken in the background; its error is
// the profile's message.
type profiles struct {
	background *background
	mu         struct {
		sync.Mutex
		of map[string][]*profiling
	}
}

const (
	mostProfiles       = 10
	longestProfile     = 10 * time.Minute
	runningProfile     = "RUNNING"
	finishedProfile    = "FINISHED"
	failedProfile      = "FAILED"
	profileContentType = "application/octet-stream"
)

func newProfiles(b *background) *profiles {
	p := &profiles{background: b}
	p.mu.of = map[string][]*profiling{}
	return p
}

// profiling is one profile, under way or done.
type profiling struct {
	Status    string  `json:"status"`
	Mode      string  `json:"mode"`
	Triggered int64   `json:"triggerTime"`
	Finished  *int64  `json:"finishedTime"`
	Duration  int64   `json:"duration"` // seconds
	Message   *string `json:"message"`
	File      *string `json:"outputFile"`
	Legacy    string  `json:"profilingMode"` // the same as mode
	content   []byte
}

type profilingList struct {
	List []profiling `json:"profilingList"`
}

type profilingRequestBody struct {
	Mode     string `json:"mode"`
	Duration int64  `json:"duration"`
}

// kinds is the profiles of Go that answer to Flink's modes.
var kinds = map[string]string{"CPU": "cpu", "ITIMER": "cpu", "WALL": "goroutine", "ALLOC": "allocs", "LOCK": "mutex"}

func (of whose) startProfile(c *call, b profilingRequestBody) (profiling, error) {
	p, err := of(c)
	if err != nil {
		return profiling{}, err
	}
	over := time.Duration(b.Duration) * time.Second
	if kinds[b.Mode] == "" || over <= 0 || over > longestProfile {
		return profiling{}, refuse(http.StatusBadRequest, "A profile has one of the modes CPU, ITIMER, WALL, ALLOC, LOCK, and a duration of 1 to %d seconds.", longestProfile/time.Second)
	}
	return c.server.profiles.start(p, b.Mode, over)
}

func (p *profiles) start(process view.Process, mode string, over time.Duration) (profiling, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	of := p.mu.of[process.Name()]
	if slices.ContainsFunc(of, func(f *profiling) bool { return f.Status == runningProfile }) {
		return profiling{}, internal("%s is being profiled already.", process.Name())
	}
	f := &profiling{Status: runningProfile, Mode: mode, Legacy: mode, Triggered: now(), Duration: int64(over / time.Second)}
	if !p.background.start(func(ctx context.Context) { p.run(ctx, process, f, over) }) {
		return profiling{}, view.ErrUnavailable
	}
	p.mu.of[process.Name()] = append([]*profiling{f}, of[:min(len(of), mostProfiles-1)]...)
	return *f, nil
}

// keep forgets profiles of TaskManagers that are gone.
func (p *profiles) keep(s view.Source) {
	p.mu.Lock()
	defer p.mu.Unlock()
	maps.DeleteFunc(p.mu.of, func(name string, _ []*profiling) bool {
		_, err := s.TaskManager(name)
		return err != nil && name != s.JobManager().Name()
	})
}

func (p *profiles) run(ctx context.Context, process view.Process, f *profiling, over time.Duration) {
	content, err := process.Profile(ctx, kinds[f.Mode], over)
	end := time.Now()
	p.mu.Lock()
	defer p.mu.Unlock()
	at, message := end.UnixMilli(), "Profiling Successful"
	f.Status, f.Finished, f.Message = finishedProfile, &at, &message
	if err != nil {
		f.Status, message = failedProfile, err.Error()
		return
	}
	name := fmt.Sprintf("%s_%s_%s.pb.gz", process.Name(), f.Mode, end.Format("2006-01-02_15_04_05"))
	f.File, f.content = &name, content
}

func (of whose) listProfiles(c *call) (profilingList, error) {
	p, err := of(c)
	if err != nil {
		return profilingList{}, err
	}
	all := profilingList{[]profiling{}}
	profiles := c.server.profiles
	profiles.mu.Lock()
	defer profiles.mu.Unlock()
	for _, f := range profiles.mu.of[p.Name()] {
		all.List = append(all.List, *f)
	}
	return all, nil
}

// profileFile is a profile that is done, for `go tool pprof`.
func (of whose) profileFile(c *call) (io.ReadCloser, error) {
	p, err := of(c)
	if err != nil {
		return nil, err
	}
	profiles := c.server.profiles
	profiles.mu.Lock()
	defer profiles.mu.Unlock()
	for _, f := range profiles.mu.of[p.Name()] {
		if f.File != nil && *f.File == c.PathValue("filename") {
			return io.NopCloser(bytes.NewReader(f.content)), nil
		}
	}
	return nil, refuse(http.StatusNotFound, "The file %s does not exist.", c.PathValue("filename"))
}
