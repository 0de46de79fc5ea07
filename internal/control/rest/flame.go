package rest

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"maps"
	"net/http"
	"strconv"
	"sync"
	"time"

	"github.com/google/pprof/profile"

	"github.com/flott-dev/flott/internal/control/view"
	"github.com/flott-dev/flott/internal/id"
	"github.com/flott-dev/flott/internal/label"
)

// # Flame graphs
//
// The first question for a job's flame graph starts to sample all its workers, and is answered with "waiting"; who asks again gets
// the last samples, and starts new ones when these are old. Samples are profiles of Go, in which tasks carry labels with the ids of
// vertex and operator and the number of the subtask (package label): on_cpu is the CPU profile, full and off_cpu are the stacks
// of goroutines, looked at many times.

type flameGraph struct {
	End   int64   `json:"endTimestamp"`
	Data  *flame  `json:"data,omitempty"`
	Flott *string `json:"flott,omitempty"` // why there is none
}

// What stands in place of a time where there are no samples.
const (
	flameTerminated int64 = -1
	flameDisabled   int64 = -2
	flameWaiting    int64 = -3
)

// A flame is a function and what it calls, with the number of samples in it.
type flame struct {
	Name     string   `json:"name"`
	Value    int64    `json:"value"`
	Children []*flame `json:"children"`
}

const (
	sampleFor   = 2 * time.Second
	stackLooks  = 20 // at goroutines, in that time
	oldSamples  = 10 * time.Second
	sampleLimit = 30 * time.Second
)

// flames is the samples of jobs. Sampling goes on in the background, and ends after sampleLimit; its error is kept with the samples.
type flames struct {
	source     view.Source
	background *background
	mu         struct {
		sync.Mutex
		of map[sampled]*samples
	}
}

type sampled struct {
	job  id.Job
	kind string // of profile
}

// samples is what was seen last.
type samples struct {
	under bool // new ones are being taken
	at    time.Time
	all   []*profile.Profile
	err   error
}

func newFlames(s view.Source, b *background) *flames {
	f := &flames{source: s, background: b}
	f.mu.of = map[sampled]*samples{}
	return f
}

// keep forgets samples of jobs that do not run any more.
func (f *flames) keep(jobs []*view.Job) {
	runs := map[id.Job]bool{}
	for _, j := range jobs {
		runs[j.ID] = !j.State.Terminal()
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	maps.DeleteFunc(f.mu.of, func(of sampled, s *samples) bool { return !runs[of.job] && !s.under })
}

// last is the newest samples of a job, and makes sure that newer ones come.
func (f *flames) last(of sampled) (s samples, ok bool) {
	f.mu.Lock()
	defer f.mu.Unlock()
	at := f.mu.of[of]
	if at == nil {
		at = &samples{}
		f.mu.of[of] = at
	}
	if !at.under && time.Since(at.at) > oldSamples {
		at.under = f.background.start(func(ctx context.Context) { f.sample(ctx, of) })
	}
	return *at, !at.at.IsZero()
}

// sample looks at all workers of a job at the same time. Those that do not answer are left out, unless all are.
func (f *flames) sample(ctx context.Context, of sampled) {
	ctx, end := context.WithTimeout(ctx, sampleLimit)
	defer end()
	all, err := ofWorkers(ctx, f.source, of.job, func(w view.Process) ([]*profile.Profile, error) { return look(ctx, w, of.kind) })
	f.mu.Lock()
	defer f.mu.Unlock()
	*f.mu.of[of] = samples{at: time.Now(), all: all, err: err}
}

// ofWorkers is what all workers of a job have to show, and the errors of those that have not.
func ofWorkers(ctx context.Context, s view.Source, job id.Job, look func(view.Process) ([]*profile.Profile, error)) ([]*profile.Profile, error) {
	workers, err := s.Workers(ctx, job)
	all := make([]*profile.Profile, 0, len(workers))
	errs := []error{err}
	var mu sync.Mutex
	var looking sync.WaitGroup
	for _, w := range workers {
		looking.Go(func() {
			seen, err := look(w)
			mu.Lock()
			defer mu.Unlock()
			all, errs = append(all, seen...), append(errs, err)
		})
	}
	looking.Wait()
	return all, errors.Join(errs...)
}

// look samples one worker for a while.
func look(ctx context.Context, w view.Process, kind string) ([]*profile.Profile, error) {
	if kind == "cpu" {
		return one(take(ctx, w, kind, sampleFor))
	}
	var all []*profile.Profile
	tick := time.NewTicker(sampleFor / stackLooks)
	defer tick.Stop()
	for range stackLooks {
		p, err := take(ctx, w, kind, 0)
		if err != nil {
			return all, err
		}
		all = append(all, p)
		select {
		case <-tick.C:
		case <-ctx.Done():
			return all, ctx.Err()
		}
	}
	return all, nil
}

func take(ctx context.Context, w view.Process, kind string, over time.Duration) (*profile.Profile, error) {
	content, err := w.Profile(ctx, kind, over)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", w.Name(), err)
	}
	p, err := profile.Parse(bytes.NewReader(content))
	if err != nil {
		return nil, fmt.Errorf("%s: %w", w.Name(), err)
	}
	return p, nil
}

// one is a list of one profile, unless it could not be had.
func one(p *profile.Profile, err error) ([]*profile.Profile, error) {
	if err != nil {
		return nil, err
	}
	return []*profile.Profile{p}, nil
}

// flameGraph is the flame graph of a vertex, or one of its subtasks.
func (c *call) flameGraph() (flameGraph, error) {
	kind, blocked := "goroutine", c.param("type") == "off_cpu"
	switch c.param("type") {
	case "", "full", "FULL", "off_cpu", "OFF_CPU":
		blocked = blocked || c.param("type") == "OFF_CPU"
	case "on_cpu", "ON_CPU":
		kind = "cpu"
	default:
		return flameGraph{}, c.badQuery("type")
	}
	p, err := c.vertex()
	if err != nil {
		return flameGraph{}, err
	}
	want := selection{vertex: p.graph.ID.String(), blocked: blocked}
	if want.subtask, err = c.subtaskLabel(p); err != nil {
		return flameGraph{}, err
	}
	if p.job.State.Terminal() {
		return flameGraph{End: flameTerminated}, nil
	}
	s, ok := c.server.flames.last(sampled{p.job.ID, kind})
	switch {
	case !ok:
		return flameGraph{End: flameWaiting}, nil
	case len(s.all) == 0 && s.err != nil:
		why := s.err.Error()
		return flameGraph{End: flameDisabled, Flott: &why}, nil
	}
	return flameGraph{End: s.at.UnixMilli(), Data: want.tree(s.all)}, nil
}

// subtaskLabel is the label of the subtask that is asked for; "": all are.
func (c *call) subtaskLabel(p place) (string, error) {
	given := c.param("subtaskindex")
	if given == "" {
		return "", nil
	}
	n, err := strconv.Atoi(given)
	switch {
	case err != nil || n < 0:
		return "", c.badQuery("subtaskindex")
	case n >= len(p.now.Subtasks):
		return "", refuse(http.StatusNotFound, "Invalid subtask index for vertex %s", p.graph.ID)
	}
	return fmt.Sprintf("(%d/%d)", n+1, p.now.Parallelism), nil
}

// A selection is the samples that are wanted.
type selection struct {
	vertex, subtask string // subtask "": all
	blocked         bool   // only what waits
}

func (w selection) has(s *profile.Sample) bool {
	if !s.HasLabel(label.Vertex, w.vertex) || w.subtask != "" && !s.HasLabel(label.Subtask, w.subtask) {
		return false
	}
	return !w.blocked || len(s.Location) > 0 && len(s.Location[0].Line) > 0 && s.Location[0].Line[0].Function.Name == "runtime.gopark"
}

// tree adds up the samples, from the outermost function to the innermost. Operators come first, where labels name them.
func (w selection) tree(all []*profile.Profile) *flame {
	root := &flame{Name: "root", Children: []*flame{}}
	for _, p := range all {
		for _, s := range p.Sample {
			if w.has(s) && s.Value[0] > 0 {
				root.add(s)
			}
		}
	}
	return root
}

func (f *flame) add(s *profile.Sample) {
	n := s.Value[0]
	f.Value += n
	at := f
	for _, operator := range s.Label[label.Operator] {
		at = at.child("operator "+operator, n)
	}
	for i := len(s.Location) - 1; i >= 0; i-- {
		lines := s.Location[i].Line
		for k := len(lines) - 1; k >= 0; k-- {
			at = at.child(fmt.Sprintf("%s:%d", lines[k].Function.Name, lines[k].Line), n)
		}
	}
}

func (f *flame) child(name string, n int64) *flame {
	for _, c := range f.Children {
		if c.Name == name {
			c.Value += n
			return c
		}
	}
	c := &flame{Name: name, Value: n, Children: []*flame{}}
	f.Children = append(f.Children, c)
	return c
}
