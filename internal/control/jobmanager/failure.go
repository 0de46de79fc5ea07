package jobmanager

import (
	"errors"
	"fmt"
	"slices"

	"github.com/flott-dev/flott/internal/control/view"
	"github.com/flott-dev/flott/internal/decide/schedule"
	"github.com/flott-dev/flott/internal/fault"
	"github.com/flott-dev/flott/internal/graph/execgraph"
)

// mostFailures is how many failures of a job are remembered, and how many that came with each, as in Flink.
const mostFailures = 16

// A failed is a failure that counts, and where what it has started again begins, if it has.
type failed struct {
	view.Failure
	first execgraph.Subtask
}

// noteFailure adds a failure that counts, as the newest. What it has hit beside the first task is concurrent.
func (m *JobMaster) noteFailure(f schedule.Failure) {
	all := m.viewsOf(f)
	newest := &failed{Failure: all[0]}
	newest.Concurrent = all[1:]
	m.failures = append([]*failed{newest}, m.failures...)
	if len(m.failures) > mostFailures+1 { // one more shows that there were more
		m.failures = m.failures[:mostFailures+1]
	}
}

// noteConcurrent adds a failure that came with the newest one.
func (m *JobMaster) noteConcurrent(f schedule.Failure) {
	if len(m.failures) == 0 {
		return
	}
	newest := m.failures[0]
	all := append(slices.Clone(newest.Concurrent), m.viewsOf(f)...)
	newest.Concurrent = all[:min(len(all), mostFailures)]
}

// viewsOf is a failure as each of the tasks that it has hit sees it: at least one, even if that is none's.
func (m *JobMaster) viewsOf(f schedule.Failure) []view.Failure {
	v := view.Failure{At: now(), Name: fault.Name(f.Cause), Text: f.Cause.Error(), Labels: map[string]string{}}
	var whose *fault.Failure
	if errors.As(f.Cause, &whose) {
		v.Operator = whose.Operator
	}
	hit := f.Hit
	if f.Attempt != nil {
		hit = []schedule.Attempt{*f.Attempt}
	}
	v.Tasks = len(hit)
	if len(hit) == 0 {
		return []view.Failure{v}
	}
	var all []view.Failure
	for _, a := range hit[:min(len(hit), mostFailures+1)] {
		all = append(all, m.failureOf(v, a))
	}
	return all
}

// failureOf is a failure with whose it is.
func (m *JobMaster) failureOf(v view.Failure, a schedule.Attempt) view.Failure {
	vertex := &m.graph.Vertices[a.Vertex]
	v.Task = fmt.Sprintf("%s (%d/%d) - execution #%d", vertex.Job.Name, a.Index+1, vertex.Parallelism, a.Number)
	v.Vertex, v.Subtask, v.Attempt = a.Vertex, a.Index, a.Number
	v.Location = m.locationOf(a)
	return v
}

// noteRestart says what the newest failure makes start again.
func (m *JobMaster) noteRestart(r schedule.Restart) {
	newest := m.failures[0]
	newest.first = r.Subtasks[0]
	newest.Restart = &view.Restart{Subtasks: len(r.Subtasks), Due: newest.At + r.Delay.Milliseconds()}
	for _, s := range r.Subtasks {
		if !slices.Contains(newest.Restart.Vertices, s.Vertex) {
			newest.Restart.Vertices = append(newest.Restart.Vertices, s.Vertex)
		}
	}
	slices.Sort(newest.Restart.Vertices)
}

// noteDeployed says of failures that what they have started again is deployed.
func (m *JobMaster) noteDeployed(d schedule.Deploy) {
	for _, f := range m.failures {
		if f.Restart == nil || f.Restart.Deployed != 0 {
			continue
		}
		for _, a := range d.Attempts {
			if a.Subtask == f.first {
				f.change(func(r *view.Restart) { r.Deployed = now() })
			}
		}
	}
}

// noteUp says of failures that all tasks run again.
func (m *JobMaster) noteUp() {
	for _, f := range m.failures {
		if f.Restart != nil && f.Restart.Deployed != 0 && f.Restart.Running == 0 {
			f.change(func(r *view.Restart) { r.Running = now() })
		}
	}
}

// change makes a new Restart of the old one, which snapshots may have.
func (f *failed) change(do func(*view.Restart)) {
	next := *f.Restart
	do(&next)
	f.Restart = &next
}
