// Package worker runs the tasks of one job that a JobManager deploys, each on a goroutine of its own, and says what becomes of them.
// It also hosts enumerators of the job's sources, as only a worker has the user's code: see coordinator.
//
// A task ends by itself, by failing, or because it is cancelled. Cancelling is asking: the context of user code ends at once, and
// the task when the call at hand returns. A task that has not ended after watch.Patience is given up: it is reported with the stack
// on which it hangs, and what it does later is of no interest. So it is with enumerators.
//
// Messages may come twice, late, or not at all. An attempt that was heard of is remembered until the job is over, so that it starts
// at most once: not after it has ended, and not after the JobManager was told that it is not known.
package worker

import (
	"errors"
	"log/slog"
	"sync"
	"time"

	"github.com/flott-dev/flott/codec"
	"github.com/flott-dev/flott/internal/control/rpc"
	"github.com/flott-dev/flott/internal/control/watch"
	"github.com/flott-dev/flott/internal/data/network"
	"github.com/flott-dev/flott/internal/data/shuffle"
	"github.com/flott-dev/flott/internal/decide/schedule"
	"github.com/flott-dev/flott/internal/graph/execgraph"
	"github.com/flott-dev/flott/internal/graph/jobgraph"
	"github.com/flott-dev/flott/internal/graph/taskplan"
	"github.com/flott-dev/flott/internal/id"
	"github.com/flott-dev/flott/internal/label"
)

// A Worker runs tasks of one job. It is an rpc.Worker.
type Worker struct {
	job        id.Job
	program    *jobgraph.Binding
	jobManager rpc.JobManager
	options    Options
	log        *slog.Logger
	graph      *execgraph.Graph // its executions are not the worker's
	directory  *shuffle.Directory
	sources    map[id.Operator]place
	mu         struct {
		sync.Mutex
		token       rpc.Token                       // of the newest leader that was heard
		vertices    map[int]*taskplan.Vertex        // those of whom tasks were deployed
		tasks       map[schedule.Attempt]*running   // nil: it will never run
		enumerators map[rpc.Enumerator]*coordinator // likewise
		watches     []*time.Timer
		released    bool
	}
}

// Options are the settings of a worker.
type Options struct {
	ID       rpc.WorkerID
	Logger   *slog.Logger
	FlushGap time.Duration     // the least time between two flushes of an output because its task has nothing else to do
	Endpoint *network.Endpoint // of its data connections; nil: there is no other worker
	Codecs   *codec.Set        // of the user's, for records that go to other workers; nil: none
}

// New makes a worker for the job of a graph, that reports to a JobManager.
func New(m rpc.JobManager, g *execgraph.Graph, program *jobgraph.Binding, o Options) *Worker {
	w := &Worker{job: g.Job.ID, program: program, jobManager: m, options: o, log: o.Logger, graph: g, sources: sources(g, program)}
	w.directory = shuffle.NewDirectory()
	if o.Endpoint != nil {
		w.directory = o.Endpoint.Directory()
	}
	w.mu.vertices = map[int]*taskplan.Vertex{}
	w.mu.tasks = map[schedule.Attempt]*running{}
	w.mu.enumerators = map[rpc.Enumerator]*coordinator{}
	return w
}

// A place is where in the graph a source stands.
type place struct {
	name        string
	parallelism int
	source      Enumerable
}

// sources is the operators that have an enumerator. That the plan calls an operator a legacy source makes no difference.
func sources(g *execgraph.Graph, program *jobgraph.Binding) map[id.Operator]place {
	all := map[id.Operator]place{}
	for v := range g.Vertices {
		for _, o := range g.Vertices[v].Job.Chain {
			if e, ok := program.Operator(o.ID).(Enumerable); ok {
				all[o.ID] = place{o.Name, g.Vertices[v].Parallelism, e}
			}
		}
	}
	return all
}

// with calls do, under the lock, unless a message is about another job, or one of a leader that was replaced, or the job is over.
func (w *Worker) with(h rpc.Header, do func()) bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	if h.Job != w.job || h.Token < w.mu.token || w.mu.released {
		return false
	}
	w.mu.token = h.Token
	do()
	return true
}

// Deploy runs tasks.
func (w *Worker) Deploy(d rpc.Deployment) {
	w.with(d.Header, func() {
		for _, e := range d.Enumerators {
			w.enumerate(d.Header, e)
		}
		x := newExchange(w, d.Placement)
		for _, a := range d.Attempts {
			if _, known := w.mu.tasks[a]; !known && w.has(a) {
				x.expect(a)
				w.mu.tasks[a] = w.newRunning(d.Header, w.plan(a), x)
				w.mu.tasks[a].start()
			}
		}
	})
}

// has says that there is such a subtask.
func (w *Worker) has(a schedule.Attempt) bool {
	return a.Vertex >= 0 && a.Vertex < len(w.graph.Vertices) && a.Index >= 0 && a.Index < w.graph.Vertices[a.Vertex].Parallelism
}

func (w *Worker) plan(a schedule.Attempt) *taskplan.Plan {
	v := w.mu.vertices[a.Vertex]
	if v == nil {
		v = taskplan.Of(w.graph, a.Vertex)
		w.mu.vertices[a.Vertex] = v
	}
	return v.Plan(a.Index, a.Number)
}

// enumerate starts an enumerator. A source without one has nothing to enumerate, and is at its end.
func (w *Worker) enumerate(h rpc.Header, e rpc.Enumerator) {
	if _, known := w.mu.enumerators[e]; known {
		return
	}
	at, ok := w.sources[e.Operator]
	if !ok {
		w.mu.enumerators[e] = nil
		w.jobManager.SourceEnded(rpc.SourceEnd{Header: h, Enumerator: e})
		return
	}
	c := w.newCoordinator(h, e, at)
	w.mu.enumerators[e] = c
	c.start()
}

// Cancel asks tasks and enumerators to end, and looks after them.
func (w *Worker) Cancel(c rpc.Cancellation) {
	w.with(c.Header, func() {
		var cancelled []*life
		for _, e := range c.Enumerators {
			if c := w.mu.enumerators[e]; c != nil {
				c.cancel()
				cancelled = append(cancelled, &c.life)
			}
		}
		for _, a := range c.Attempts {
			if r := w.mu.tasks[a]; r != nil {
				r.cancel()
				cancelled = append(cancelled, &r.life)
			}
		}
		w.mu.watches = append(w.mu.watches, time.AfterFunc(watch.Patience, func() { giveUp(cancelled) }))
	})
}

// NextSplits lets the enumerator of a source, the newest that is here, answer a reader.
func (w *Worker) NextSplits(r rpc.SplitRequest) {
	w.with(r.Header, func() {
		var newest *coordinator
		for e, c := range w.mu.enumerators {
			if c != nil && e.Operator == r.Operator && (newest == nil || e.Number > newest.enumerator.Number) {
				newest = c
			}
		}
		if newest != nil {
			newest.requests.Put(r)
		}
	})
}

// Assign hands splits to the reader that asked for them.
func (w *Worker) Assign(a rpc.Assignment) {
	w.with(a.Header, func() {
		if r := w.mu.tasks[a.Attempt]; r != nil {
			r.assign(a)
		}
	})
}

var (
	errUnknownTask       = errors.New("the worker does not know the task")
	errUnknownEnumerator = errors.New("the worker does not know the enumerator")
)

// Inquire says again what was said last of attempts and enumerators.
func (w *Worker) Inquire(q rpc.Inquiry) {
	w.with(q.Header, func() {
		for _, a := range q.Attempts {
			w.tell(q.Header, a)
		}
		for _, e := range q.Enumerators {
			w.tellEnumerator(q.Header, e)
		}
	})
}

func (w *Worker) tell(h rpc.Header, a schedule.Attempt) {
	if r := w.mu.tasks[a]; r != nil {
		r.repeat()
		return
	}
	w.mu.tasks[a] = nil
	w.jobManager.Report(rpc.Report{Header: h, Attempt: a, State: execgraph.Failed, Cause: errUnknownTask})
}

func (w *Worker) tellEnumerator(h rpc.Header, e rpc.Enumerator) {
	switch c, known := w.mu.enumerators[e]; {
	case c != nil:
		c.repeat()
	case known && w.sources[e.Operator].source == nil:
		w.jobManager.SourceEnded(rpc.SourceEnd{Header: h, Enumerator: e})
	default:
		w.mu.enumerators[e] = nil
		w.jobManager.SourceEnded(rpc.SourceEnd{Header: h, Enumerator: e, Cause: errUnknownEnumerator})
	}
}

// Measure reads the metrics of the tasks that run.
func (w *Worker) Measure(q rpc.MetricsRequest) { label.Watch(func() { w.measure(q) }) }

func (w *Worker) measure(q rpc.MetricsRequest) {
	report := rpc.MetricsReport{MetricsRequest: q, Worker: w.options.ID}
	known := w.with(q.Header, func() {
		for a, r := range w.mu.tasks {
			if r == nil {
				continue
			}
			if t := r.task.Load(); t != nil {
				report.Tasks = append(report.Tasks, rpc.AttemptMetrics{Attempt: a, TaskMetrics: metricsOf(t, r.plan)})
			}
		}
	})
	if known {
		w.jobManager.ReportMetrics(report)
	}
}

// Release ends what is left of the job, and nobody looks after it any more.
func (w *Worker) Release(h rpc.Header) {
	w.with(h, func() {
		for _, t := range w.mu.watches {
			t.Stop()
		}
		for _, r := range w.mu.tasks {
			if r != nil {
				r.cancel()
			}
		}
		for _, c := range w.mu.enumerators {
			if c != nil {
				c.cancel()
			}
		}
		w.mu.tasks, w.mu.enumerators, w.mu.vertices, w.mu.released = nil, nil, nil, true
	})
}
