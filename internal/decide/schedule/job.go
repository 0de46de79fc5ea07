// Package schedule decides what happens to a job: when its tasks are deployed, what their failures mean, and when it is over.
//
// A Job is a state machine without goroutine, lock or clock. Its JobMaster tells it what happened (events.go), one event after
// the other, and does what it answers (effects.go). It owns the executions of its graph and moves them through the states of
// package execgraph; nobody else does.
//
// What holds at any time:
//
//   - An attempt is deployed once, and what was deployed is heard of until it has ended: FINISHED, CANCELED or FAILED.
//   - The first failure is the job's cause. It cancels all other attempts; what they say afterwards is only suppressed.
//   - The job is over exactly when no attempt is left, whatever the order in which reports arrive.
//   - A report for an attempt that has ended, or is not the current one, changes nothing.
package schedule

import (
	"errors"

	"github.com/flott-dev/flott/internal/graph/execgraph"
)

// An Attempt names one attempt to run a subtask.
type Attempt struct {
	execgraph.Subtask
	Number int // of the subtask's attempts, from 0
}

// A Job is the life of one job.
type Job struct {
	graph   *execgraph.Graph
	state   State
	failure Failure  // the first one
	left    int      // attempts that have not ended
	effects []Effect // of the step that is being taken
}

// NewJob is a job that waits for Started. It owns the executions of g from now on.
func NewJob(g *execgraph.Graph) *Job {
	j := &Job{graph: g}
	for v := range g.Vertices {
		j.left += len(g.Vertices[v].Executions)
	}
	return j
}

// State is how far the job has got.
func (j *Job) State() State { return j.state }

// Step takes one event, at a time in milliseconds since the epoch, and says what to do about it, in order.
func (j *Job) Step(e Event, now int64) []Effect {
	if j.state.Terminal() {
		return nil
	}
	j.effects = nil
	switch e := e.(type) {
	case Started:
		j.start(now)
	case Reported:
		j.report(e, now)
	case Lost:
		j.lose(e, now)
	case SourceFailed:
		j.fail(Failure{Cause: e.Cause}, now)
	case CancelRequested:
		j.cancel(now)
	}
	if j.left == 0 {
		j.end()
	}
	return j.effects
}

// move takes an execution to its next state. That it can go there is what this package sees to.
func move(e *execgraph.Execution, to execgraph.State, now int64) {
	if err := e.Enter(to, now); err != nil {
		panic(err)
	}
}

func (j *Job) do(e Effect) { j.effects = append(j.effects, e) }

// start deploys everything at once: in a pipelined job all tasks run together. Whatever will give out slots one day comes between
// SCHEDULED and DEPLOYING.
func (j *Job) start(now int64) {
	if j.state != Created {
		return
	}
	j.state = Running
	all := make([]Attempt, 0, j.left)
	j.executions(func(a Attempt, e *execgraph.Execution) {
		move(e, execgraph.Scheduled, now)
		move(e, execgraph.Deploying, now)
		all = append(all, a)
	})
	j.do(Deploy{all})
}

// report moves the execution of an attempt.
func (j *Job) report(r Reported, now int64) {
	e := j.running(r.Attempt)
	switch {
	case e == nil:
	case r.State == execgraph.Failed:
		j.failed(r, e, now)
	case r.State == execgraph.Canceled && e.State != execgraph.Canceling:
		r.Cause = errUnasked
		j.failed(r, e, now)
	case e.State == execgraph.Canceling:
		if r.State.Terminal() {
			j.leave(e, execgraph.Canceled, now)
		}
	default:
		j.advance(e, r.State, now)
	}
}

var errUnasked = errors.New("the TaskManager cancelled the task without being asked")

// advance moves an execution forward to a state, through all those on the way, as their reports may be lost.
func (j *Job) advance(e *execgraph.Execution, to execgraph.State, now int64) {
	for _, s := range [...]execgraph.State{execgraph.Initializing, execgraph.Running} {
		if e.State < s && s <= to {
			move(e, s, now)
		}
	}
	if to == execgraph.Finished {
		j.leave(e, to, now)
	}
}

// failed ends an attempt with a failure, which is a mere complaint when the attempt was to be cancelled anyway.
func (j *Job) failed(r Reported, e *execgraph.Execution, now int64) {
	if e.State == execgraph.Canceling {
		j.leave(e, execgraph.Canceled, now)
	} else {
		j.leave(e, execgraph.Failed, now)
	}
	j.fail(Failure{&r.Attempt, r.Cause}, now)
}

// lose ends an attempt that cannot be asked any more, whatever it was doing.
func (j *Job) lose(l Lost, now int64) {
	if e := j.running(l.Attempt); e != nil {
		j.leave(e, execgraph.Failed, now)
		j.fail(Failure{&l.Attempt, l.Cause}, now)
	}
}

// leave moves an execution to its end.
func (j *Job) leave(e *execgraph.Execution, to execgraph.State, now int64) {
	move(e, to, now)
	j.left--
}

// fail lets the first failure be the cause of the job's.
func (j *Job) fail(f Failure, now int64) {
	if j.state != Running {
		j.do(Suppress{f})
		return
	}
	j.failure = f
	j.state = Failing
	j.cancelAll(now)
}

func (j *Job) cancel(now int64) {
	if j.state == Canceling {
		return
	}
	stopping := j.state == Failing
	j.state = Canceling
	if !stopping {
		j.cancelAll(now)
	}
}

// cancelAll ends the attempts that nobody runs, and has the others cancelled.
func (j *Job) cancelAll(now int64) {
	var deployed []Attempt
	j.executions(func(a Attempt, e *execgraph.Execution) {
		switch {
		case e.State.Terminal():
		case e.State < execgraph.Deploying:
			j.leave(e, execgraph.Canceled, now)
		default:
			move(e, execgraph.Canceling, now)
			deployed = append(deployed, a)
		}
	})
	j.do(Cancel{deployed})
}

// end is called when no attempt is left.
func (j *Job) end() {
	switch j.state {
	case Running:
		j.state = Finished
	case Failing:
		j.state = Failed
	case Canceling:
		j.state = Canceled
	default: // a job without tasks that was not started
		return
	}
	j.do(End{j.state, j.failure})
}

// executions calls f with the current execution of every subtask.
func (j *Job) executions(f func(Attempt, *execgraph.Execution)) {
	for v := range j.graph.Vertices {
		for i := range j.graph.Vertices[v].Executions {
			e := &j.graph.Vertices[v].Executions[i]
			f(Attempt{execgraph.Subtask{Vertex: v, Index: i}, e.Attempt}, e)
		}
	}
}

// running is the execution of an attempt; nil when it has ended or was not deployed yet, a newer attempt replaced it, or there is no
// such subtask.
func (j *Job) running(a Attempt) *execgraph.Execution {
	if a.Vertex < 0 || a.Vertex >= len(j.graph.Vertices) {
		return nil
	}
	executions := j.graph.Vertices[a.Vertex].Executions
	if a.Index < 0 || a.Index >= len(executions) {
		return nil
	}
	e := &executions[a.Index]
	if e.Attempt != a.Number || e.State.Terminal() || e.State < execgraph.Deploying {
		return nil
	}
	return e
}
