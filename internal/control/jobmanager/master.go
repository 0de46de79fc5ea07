package jobmanager

import (
	"errors"
	"fmt"
	"log/slog"
	"time"

	"github.com/flott-dev/flott/internal/control/inbox"
	"github.com/flott-dev/flott/internal/control/rpc"
	"github.com/flott-dev/flott/internal/control/watch"
	"github.com/flott-dev/flott/internal/decide/schedule"
	"github.com/flott-dev/flott/internal/graph/execgraph"
)

// A JobMaster runs one job. Its goroutine owns all fields below inbox; what others want of it, they put there, as functions for
// it to call.
type JobMaster struct {
	header  rpc.Header
	workers rpc.Worker
	log     *slog.Logger
	inbox   *inbox.Inbox[func()]
	done    chan struct{} // closed when the job is over; result and err may be read then

	graph    *execgraph.Graph
	sources  map[rpc.Enumerator]bool // that have not ended; true: cancelled
	ending   *schedule.End           // comes when these have
	job      *schedule.Job
	detached bool
	reason   error   // why it was cancelled
	stuck    []error // parts of the job that did not end
	tally    tally
	requests int                              // for metrics, so far
	asked    map[int]chan<- []OperatorMetrics // who waits for the answer to which of them
	start    time.Time
	result   Result
	err      error
}

func newJobMaster(s Submission, h rpc.Header, workers rpc.Worker, log *slog.Logger) *JobMaster {
	m := &JobMaster{
		header:   h,
		workers:  workers,
		log:      log.With("job", s.Graph.Job.Name, "job_id", h.Job.String()),
		inbox:    inbox.New[func()](),
		done:     make(chan struct{}),
		graph:    s.Graph,
		sources:  map[rpc.Enumerator]bool{},
		job:      schedule.NewJob(s.Graph),
		detached: s.Detached,
		tally:    newTally(s.Graph),
		asked:    map[int]chan<- []OperatorMetrics{},
	}
	return m
}

// Done is closed when the job is over.
func (m *JobMaster) Done() <-chan struct{} { return m.done }

// Result is what became of the job, and why it failed or was cancelled; only once it is done.
func (m *JobMaster) Result() (Result, error) { return m.result, m.err }

// Cancel asks for the job's end. Its error will be reason.
func (m *JobMaster) Cancel(reason error) {
	m.inbox.Put(func() {
		if m.reason == nil {
			m.reason = reason
		}
		m.step(schedule.CancelRequested{})
	})
}

func (m *JobMaster) report(r rpc.Report) {
	m.inbox.Put(func() {
		if r.State.Terminal() && m.tally.has(r.Attempt) {
			m.tally.last(r.Attempt, r.Metrics)
		}
		if stuckIn(r.Cause) != nil {
			m.step(schedule.Lost{Attempt: r.Attempt, Cause: r.Cause})
			return
		}
		m.step(schedule.Reported{Attempt: r.Attempt, State: r.State, Cause: r.Cause})
	})
}

// stuckIn is the part of the job that did not return, if that is what an error says.
func stuckIn(err error) *watch.Stuck {
	var stuck *watch.Stuck
	errors.As(err, &stuck)
	return stuck
}

// requestSplits passes a request on to the worker that hosts the enumerator.
func (m *JobMaster) requestSplits(r rpc.SplitRequest) { m.workers.NextSplits(r) }

// assigned passes an answer back.
func (m *JobMaster) assigned(a rpc.Assignment) { m.workers.Assign(a) }

func (m *JobMaster) sourceEnded(e rpc.SourceEnd) {
	m.inbox.Put(func() {
		if _, open := m.sources[e.Enumerator]; !open {
			return
		}
		delete(m.sources, e.Enumerator)
		if stuck := stuckIn(e.Cause); stuck != nil {
			m.noteStuck(m.log, stuck)
		} else if e.Cause != nil {
			m.step(schedule.SourceFailed{Cause: e.Cause})
		}
		m.endWithSources()
	})
}

// endWithSources ends the job, if that is due and no enumerator is left.
func (m *JobMaster) endWithSources() {
	if m.ending != nil && len(m.sources) == 0 {
		m.workers.Release(m.header)
		m.end(*m.ending)
		close(m.done)
	}
}

// run is the job, from its start to its end.
func (m *JobMaster) run() {
	m.start = time.Now()
	m.step(schedule.Started{})
	for {
		select {
		case <-m.done:
			return
		case <-m.inbox.Bell():
			for _, do := range m.inbox.Take() {
				do()
			}
		}
	}
}

// step lets the decider see an event, and does what it says.
func (m *JobMaster) step(e schedule.Event) {
	was := m.job.State()
	effects := m.job.Step(e, time.Now().UnixMilli())
	if is := m.job.State(); is != was {
		m.log.Debug("job state", "from", was, "to", is)
	}
	for _, effect := range effects {
		m.do(effect)
	}
}

func (m *JobMaster) do(e schedule.Effect) {
	switch e := e.(type) {
	case schedule.Deploy:
		m.workers.Deploy(rpc.Deployment{Header: m.header, Attempts: e.Attempts, Enumerators: m.openSources()})
	case schedule.Cancel:
		m.workers.Cancel(rpc.Cancellation{Header: m.header, Attempts: e.Attempts, Enumerators: m.cancelSources()})
	case schedule.Suppress:
		m.suppress(e.Failure)
	case schedule.End:
		m.ending = &e
		if left := m.cancelSources(); len(left) > 0 {
			m.workers.Cancel(rpc.Cancellation{Header: m.header, Enumerators: left})
		}
		m.endWithSources()
	}
}

// openSources is the enumerators of all sources, to start.
func (m *JobMaster) openSources() []rpc.Enumerator {
	var all []rpc.Enumerator
	for v := range m.graph.Vertices {
		for _, o := range m.graph.Vertices[v].Job.Chain {
			if o.Source() {
				all = append(all, rpc.Enumerator{Operator: o.ID})
				m.sources[all[len(all)-1]] = false
			}
		}
	}
	return all
}

// cancelSources is the enumerators that have not been cancelled yet.
func (m *JobMaster) cancelSources() []rpc.Enumerator {
	var left []rpc.Enumerator
	for e, cancelled := range m.sources {
		if !cancelled {
			m.sources[e] = true
			left = append(left, e)
		}
	}
	return left
}

// suppress logs a failure that is not the job's cause. Of a task that does not end the job's error must tell all the same.
func (m *JobMaster) suppress(f schedule.Failure) {
	if stuck := stuckIn(f.Cause); stuck != nil {
		m.noteStuck(m.logOf(f), stuck)
		return
	}
	m.logOf(f).Warn("failure while the job was ending", "error", f.Cause)
}

// logOf is the log with the task and subtask of a failure, if it was a task's.
func (m *JobMaster) logOf(f schedule.Failure) *slog.Logger {
	if f.Attempt == nil {
		return m.log
	}
	v := &m.graph.Vertices[f.Attempt.Vertex]
	return m.log.With("task", v.Job.Name, "subtask", fmt.Sprintf("(%d/%d)", f.Attempt.Index+1, v.Parallelism))
}

// mostStuck bounds the stacks in a job's error, when ten thousand tasks hang in the same call. The log names them all.
const mostStuck = 5

// noteStuck logs who hangs. Where, the job's error shows; the log only where perhaps nobody looks at that.
func (m *JobMaster) noteStuck(log *slog.Logger, s *watch.Stuck) {
	m.stuck = append(m.stuck, s)
	if m.detached {
		log = log.With("stack", s.Stack)
	}
	log.Error("user code does not return", "who", s.Who)
}

func (m *JobMaster) end(e schedule.End) {
	m.result = Result{
		Job:       m.header.Job,
		Name:      m.graph.Job.Name,
		State:     e.State,
		RunTime:   time.Since(m.start),
		Operators: m.tally.operators(m.graph),
	}
	if e.Cause != nil && m.detached {
		m.logOf(e.Failure).Error("job failed", "error", e.Cause)
	}
	var errs []error
	if e.State == schedule.Canceled {
		errs = append(errs, fmt.Errorf("flott: job %q was cancelled: %w", m.graph.Job.Name, m.reason))
	}
	if e.Cause != nil {
		errs = append(errs, fmt.Errorf("flott: job %q failed: %w", m.graph.Job.Name, e.Cause))
	}
	if more := len(m.stuck) - mostStuck; more > 0 {
		m.stuck = append(m.stuck[:mostStuck], fmt.Errorf("%d more do not return either", more))
	}
	m.err = errors.Join(append(errs, m.stuck...)...)
}
