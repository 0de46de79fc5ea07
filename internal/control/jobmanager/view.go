package jobmanager

import (
	"cmp"
	"errors"
	"fmt"

	"github.com/flott-dev/flott/internal/control/view"
	"github.com/flott-dev/flott/internal/decide/schedule"
	"github.com/flott-dev/flott/internal/decide/slots"
	"github.com/flott-dev/flott/internal/fault"
	"github.com/flott-dev/flott/internal/graph/execgraph"
)

// view is a snapshot of the job.
func (m *JobMaster) view() *view.Job {
	v := &view.Job{
		ID: m.header.Job, Graph: m.graph.Job, StreamGraph: m.stream,
		State: view.JobState(m.job.State().String()), Entered: m.entered(),
		Vertices: make([]view.Vertex, len(m.graph.Vertices)),
		Failures: m.viewFailures(), Restarts: m.job.Restarts(), Waiting: m.job.Waiting(), Settings: m.settings,
	}
	for i := range m.graph.Vertices {
		v.Vertices[i] = m.viewVertex(i)
	}
	return v
}

func (m *JobMaster) entered() map[view.JobState]int64 {
	all := map[view.JobState]int64{view.Initializing: m.start.UnixMilli()}
	for s := schedule.Created; s <= schedule.Canceled; s++ {
		if at := m.job.Entered(s); at != 0 {
			all[view.JobState(s.String())] = at
		}
	}
	return all
}

func (m *JobMaster) viewFailures() view.Failures {
	v := view.Failures{Truncated: len(m.failures) > mostFailures}
	for _, f := range m.failures[:min(len(m.failures), mostFailures)] {
		v.Newest = append(v.Newest, f.Failure)
	}
	return v
}

func (m *JobMaster) viewVertex(v int) view.Vertex {
	at := &m.graph.Vertices[v]
	vertex := view.Vertex{Parallelism: at.Parallelism, MaxParallelism: at.MaxParallelism, Subtasks: make([]view.Subtask, len(at.Executions))}
	for i := range at.Executions {
		s := execgraph.Subtask{Vertex: v, Index: i}
		var all []view.Attempt
		for _, p := range m.job.Past(s) {
			all = append(all, m.viewAttempt(s, p.Execution, p.Place))
		}
		vertex.Subtasks[i].Attempts = append(all, m.viewAttempt(s, at.Executions[i], m.job.PlaceOf(s)))
	}
	return vertex
}

func (m *JobMaster) viewAttempt(s execgraph.Subtask, e execgraph.Execution, p slots.Place) view.Attempt {
	a := view.Attempt{Execution: e}
	if e.Entered[execgraph.Deploying] != 0 {
		a.Location = m.location(p)
	}
	if counted := m.tally.of(schedule.Attempt{Subtask: s, Number: e.Attempt}); counted != nil {
		a.Metrics = viewMetrics(counted)
	}
	return a
}

func (m *JobMaster) location(p slots.Place) view.Location {
	h := m.hosts[p.TaskManager]
	return view.Location{TaskManager: p.TaskManager, Host: h.Host, DataPort: cmp.Or(m.ports[p.Worker], h.DataPort), Slot: p.Slot}
}

// locationOf is where an attempt ran, also of one that was over long ago; zero: nowhere, or nobody remembers.
func (m *JobMaster) locationOf(a schedule.Attempt) view.Location {
	e, place := &m.graph.Vertices[a.Vertex].Executions[a.Index], m.job.PlaceOf(a.Subtask)
	past := m.job.Past(a.Subtask)
	for i := range past {
		if past[i].Attempt == a.Number {
			e, place = &past[i].Execution, past[i].Place
		}
	}
	if e.Attempt != a.Number || e.Entered[execgraph.Deploying] == 0 {
		return view.Location{}
	}
	return m.location(place)
}

func viewMetrics(t *tallied) *view.TaskMetrics {
	return &view.TaskMetrics{
		At: t.at, Busy: t.Busy, Idle: t.Idle, BackPressured: t.BackPressured, BytesIn: t.BytesIn, BytesOut: t.BytesOut,
		Operators: append([]view.OperatorCounters{}, t.Operators...), Inputs: t.Inputs, Time: t.Time, Keys: t.Keys,
	}
}

// viewResult is the result of a job that is over.
func (m *JobMaster) viewResult() *view.Result {
	r := viewResult(&m.result)
	if m.err != nil {
		r.Error, r.Failure = m.err.Error(), taskFailure(m.err)
	}
	return r
}

// progress is the result as it would be now.
func (m *JobMaster) progress() *view.Result {
	if m.job.State().Terminal() {
		return m.viewResult()
	}
	r := m.resultAs(m.job.State())
	return viewResult(&r)
}

func viewResult(of *Result) *view.Result {
	r := &view.Result{Job: of.Job, Name: of.Name, State: view.JobState(of.State.String()), RunTime: of.RunTime.Milliseconds()}
	for _, o := range of.Operators {
		r.Operators = append(r.Operators, view.OperatorResult{
			ID: o.ID, Name: o.Name, OperatorCounters: o.Counters, Busy: o.Busy, Idle: o.Idle, BackPressured: o.BackPressured,
		})
	}
	return r
}

func taskFailure(err error) *view.TaskFailure {
	var f *fault.Failure
	if !errors.As(err, &f) {
		return nil
	}
	return &view.TaskFailure{Task: f.Task, Operator: f.Operator, Subtask: f.Subtask, Cause: fmt.Sprint(f.Cause), Stack: string(f.Stack)}
}
