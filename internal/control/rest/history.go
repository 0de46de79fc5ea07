package rest

import (
	"context"
	"maps"
	"sync"

	"github.com/flott-dev/flott/internal/control/view"
	"github.com/flott-dev/flott/internal/id"
)

// A history keeps the last snapshots of each job, for rates: what is counted is what happened since the start, and what people want
// to know is what happens now. Whoever asks for a job adds to it; the server looks every few seconds if nobody does.
type history struct {
	source   view.Source
	recorder *recorder
	mu       struct {
		sync.Mutex
		jobs map[id.Job][]*snapshot // oldest first
	}
}

// A snapshot is a job at a time.
type snapshot struct {
	at  int64
	job *view.Job
}

const (
	mostSnapshots   = 8
	snapshotsApart  = 1000 // milliseconds
	shortestForRate = 900  // milliseconds
)

func newHistory(s view.Source) *history {
	h := &history{source: s, recorder: newRecorder()}
	h.mu.jobs = map[id.Job][]*snapshot{}
	return h
}

// job is a job as it is now.
func (h *history) job(ctx context.Context, want id.Job) (*view.Job, error) {
	j, err := h.source.Job(ctx, want)
	if err == nil {
		at := now()
		h.note(j, at)
		h.recorder.note(j, at)
	}
	return j, err
}

// note adds a snapshot, unless there is one that is nearly as new. Those of a clock that was set back are of no use.
func (h *history) note(j *view.Job, at int64) {
	h.mu.Lock()
	defer h.mu.Unlock()
	all := h.mu.jobs[j.ID]
	switch n := len(all); {
	case n > 0 && all[n-1].at-at > snapshotsApart:
		all = nil
	case n > 0 && at-all[n-1].at < snapshotsApart:
		return
	}
	if len(all) == mostSnapshots {
		all = append(all[:0:0], all[1:]...)
	}
	h.mu.jobs[j.ID] = append(all, &snapshot{at, j})
}

// keep forgets jobs that no longer exist.
func (h *history) keep(jobs []*view.Job) {
	h.recorder.keep(jobs)
	h.mu.Lock()
	defer h.mu.Unlock()
	retain(h.mu.jobs, jobs, func(*view.Job) bool { return true })
}

// retain drops what is known of other jobs than those that are wanted.
func retain[V any](of map[id.Job]V, jobs []*view.Job, wanted func(*view.Job) bool) {
	stay := make(map[id.Job]bool, len(jobs))
	for _, j := range jobs {
		stay[j.ID] = wanted(j)
	}
	maps.DeleteFunc(of, func(j id.Job, _ V) bool { return !stay[j] })
}

func (h *history) of(j id.Job) []*snapshot {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.mu.jobs[j]
}

// rates is what a task does now: milliseconds of each second, and a second's records and bytes.
type rates struct {
	busy, idle, backPressured float64
	recordsIn, recordsOut     float64
	bytesIn, bytesOut         float64
	late                      float64
	operators                 []operatorRates // by index in the chain
}

type operatorRates struct{ recordsIn, recordsOut float64 }

// rates is what an attempt does now, going by all snapshots. false: nothing is known of it.
func (h *history) rates(p place, subtask int, a *view.Attempt) (rates, bool) {
	return ratesSince(h.of(p.job.ID), p, subtask, a)
}

// ratesSince compares an attempt with the oldest snapshot of it; in its first second with its start. One that is over does nothing any
// more, though it may have no other figures than those since its start.
func ratesSince(snapshots []*snapshot, p place, subtask int, a *view.Attempt) (rates, bool) {
	if a.Metrics == nil {
		return rates{}, false
	}
	if a.State.Terminal() {
		return rates{operators: make([]operatorRates, len(a.Metrics.Operators))}, true
	}
	for _, s := range snapshots {
		if subtask >= len(s.job.Vertices[p.index].Subtasks) {
			continue // there were fewer
		}
		before := s.job.Vertices[p.index].Subtasks[subtask].Attempt(a.Execution.Attempt)
		if before != nil && before.Metrics != nil && a.Metrics.At-before.Metrics.At >= shortestForRate {
			return between(p, before.Metrics, a.Metrics), true
		}
	}
	start := &view.TaskMetrics{At: a.Metrics.At - spent(a.Metrics), Operators: make([]view.OperatorCounters, len(a.Metrics.Operators))}
	return between(p, start, a.Metrics), true
}

// spent is how long a task has run, in milliseconds; at least one.
func spent(m *view.TaskMetrics) int64 {
	return max(1, (m.Busy + m.Idle + m.BackPressured).Milliseconds())
}

func between(p place, from, to *view.TaskMetrics) rates {
	seconds := float64(to.At-from.At) / 1000
	per := func(n int64) float64 { return max(0, float64(n)/seconds) }
	share := func(n int64) float64 { return min(1000, per(n)) }
	r := rates{
		busy: share((to.Busy - from.Busy).Milliseconds()), idle: share((to.Idle - from.Idle).Milliseconds()),
		backPressured: share((to.BackPressured - from.BackPressured).Milliseconds()),
		recordsIn:     per(recordsIn(p.graph, to) - recordsIn(p.graph, from)), recordsOut: per(recordsOut(p.graph, to) - recordsOut(p.graph, from)),
		bytesIn: per(to.BytesIn - from.BytesIn), bytesOut: per(to.BytesOut - from.BytesOut),
	}
	for i := range min(len(to.Operators), len(from.Operators)) {
		t, f := &to.Operators[i], &from.Operators[i]
		r.late += per(t.LateRecords - f.LateRecords)
		r.operators = append(r.operators, operatorRates{per(t.RecordsIn - f.RecordsIn), per(t.RecordsOut - f.RecordsOut)})
	}
	return r
}

// produced is how many records a second the sources of a job make.
func (h *history) produced(j *view.Job) (sum float64) {
	if j.State.Terminal() {
		return 0
	}
	snapshots := h.of(j.ID)
	for v := range j.Vertices {
		sum += producedBy(snapshots, place{j, v, &j.Graph.Vertices[v], &j.Vertices[v]})
	}
	return sum
}

// producedBy is how many of them a vertex makes.
func producedBy(snapshots []*snapshot, p place) (sum float64) {
	if len(p.graph.Inputs) > 0 {
		return 0
	}
	for i, a := range current(p.now) {
		if r, ok := ratesSince(snapshots, p, i, a); ok && p.graph.Head() < len(r.operators) {
			sum += r.operators[p.graph.Head()].recordsOut
		}
	}
	return sum
}
