package rest

import (
	"fmt"
	"log/slog"
	"net/http"
	"sync"

	"github.com/flott-dev/flott/internal/control/view"
	"github.com/flott-dev/flott/internal/decide/diagnose"
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
	options diagnose.Options
	log     *slog.Logger
	mu      struct {
		sync.Mutex
		jobs map[id.Job]*patient
	}
}

// A patient is a job that is looked at.
type patient struct {
	*diagnose.Job
	observed int64 // when it was last
}

// observationsApart is the least time between two, in milliseconds, however many look.
const observationsApart = 900

func newHealth(log *slog.Logger, o diagnose.Options) *health {
	h := &health{options: o, log: log}
	h.mu.jobs = map[id.Job]*patient{}
	return h
}

// observe shows the decider of a job how it is now, unless it has seen it just before.
func (h *health) observe(j *view.Job, managers []*view.TaskManager, at int64) {
	if j.State.Terminal() {
		return
	}
	h.mu.Lock()
	p := h.mu.jobs[j.ID]
	if p == nil {
		p = &patient{Job: diagnose.NewJob(h.options)}
		h.mu.jobs[j.ID] = p
	}
	if !p.due(at) {
		h.mu.Unlock()
		return
	}
	p.observed = at
	before := p.Diagnosis()
	after := p.Observe(observationOf(j, managers, at))
	h.mu.Unlock()
	h.tell(j, before, after)
}

// due says that a job was not observed lately.
func (h *health) due(j id.Job, at int64) bool {
	h.mu.Lock()
	defer h.mu.Unlock()
	p := h.mu.jobs[j]
	return p == nil || p.due(at)
}

// due says so, too, when the clock was set back.
func (p *patient) due(at int64) bool {
	since := at - p.observed
	return since >= observationsApart || since <= -observationsApart
}

// tell logs what has ended and then what has begun, as one may give way to the other. What is only not known is not worth a line.
func (h *health) tell(j *view.Job, before, after diagnose.Diagnosis) {
	begun, ended := diagnose.Changes(before, after)
	log := h.log.With("job", j.Graph.Name, "job_id", j.ID.String())
	for i := range ended {
		if f := &ended[i]; f.Level > diagnose.Pending {
			log.Info("no longer: "+f.Head, "kind", string(f.Kind), "level", f.Level.String())
		}
	}
	for i := range begun {
		if f := &begun[i]; f.Level > diagnose.Pending {
			log.Warn(f.Head, "kind", string(f.Kind), "level", f.Level.String(), "detail", f.Detail, "advice", f.Advice)
		}
	}
}

func (h *health) keep(jobs []*view.Job) {
	h.mu.Lock()
	defer h.mu.Unlock()
	retain(h.mu.jobs, jobs, func(j *view.Job) bool { return !j.State.Terminal() })
}

// diagnosis is all that is to be said of a job.
func (h *health) diagnosis(j *view.Job) diagnose.Diagnosis {
	if j.State.Terminal() {
		return diagnose.Over(endOf(j))
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	if p := h.mu.jobs[j.ID]; p != nil {
		return p.Diagnosis()
	}
	return diagnose.NewJob(h.options).Diagnosis()
}

type jobHealth struct {
	ID     string        `json:"id"`
	Name   string        `json:"name"`
	State  view.JobState `json:"state"`
	Status color         `json:"status"`
	Reason string        `json:"reason"`
}

// job is how a job fares: as its most important finding says.
func (h *health) job(j *view.Job) jobHealth {
	d := h.diagnosis(j)
	r := jobHealth{j.ID.String(), j.Graph.Name, j.State, colors[d.Level], ""}
	if len(d.Findings) > 0 {
		r.Reason = d.Findings[0].Head + ": " + d.Findings[0].Detail
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
