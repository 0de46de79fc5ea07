package rest

import (
	"context"
	"encoding/json"
	"slices"
	"sync"

	"github.com/flott-dev/flott/internal/control/view"
	"github.com/flott-dev/flott/internal/decide/diagnose"
	"github.com/flott-dev/flott/internal/id"
)

// # Diagnosis
//
// Whoever looks at a job shows it to its decider, too, at most once a second: each second while a page listens, and every few seconds
// otherwise. What the decider has found is the same for all: GET /jobs/:jobid/flott/diagnosis, the event diagnosis, health with its
// reason, and the log of the JobManager.

type diagnosisBody struct {
	Level      string        `json:"level"` // ok, pending, warn, stalled: of the worst finding
	Findings   []findingBody `json:"findings"`
	Bottleneck *placeBody    `json:"bottleneck"` // null: there is none, or it is not known
	Watermark  watermarkBody `json:"watermark"`
	Since      int64         `json:"since"`
}

type findingBody struct {
	Kind    diagnose.Kind    `json:"kind"`
	Level   string           `json:"level"`
	Head    string           `json:"head"`
	Detail  string           `json:"detail"`
	Advice  string           `json:"advice"`
	Vertex  string           `json:"vertex,omitempty"`
	Subtask *int             `json:"subtask,omitempty"`
	Figures map[string]int64 `json:"figures"`
	Path    []string         `json:"path"`
	Since   int64            `json:"since"`
}

type placeBody struct {
	Vertex  string `json:"vertex"`
	Subtask int    `json:"subtask"`
}

// watermarkBody is how far event time has come where the job ends, and what holds it back.
type watermarkBody struct {
	Value  *int64      `json:"value"`  // null: there is none, or it is at its end
	Behind *int64      `json:"behind"` // milliseconds behind the split that is furthest ahead; null: that is not known
	HeldBy *holderBody `json:"heldBy"` // null: nobody
	Path   []string    `json:"path"`   // from there to where the job ends
}

type holderBody struct {
	placeBody
	Split string `json:"split,omitempty"`
}

func diagnosisOf(j *view.Job, d diagnose.Diagnosis) diagnosisBody {
	b := diagnosisBody{Level: d.Level.String(), Findings: []findingBody{}, Watermark: watermarkBodyOf(j, &d.EventTime), Since: d.Since}
	for i := range d.Findings {
		b.Findings = append(b.Findings, findingOf(j, &d.Findings[i]))
	}
	if d.Bottleneck != nil {
		at := placeOn(j, *d.Bottleneck)
		b.Bottleneck = &at
	}
	return b
}

func findingOf(j *view.Job, f *diagnose.Finding) findingBody {
	b := findingBody{
		Kind: f.Kind, Level: f.Level.String(), Head: f.Head, Detail: f.Detail, Advice: f.Advice,
		Figures: f.Figures, Path: verticesOn(j, f.Path), Since: f.Since,
	}
	if b.Figures == nil {
		b.Figures = map[string]int64{}
	}
	if f.Where != nil {
		at := placeOn(j, *f.Where)
		b.Vertex, b.Subtask = at.Vertex, &at.Subtask
	}
	return b
}

func placeOn(j *view.Job, p diagnose.Place) placeBody {
	return placeBody{j.Graph.Vertices[p.Vertex].ID.String(), p.Subtask}
}

func verticesOn(j *view.Job, path []int) []string {
	all := []string{}
	for _, v := range path {
		all = append(all, j.Graph.Vertices[v].ID.String())
	}
	return all
}

func watermarkBodyOf(j *view.Job, t *diagnose.EventTime) watermarkBody {
	b := watermarkBody{Path: verticesOn(j, t.Path)}
	if t.Value != diagnose.None && t.Value != diagnose.End {
		b.Value = &t.Value
	}
	if t.Behind != diagnose.Unknown {
		b.Behind = &t.Behind
	}
	if t.HeldBy != nil {
		b.HeldBy = &holderBody{placeOn(j, t.HeldBy.Place), t.HeldBy.Split}
	}
	return b
}

func (c *call) diagnosis() (diagnosisBody, error) {
	j, err := c.job()
	if err != nil {
		return diagnosisBody{}, err
	}
	return diagnosisOf(j, c.server.health.diagnosis(j)), nil
}

// look is a job as it is now; its decider sees it, too, unless it has just done so.
func (s *Server) look(ctx context.Context, want id.Job) (*view.Job, error) {
	j, err := s.history.job(ctx, want)
	if err == nil && s.health.due(want, now()) {
		s.health.observe(j, s.managers(ctx), now())
	}
	return j, err
}

// managers is the TaskManagers; none, if they cannot be told just now.
func (s *Server) managers(ctx context.Context) []*view.TaskManager {
	all, err := s.source.TaskManagers(ctx)
	if err != nil {
		return nil
	}
	return all
}

// lookAtAll looks at jobs that are not over, unless somebody has just done so. Jobs whose workers do not answer keep no others waiting.
func (s *Server) lookAtAll(ctx context.Context, jobs []*view.Job) {
	due := slices.DeleteFunc(slices.Clone(jobs), func(j *view.Job) bool { return j.State.Terminal() || !s.health.due(j.ID, now()) })
	if len(due) == 0 {
		return
	}
	managers := s.managers(ctx)
	var looking sync.WaitGroup
	for _, j := range due {
		looking.Go(func() {
			if j, err := s.history.job(ctx, j.ID); err == nil { // one that is not there any more is no loss
				s.health.observe(j, managers, now())
			}
		})
	}
	looking.Wait()
}

// diagnose sends how the job of the page fares, when that has changed.
func (f *feed) diagnose(j *view.Job) error {
	body, err := json.Marshal(diagnosisOf(j, f.server.health.diagnosis(j)))
	if err != nil || string(body) == f.told {
		return err
	}
	f.told = string(body)
	return f.send("diagnosis", body)
}
