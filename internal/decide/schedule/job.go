// Package schedule decides what happens to a job: when its tasks are deployed and where, what their failures mean, and when it is over.
//
// A Job is a state machine without goroutine, lock or clock. Its JobMaster tells it what happened (events.go), one event after
// the other, and does what it answers (effects.go). It owns the executions of its graph and moves them through the states of
// package execgraph; nobody else does.
//
// Tasks start in waves. The first is all of them; later ones are the regions that a failure has hit. See wave.
//
// What holds at any time:
//
//   - An attempt is deployed once, to a worker that is ready, and what was deployed is heard of until it has ended: FINISHED, CANCELED
//     or FAILED. It ends with its worker at the latest.
//   - A subtask has one attempt that is not at its end, at most.
//   - A failure that counts either ends the job or restarts the regions it hits; the job's cause is the failure that ended it. What
//     comes afterwards of attempts that were cancelled is only suppressed.
//   - The job is over exactly when no attempt and no enumerator is left, whatever the order in which reports arrive.
//   - A report for an attempt that has ended, or is not the current one, changes nothing.
package schedule

import (
	"slices"
	"time"

	"github.com/flott-dev/flott/internal/decide/failover"
	"github.com/flott-dev/flott/internal/decide/slots"
	"github.com/flott-dev/flott/internal/fault"
	"github.com/flott-dev/flott/internal/graph/execgraph"
	"github.com/flott-dev/flott/internal/graph/program"
)

// An Attempt names one attempt to run a subtask.
type Attempt struct {
	execgraph.Subtask
	Number int // of the subtask's attempts, from 0
}

// Options are the settings of a job.
type Options struct {
	Restart     program.RestartStrategy
	SlotTimeout time.Duration  // how long it waits for slots
	Random      func() float64 // between 0 and 1; nil: always a half
}

// A Past is an attempt that has ended, and where it ran.
type Past struct {
	execgraph.Execution
	slots.Place
}

// mostPast is how many past attempts of a subtask are remembered, as in Flink.
const mostPast = 16

// A Job is the life of one job.
type Job struct {
	graph   *execgraph.Graph
	options Options
	now     int64 // of the step that is being taken
	effects []Effect

	state    State
	entered  [states]int64
	failure  Failure // that ended it
	restarts *failover.Restarts
	regions  *failover.Regions // nil: not needed yet
	again    int               // how often the job was started again

	first      []int     // number of each vertex's first subtask: subtasks are numbered through
	subtasks   []subtask // by number
	slots      []slot    // by number
	sources    []source  // in the order of the graph
	waves      []*wave   // that are not deployed yet, oldest first
	ready      map[slots.WorkerID]bool
	lost       map[slots.WorkerID]bool
	lack       *Lacking // what was said of free slots last; nil: there is no want of them
	live       int      // attempts and enumerators that were deployed and have not ended
	unfinished int      // subtasks whose current attempt is not FINISHED
	up         int      // subtasks whose current attempt is RUNNING or FINISHED
	woken      int64
}

// A subtask is what the job knows of a subtask, beside its execution.
type subtask struct {
	slot  int
	wave  *wave       // that it waits for; nil: none
	place slots.Place // of its attempt, when it was deployed
	past  []Past
}

// NewJob is a job that waits for Started. It owns the executions of g from now on.
func NewJob(g *execgraph.Graph, o Options) *Job {
	j := &Job{
		graph: g, options: o, restarts: failover.NewRestarts(o.Restart), ready: map[slots.WorkerID]bool{}, lost: map[slots.WorkerID]bool{},
		first: make([]int, len(g.Vertices)), subtasks: make([]subtask, g.Subtasks()), unfinished: g.Subtasks(),
	}
	for v := 1; v < len(g.Vertices); v++ {
		j.first[v] = j.first[v-1] + g.Vertices[v-1].Parallelism
	}
	j.newSlots()
	j.newSources()
	return j
}

// State is how far the job has got.
func (j *Job) State() State { return j.state }

// Entered is when the job came into a state last; 0: never.
func (j *Job) Entered(s State) int64 { return j.entered[s] }

// Restarts is how often the job was started again.
func (j *Job) Restarts() int { return j.again }

// Past is the attempts of a subtask before its current one, oldest first. Very old ones are forgotten.
func (j *Job) Past(s execgraph.Subtask) []Past { return j.at(s).past }

// PlaceOf is where the current attempt of a subtask was deployed; zero: it was not.
func (j *Job) PlaceOf(s execgraph.Subtask) slots.Place { return j.at(s).place }

func (j *Job) at(s execgraph.Subtask) *subtask { return &j.subtasks[j.first[s.Vertex]+s.Index] }

func (j *Job) execution(s execgraph.Subtask) *execgraph.Execution {
	return &j.graph.Vertices[s.Vertex].Executions[s.Index]
}

// Step takes one event, at a time in milliseconds since the epoch, and says what to do about it, in order.
func (j *Job) Step(e Event, now int64) []Effect {
	if j.state.Terminal() {
		return nil
	}
	j.effects, j.now = nil, now
	switch e := e.(type) {
	case Started:
		j.start()
	case Given:
		j.give(e)
	case Lacking:
		j.lack = &e
	case WorkerReady:
		if !j.lost[e.Worker] {
			j.ready[e.Worker] = true
		}
	case WorkerRefused:
		j.end(Failure{Cause: e.Cause, Hit: j.plannedOn(e.Worker)})
	case WorkerLost:
		j.loseWorker(e)
	case Reported:
		j.report(e)
	case Lost:
		j.lose(e)
	case SourceEnded:
		j.sourceEnded(e)
	case CancelRequested:
		j.cancel()
	}
	j.push()
	j.finish()
	return j.effects
}

func (j *Job) do(e Effect) { j.effects = append(j.effects, e) }

func (j *Job) enter(s State) { j.state, j.entered[s] = s, j.now }

// move takes an execution to its next state. That it can go there is what this package sees to.
func (j *Job) move(e *execgraph.Execution, to execgraph.State) {
	was := up(e.State)
	if err := e.Enter(to, j.now); err != nil {
		panic(err)
	}
	j.up += up(to) - was
}

// up is 1 if a task does its part, or has done it.
func up(s execgraph.State) int {
	if s == execgraph.Running || s == execgraph.Finished {
		return 1
	}
	return 0
}

// Up says that all tasks do their part, or have done it.
func (j *Job) Up() bool { return j.up == len(j.subtasks) }

// start begins with everything at once: in a pipelined job all tasks run together.
func (j *Job) start() {
	if j.state != Created {
		return
	}
	j.entered[Created] = j.now
	j.enter(Running)
	w := &wave{at: j.now}
	j.executions(func(a Attempt, e *execgraph.Execution) {
		e.Entered[execgraph.Created] = j.now
		j.join(w, a.Subtask)
	})
	j.waves = append(j.waves, w)
}

// report moves the execution of an attempt.
func (j *Job) report(r Reported) {
	e := j.running(r.Attempt)
	switch {
	case e == nil:
	case r.State == execgraph.Failed:
		j.failed(r, e)
	case r.State == execgraph.Canceled && e.State != execgraph.Canceling:
		r.Cause = errUnasked
		j.failed(r, e)
	case e.State == execgraph.Canceling:
		if r.State.Terminal() {
			j.leave(r.Attempt, execgraph.Canceled)
		}
	default:
		j.advance(r.Attempt, e, r.State)
	}
}

var errUnasked = fault.Unasked.Errorf("the worker cancelled the task without being asked")

// advance moves an execution forward to a state, through all those on the way, as their reports may be lost.
func (j *Job) advance(a Attempt, e *execgraph.Execution, to execgraph.State) {
	for _, s := range [...]execgraph.State{execgraph.Initializing, execgraph.Running} {
		if e.State < s && s <= to {
			j.move(e, s)
		}
	}
	if to == execgraph.Finished {
		j.leave(a, to)
		j.unfinished--
	}
}

// failed ends an attempt with a failure, which is a mere complaint when the attempt was to be cancelled anyway.
func (j *Job) failed(r Reported, e *execgraph.Execution) {
	if e.State == execgraph.Canceling {
		j.leave(r.Attempt, execgraph.Canceled)
		j.do(Suppress{Failure{Attempt: &r.Attempt, Cause: r.Cause}})
		return
	}
	j.leave(r.Attempt, execgraph.Failed)
	j.fail(Failure{Attempt: &r.Attempt, Cause: r.Cause}, r.Attempt.Subtask)
}

// lose ends an attempt that cannot be asked any more, whatever it was doing.
func (j *Job) lose(l Lost) {
	e := j.running(l.Attempt)
	if e == nil {
		return
	}
	cancelled := e.State == execgraph.Canceling
	j.leave(l.Attempt, execgraph.Failed)
	if cancelled {
		j.do(Suppress{Failure{Attempt: &l.Attempt, Cause: l.Cause}})
		return
	}
	j.fail(Failure{Attempt: &l.Attempt, Cause: l.Cause}, l.Attempt.Subtask)
}

// leave moves the execution of a deployed attempt to its end.
func (j *Job) leave(a Attempt, to execgraph.State) {
	j.move(j.execution(a.Subtask), to)
	j.ended(j.at(a.Subtask).wave)
}

// ended counts what was deployed and has ended, also for the wave that waits for that.
func (j *Job) ended(w *wave) {
	j.live--
	if w != nil {
		w.ending--
	}
}

// fail starts the regions of these subtasks again, or ends the job.
func (j *Job) fail(f Failure, hit ...execgraph.Subtask) {
	if j.state != Running && j.state != Restarting {
		j.do(Suppress{f})
		return
	}
	delay, again := j.restarts.Failed(j.now, j.random())
	if !again {
		j.end(f)
		return
	}
	j.again++
	w := j.restart(j.hit(hit), j.now+delay.Milliseconds())
	j.do(Restart{f, delay, slices.Clone(w.members)})
	j.stop(w)
	j.enter(Restarting)
}

func (j *Job) random() float64 {
	if j.options.Random == nil {
		return 0.5
	}
	return j.options.Random()
}

// end lets a failure be the job's.
func (j *Job) end(f Failure) {
	if j.state != Running && j.state != Restarting {
		j.do(Suppress{f})
		return
	}
	j.failure = f
	j.enter(Failing)
	j.cancelAll()
}

func (j *Job) cancel() {
	if j.state == Canceling {
		return
	}
	stopping := j.state == Failing
	j.enter(Canceling)
	if !stopping {
		j.cancelAll()
	}
}

// cancelAll ends what is scheduled, and has cancelled what is deployed.
func (j *Job) cancelAll() {
	for i := range j.subtasks {
		j.subtasks[i].wave = nil
	}
	j.waves = nil
	var c Cancel
	j.executions(func(a Attempt, e *execgraph.Execution) { j.cancelAttempt(&c, a, e) })
	for i := range j.sources {
		j.cancelSource(&c, &j.sources[i], nil)
	}
	j.doCancel(c)
}

func (j *Job) doCancel(c Cancel) {
	if len(c.Attempts)+len(c.Enumerators) > 0 {
		j.do(c)
	}
}

func (j *Job) cancelAttempt(c *Cancel, a Attempt, e *execgraph.Execution) {
	switch {
	case e.State.Terminal() || e.State == execgraph.Canceling:
	case e.State < execgraph.Deploying:
		j.move(e, execgraph.Canceled)
	default:
		j.move(e, execgraph.Canceling)
		c.Attempts = append(c.Attempts, a)
	}
}

// finish ends the job when nothing is left of it.
func (j *Job) finish() {
	if j.state == Running && j.unfinished == 0 {
		var c Cancel
		for i := range j.sources {
			j.cancelSource(&c, &j.sources[i], nil)
		}
		j.doCancel(c)
	}
	if j.live > 0 {
		return
	}
	switch {
	case j.state == Running && j.unfinished == 0:
		j.enter(Finished)
	case j.state == Failing:
		j.enter(Failed)
	case j.state == Canceling:
		j.enter(Canceled)
	default:
		return
	}
	j.do(End{j.state, j.failure})
}

// Current says that an attempt was deployed and has not ended.
func (j *Job) Current(a Attempt) bool { return j.running(a) != nil }

// Open is the attempts and enumerators that were deployed and have not ended.
func (j *Job) Open() (attempts []Attempt, enumerators []Enumerator) {
	j.executions(func(a Attempt, e *execgraph.Execution) {
		if j.running(a) != nil {
			attempts = append(attempts, a)
		}
	})
	for i := range j.sources {
		if s := &j.sources[i]; s.open {
			enumerators = append(enumerators, s.enumerator())
		}
	}
	return attempts, enumerators
}

// Cancelled is those of Open that were cancelled.
func (j *Job) Cancelled() (attempts []Attempt, enumerators []Enumerator) {
	j.executions(func(a Attempt, e *execgraph.Execution) {
		if e.State == execgraph.Canceling {
			attempts = append(attempts, a)
		}
	})
	for i := range j.sources {
		if s := &j.sources[i]; s.open && s.cancelled {
			enumerators = append(enumerators, s.enumerator())
		}
	}
	return attempts, enumerators
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
