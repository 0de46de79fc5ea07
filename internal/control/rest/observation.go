package rest

import (
	"slices"

	"github.com/flott-dev/flott/internal/control/view"
	"github.com/flott-dev/flott/internal/decide/diagnose"
	"github.com/flott-dev/flott/internal/graph/execgraph"
)

// observationOf is a job as the deciders see it.
func observationOf(j *view.Job, managers []*view.TaskManager, at int64) *diagnose.Observation {
	o := &diagnose.Observation{
		At: at, State: phaseOf(j.State), Waiting: j.Waiting,
		Failures: failuresSeen(j), Earlier: j.Failures.Truncated, Memory: memorySeen(j, managers),
	}
	for v := range j.Vertices {
		seen := vertexSeen(place{j, v, &j.Graph.Vertices[v], &j.Vertices[v]})
		for i := range seen.Tasks {
			if o.State == diagnose.Running && seen.Tasks[i].Phase == diagnose.Coming {
				o.State = diagnose.Beginning
			}
		}
		o.Vertices = append(o.Vertices, seen)
	}
	return o
}

// memorySeen is the memory of the TaskManagers where a job has slots.
func memorySeen(j *view.Job, managers []*view.TaskManager) map[string]diagnose.Memory {
	all := map[string]diagnose.Memory{}
	for _, t := range managers {
		if slices.ContainsFunc(t.Slots, func(s view.Slot) bool { return s.Job == j.ID }) {
			all[t.ID] = diagnose.Memory{Used: usedOn(t), Limit: t.Memory}
		}
	}
	return all
}

// endOf is what is to be seen of a job that is over: there may be many of them.
func endOf(j *view.Job) *diagnose.Observation {
	return &diagnose.Observation{At: j.End(), State: phaseOf(j.State), Failures: failuresSeen(j)}
}

func failuresSeen(j *view.Job) (all []diagnose.Failure) {
	for i := range j.Failures.Newest {
		all = append(all, failureSeen(&j.Failures.Newest[i]))
	}
	return all
}

func phaseOf(s view.JobState) diagnose.State {
	switch s {
	case view.Running:
		return diagnose.Running
	case view.Restarting:
		return diagnose.Restarting
	case view.Failing, view.Cancelling:
		return diagnose.Ending
	case view.Failed:
		return diagnose.HasFailed
	case view.Finished, view.Canceled:
		return diagnose.HasEnded
	}
	return diagnose.Beginning
}

func failureSeen(f *view.Failure) diagnose.Failure {
	seen := diagnose.Failure{At: f.At, Cause: firstLine(f.Text)}
	if f.Task != "" {
		seen.Where = &diagnose.Place{Vertex: f.Vertex, Subtask: f.Subtask}
	}
	return seen
}

func vertexSeen(p place) diagnose.Vertex {
	seen := diagnose.Vertex{Name: p.graph.Name, MaxParallelism: p.now.MaxParallelism}
	for i := range p.graph.Inputs {
		in := &p.graph.Inputs[i]
		seen.Inputs = append(seen.Inputs, diagnose.Input{Producer: in.Producer, Partitioner: string(in.Partitioner)})
	}
	for _, a := range current(p.now) {
		seen.Tasks = append(seen.Tasks, taskSeen(p, a))
	}
	return seen
}

// taskSeen is a task of which nothing is said until its first figures have come.
func taskSeen(p place, a *view.Attempt) diagnose.Task {
	seen := diagnose.Task{Attempt: a.Execution.Attempt, Watermark: diagnose.None}
	switch {
	case a.State.Terminal():
		seen.Phase = diagnose.Gone
	case a.State == execgraph.Running:
		seen.Phase = diagnose.Active
	}
	m := a.Metrics
	if m == nil || len(m.Operators) == 0 {
		return seen
	}
	seen.At, seen.Busy, seen.Idle, seen.BackPressured = m.At, m.Busy, m.Idle, m.BackPressured
	seen.Read, seen.Watermark, seen.Keys = recordsIn(p.graph, m), watermarkOf(p, m), diagnose.KeyShare(m.Keys)
	for i := range m.Operators {
		seen.Records += m.Operators[i].RecordsIn + m.Operators[i].RecordsOut
	}
	for i := range m.Inputs {
		seen.Inputs = append(seen.Inputs, diagnose.InputTime(m.Inputs[i]))
	}
	if m.Time != nil {
		time := diagnose.SourceTime(*m.Time)
		seen.Time = &time
	}
	return seen
}
