package jobmanager

import (
	"errors"
	"fmt"

	"github.com/flott-dev/flott/internal/control/view"
	"github.com/flott-dev/flott/internal/decide/schedule"
	"github.com/flott-dev/flott/internal/fault"
)

// mostFailures is how many failures of a job are remembered, and how many that came with each, as in Flink.
const mostFailures = 16

// noteFailure adds a failure that counts, as the newest.
func (m *JobMaster) noteFailure(f schedule.Failure) {
	m.failures = append([]view.Failure{m.failure(f)}, m.failures...)
	if len(m.failures) > mostFailures+1 { // one more shows that there were more
		m.failures = m.failures[:mostFailures+1]
	}
}

// noteConcurrent adds a failure that came with the newest one.
func (m *JobMaster) noteConcurrent(f schedule.Failure) {
	if len(m.failures) > 0 && len(m.failures[0].Concurrent) < mostFailures {
		newest := &m.failures[0]
		newest.Concurrent = append(newest.Concurrent[:len(newest.Concurrent):len(newest.Concurrent)], m.failure(f))
	}
}

func (m *JobMaster) failure(f schedule.Failure) view.Failure {
	v := view.Failure{At: now(), Name: rootOf(f.Cause), Text: f.Cause.Error(), Labels: map[string]string{}}
	if f.Attempt == nil {
		return v
	}
	a := *f.Attempt
	vertex := &m.graph.Vertices[a.Vertex]
	v.Task = fmt.Sprintf("%s (%d/%d) - execution #%d", vertex.Job.Name, a.Index+1, vertex.Parallelism, a.Number)
	v.Vertex, v.Subtask, v.Attempt = a.Vertex, a.Index, a.Number
	v.Location = m.location(m.job.PlaceOf(a.Subtask))
	return v
}

// rootOf is the type of the root cause: of user code's error, not of what is said around it.
func rootOf(err error) string {
	var p *fault.Panic
	if errors.As(err, &p) {
		return "panic"
	}
	for {
		inner := errors.Unwrap(err)
		if inner == nil {
			break
		}
		err = inner
	}
	var r *fault.Remote
	if errors.As(err, &r) { // a worker of another process has said so
		return r.Type
	}
	return fmt.Sprintf("%T", err)
}
