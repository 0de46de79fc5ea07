package rest

import (
	"fmt"
	"net/http"
	"sync"

	"github.com/flott-dev/flott/internal/control/view"
	"github.com/flott-dev/flott/internal/decide/diagnose"
	"github.com/flott-dev/flott/internal/graph/execgraph"
	"github.com/flott-dev/flott/internal/id"
)

// A color says how a job fares. Red means that it does not get on, and nothing else.
type color string

const (
	green   color = "green"
	amber   color = "amber"
	red     color = "red"
	unknown color = "unknown" // too little was seen yet; never shown as good
)

var colors = map[diagnose.Level]color{diagnose.OK: green, diagnose.Pending: unknown, diagnose.Warn: amber, diagnose.Stalled: red}

// health has a decider for each running job.
type health struct {
	mu struct {
		sync.Mutex
		jobs map[id.Job]*diagnose.Job
	}
}

func newHealth() *health {
	h := &health{}
	h.mu.jobs = map[id.Job]*diagnose.Job{}
	return h
}

// observe shows the decider of a job how it is now.
func (h *health) observe(j *view.Job, at int64) {
	h.mu.Lock()
	defer h.mu.Unlock()
	d := h.mu.jobs[j.ID]
	if d == nil {
		d = diagnose.NewJob()
		h.mu.jobs[j.ID] = d
	}
	d.Observe(observationOf(j, at))
}

func (h *health) keep(jobs []*view.Job) {
	h.mu.Lock()
	defer h.mu.Unlock()
	retain(h.mu.jobs, jobs, func(j *view.Job) bool { return !j.State.Terminal() })
}

func observationOf(j *view.Job, at int64) diagnose.Observation {
	o := diagnose.Observation{At: at, Running: j.State == view.Running, Waiting: j.Waiting}
	for i := range j.Failures.Newest {
		o.Causes = append(o.Causes, firstLine(j.Failures.Newest[i].Text))
	}
	for v := range j.Vertices {
		p := place{j, v, &j.Graph.Vertices[v], &j.Vertices[v]}
		for i, a := range current(p.now) {
			switch {
			case a.State.Terminal():
			case a.State != execgraph.Running || a.Metrics == nil:
				o.Running = false
			default:
				o.Tasks = append(o.Tasks, taskOf(p, i, a))
			}
		}
	}
	return o
}

func taskOf(p place, subtask int, a *view.Attempt) diagnose.Task {
	m := a.Metrics
	t := diagnose.Task{
		Vertex: p.index, Subtask: subtask, Attempt: a.Execution.Attempt,
		Name:      fmt.Sprintf("%s (%d/%d)", p.graph.Name, subtask+1, p.now.Parallelism),
		Watermark: watermarkOf(p, m), Busy: m.Busy, Idle: m.Idle, BackPressured: m.BackPressured,
	}
	for i := range m.Operators {
		t.Records += m.Operators[i].RecordsIn + m.Operators[i].RecordsOut
	}
	return t
}

type jobHealth struct {
	ID     string        `json:"id"`
	Name   string        `json:"name"`
	State  view.JobState `json:"state"`
	Status color         `json:"status"`
	Reason string        `json:"reason"`
}

// job is how a job fares: a failed one is red, whatever it did before.
func (h *health) job(j *view.Job) jobHealth {
	r := jobHealth{j.ID.String(), j.Graph.Name, j.State, green, ""}
	switch {
	case j.State == view.Failed:
		r.Status, r.Reason = red, "failed: "+firstLine(rootCause(j))
	case !j.State.Terminal():
		h.mu.Lock()
		defer h.mu.Unlock()
		v := diagnose.Verdict{Level: diagnose.Pending, Reason: "not observed yet"}
		if d := h.mu.jobs[j.ID]; d != nil {
			v = d.Verdict()
		}
		r.Status, r.Reason = colors[v.Level], v.Reason
	}
	return r
}

type healthBody struct {
	Status color       `json:"status"`
	Reason string      `json:"reason"`
	Jobs   []jobHealth `json:"jobs"` // that are not over
}

// badness orders colors: a job that nothing is known of yet is better than one in trouble.
var badness = map[color]int{green: 0, unknown: 1, amber: 2, red: 3}

// of is how a cluster fares: as the worst of its jobs that are not over.
func (h *health) of(jobs []*view.Job) healthBody {
	b := healthBody{Status: green, Jobs: []jobHealth{}}
	for _, j := range jobs {
		if j.State.Terminal() {
			continue
		}
		one := h.job(j)
		b.Jobs = append(b.Jobs, one)
		if badness[one.Status] > badness[b.Status] {
			b.Status, b.Reason = one.Status, fmt.Sprintf("job %q: %s", one.Name, one.Reason)
		}
	}
	return b
}

// serveHealth answers 503 when a running job makes no progress, so that a probe need not read.
func serveHealth(s *Server, w http.ResponseWriter, c *call) error {
	jobs, err := s.source.Jobs(c.Context())
	if err != nil {
		return err
	}
	b, status := s.health.of(jobs), http.StatusOK
	if b.Status == red {
		status = http.StatusServiceUnavailable
	}
	s.answer(w, c, status, b)
	return nil
}
