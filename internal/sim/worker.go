package sim

import (
	"errors"
	"fmt"
	"time"

	"github.com/flott-dev/flott/internal/control/rpc"
	"github.com/flott-dev/flott/internal/decide/schedule"
	"github.com/flott-dev/flott/internal/graph/execgraph"
	"github.com/flott-dev/flott/internal/id"
)

// A worker plays the tasks of one job.
type worker struct {
	*machine
	id        rpc.WorkerID
	job       id.Job
	slots     int
	lingering bool
	heard     bool // from the JobManager: it knows that the worker is ready
	ready     time.Time
	tasks     map[schedule.Attempt]*task // nil: it will never run
	order     []schedule.Attempt         // in which they came
	sources   map[rpc.Enumerator]bool    // true: it has ended
}

type task struct {
	state     execgraph.State
	next      time.Time // when it goes on
	cancelled bool
	cause     error
}

func newWorker(m *machine, s rpc.WorkerStart) *worker {
	return &worker{
		machine: m, id: s.Worker, job: s.Job, ready: time.Now().Add(m.within(time.Second, "start of %s", s.Worker)),
		tasks: map[schedule.Attempt]*task{}, sources: map[rpc.Enumerator]bool{},
	}
}

func (w *worker) header() rpc.Header { return rpc.Header{Job: w.job, Token: w.leader.token} }

func (w *worker) count(s execgraph.State) (n int) {
	for _, t := range w.tasks {
		if t != nil && t.state == s {
			n++
		}
	}
	return n
}

// work says that the worker is ready, until somebody has heard it, and lets tasks go on.
func (w *worker) work() {
	now := time.Now()
	if !w.heard && now.After(w.ready) {
		w.ready = now.Add(time.Second)
		w.says(func() { w.leader.manager.Ready(rpc.WorkerReady{Header: w.header(), Worker: w.id}, toWorker{w}) }, "ready %s", w.id)
	}
	for _, a := range w.order {
		if t := w.tasks[a]; !t.state.Terminal() && now.After(t.next) {
			w.goOn(a, t)
		}
	}
}

// goOn lets a task come to its next state, which is a failure now and then.
func (w *worker) goOn(a schedule.Attempt, t *task) {
	name := fmt.Sprint(w.id, a)
	switch {
	case t.cancelled:
		t.state = execgraph.Canceled
	case t.state == execgraph.Running && !bounded(w.job) && (w.calm() || w.chance("fails "+name, 4) > 0):
		t.next = t.next.Add(time.Hour)
		return
	case !w.calm() && w.chance(fmt.Sprint("fails ", name, t.state), 20) == 0,
		t.state == execgraph.Running && !bounded(w.job):
		t.state, t.cause = execgraph.Failed, errTask
	default:
		t.state++
	}
	t.next = time.Now().Add(w.within(3*time.Second, "time %s %v", name, t.state))
	w.report(a, t)
}

var errTask = errors.New("a task fails")

func (w *worker) report(a schedule.Attempt, t *task) {
	r := rpc.Report{Header: w.header(), Attempt: a, State: t.state, Cause: t.cause}
	w.says(func() { w.leader.manager.Report(r) }, "%s: %v is %s", w.id, a, t.state)
}

func (w *worker) sourceEnds(e rpc.Enumerator, cause error) {
	w.sources[e] = true
	end := rpc.SourceEnd{Header: w.header(), Enumerator: e, Cause: cause}
	w.says(func() { w.leader.manager.SourceEnded(end) }, "%s: enumerator %d of %s has ended", w.id, e.Number, e.Operator)
}

func (w *worker) deploy(d rpc.Deployment) {
	for _, e := range d.Enumerators {
		if _, known := w.sources[e]; !known {
			w.sources[e] = false
		}
	}
	for _, a := range d.Attempts {
		t, known := w.tasks[a]
		if known && !(w.bug == SecondRun && t != nil && t.state.Terminal()) {
			continue
		}
		if name := fmt.Sprint(w.leader.token, w.job, a); w.started[name] {
			w.find("attempt %v of job %d is started twice", a, w.job[0])
		} else {
			w.started[name] = true
		}
		if !known {
			w.order = append(w.order, a)
		}
		w.tasks[a] = &task{state: execgraph.Deploying, next: time.Now()}
	}
}

func (w *worker) cancel(c rpc.Cancellation) {
	for _, e := range c.Enumerators {
		if ended, known := w.sources[e]; known && !ended {
			w.sourceEnds(e, nil)
		}
	}
	for _, a := range c.Attempts {
		if t := w.tasks[a]; t != nil && !t.cancelled {
			t.cancelled, t.next = true, time.Now()
		}
	}
}

var errUnknown = errors.New("the worker does not know it")

func (w *worker) inquire(q rpc.Inquiry) {
	if w.bug == DeafWorker {
		return
	}
	for _, a := range q.Attempts {
		if t := w.tasks[a]; t != nil {
			w.report(a, t)
			continue
		}
		w.tasks[a] = nil
		w.report(a, &task{state: execgraph.Failed, cause: errUnknown})
	}
	for _, e := range q.Enumerators {
		switch ended, known := w.sources[e]; {
		case !known:
			w.sourceEnds(e, errUnknown)
		case ended:
			w.sourceEnds(e, nil)
		}
	}
}

// toWorker is the JobManager's way to a worker.
type toWorker struct{ *worker }

// to sends a message to the worker, if it is still there when it comes.
func (t toWorker) to(do func(), format string, args ...any) {
	t.network.send(func() {
		if t.workers[t.id] == t.worker {
			t.heard = true
			do()
		}
	}, "to %s: %s", t.id, fmt.Sprintf(format, args...))
}

func (t toWorker) Deploy(d rpc.Deployment) {
	t.to(func() { t.deploy(d) }, "deploy %v %v", d.Attempts, d.Enumerators)
}

func (t toWorker) Cancel(c rpc.Cancellation) {
	t.to(func() { t.cancel(c) }, "cancel %v %v", c.Attempts, c.Enumerators)
}

func (t toWorker) Inquire(q rpc.Inquiry) {
	t.to(func() { t.inquire(q) }, "inquire %v %v", q.Attempts, q.Enumerators)
}

func (t toWorker) NextSplits(rpc.SplitRequest) {}
func (t toWorker) Assign(rpc.Assignment)       {}
func (t toWorker) Measure(rpc.MetricsRequest)  {}
func (t toWorker) Release(rpc.Header)          {}
