package rest

import (
	"strings"

	"github.com/flott-dev/flott/internal/control/view"
	"github.com/flott-dev/flott/internal/graph/execgraph"
)

// taskStates is the states of a task by Flink's names. RECONCILING is Flink's alone: it never happens here, but has its place in
// every list.
var taskStates = []execgraph.State{
	execgraph.Created, execgraph.Scheduled, execgraph.Deploying, execgraph.Initializing, execgraph.Running,
	execgraph.Finished, execgraph.Canceling, execgraph.Canceled, execgraph.Failed,
}

const reconciling = "RECONCILING"

// A census counts tasks, or vertices, by state.
type census map[execgraph.State]int

func censusOf(v *view.Vertex) census {
	c := census{}
	for i := range v.Subtasks {
		c[v.Subtasks[i].Current().State]++
	}
	return c
}

// named is the counts by Flink's names.
func (c census) named() map[string]int {
	all := map[string]int{reconciling: 0}
	for _, s := range taskStates {
		all[s.String()] = c[s]
	}
	return all
}

// summary is the counts as the lists of jobs have them.
func summary(j *view.Job) map[string]int {
	all := map[string]int{"total": 0, strings.ToLower(reconciling): 0}
	for _, s := range taskStates {
		all[strings.ToLower(s.String())] = 0
	}
	for i := range j.Vertices {
		for s, n := range censusOf(&j.Vertices[i]) {
			all[strings.ToLower(s.String())] += n
			all["total"] += n
		}
	}
	return all
}

// overall is the state of a vertex, given those of its subtasks.
func (c census) overall() execgraph.State {
	for _, s := range []execgraph.State{execgraph.Failed, execgraph.Canceling, execgraph.Canceled, execgraph.Initializing, execgraph.Running} {
		if c[s] > 0 {
			return s
		}
	}
	all := 0
	for _, n := range c {
		all += n
	}
	switch finished := c[execgraph.Finished]; {
	case finished > 0 && finished == all:
		return execgraph.Finished
	case finished > 0:
		return execgraph.Running
	}
	return execgraph.Created
}

// A span is from when to when something ran; -1: it has not started, or not ended.
type span struct {
	Start    int64 `json:"start-time"`
	End      int64 `json:"end-time"`
	Duration int64 `json:"duration"`
}

func spanOf(start, end, now int64) span {
	s := span{-1, -1, -1}
	if start > 0 {
		s.Start, s.Duration = start, now-start
	}
	if end > 0 {
		s.End = end
		if start > 0 {
			s.Duration = end - start
		}
	}
	return s
}

// ended is when an attempt was over; 0: it is not.
func ended(a *view.Attempt) int64 {
	if !a.State.Terminal() {
		return 0
	}
	return a.Entered[a.State]
}

func attemptSpan(a *view.Attempt, now int64) span {
	return spanOf(a.Entered[execgraph.Deploying], ended(a), now)
}

// attemptsSpan is from the first start to the last end, if all have ended.
func attemptsSpan(attempts []*view.Attempt, now int64) span {
	var start, last int64
	running := false
	for _, a := range attempts {
		if at := a.Entered[execgraph.Deploying]; at > 0 && (start == 0 || at < start) {
			start = at
		}
		last = max(last, ended(a))
		running = running || !a.State.Terminal()
	}
	if running {
		last = 0
	}
	return spanOf(start, last, now)
}

// current is the current attempts of a vertex.
func current(v *view.Vertex) []*view.Attempt {
	all := make([]*view.Attempt, len(v.Subtasks))
	for i := range v.Subtasks {
		all[i] = v.Subtasks[i].Current()
	}
	return all
}

// timestamps is when an attempt entered each state; 0: it has not.
func timestamps(a *view.Attempt, created int64) map[string]int64 {
	all := map[string]int64{reconciling: 0}
	for _, s := range taskStates {
		all[s.String()] = a.Entered[s]
	}
	if all["CREATED"] == 0 {
		all["CREATED"] = created
	}
	return all
}

// statusDurations is how long an attempt was in each of the states that a task passes; -1: it was not.
func statusDurations(a *view.Attempt, created, now int64) map[string]int64 {
	way := taskStates[:execgraph.Finished]
	all := make(map[string]int64, len(way))
	for _, s := range way {
		since := a.Entered[s]
		if s == execgraph.Created && since == 0 {
			since = created
		}
		if since == 0 {
			all[s.String()] = -1
			continue
		}
		all[s.String()] = left(a, s, since, now) - since
	}
	return all
}

// left is when an attempt went on from a state that it entered at some time.
func left(a *view.Attempt, s execgraph.State, since, now int64) int64 {
	next := now
	for _, other := range taskStates {
		if at := a.Entered[other]; other > s && at >= since && at < next {
			next = at
		}
	}
	return next
}
