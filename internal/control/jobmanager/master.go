package jobmanager

import (
	"errors"
	"fmt"
	"log/slog"
	"time"

	"github.com/flott-dev/flott/internal/control/rpc"
	"github.com/flott-dev/flott/internal/control/watch"
	"github.com/flott-dev/flott/internal/decide/schedule"
	"github.com/flott-dev/flott/internal/graph/execgraph"
	"github.com/flott-dev/flott/internal/graph/taskplan"
)

// A JobMaster runs one job. Its goroutine owns all fields below inbox; what others want of it, they put there, as functions for
// it to call.
type JobMaster struct {
	header  rpc.Header
	workers rpc.TaskManager
	sources *coordinators
	log     *slog.Logger
	inbox   *inbox[func()]
	done    chan struct{} // closed when the job is over; result and err may be read then

	graph    *execgraph.Graph
	plans    map[schedule.Attempt]*taskplan.Plan
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

func newJobMaster(s Submission, h rpc.Header, workers rpc.TaskManager, log *slog.Logger) *JobMaster {
	m := &JobMaster{
		header:   h,
		workers:  workers,
		log:      log.With("job", s.Graph.Job.Name, "job_id", h.Job.String()),
		inbox:    newInbox[func()](),
		done:     make(chan struct{}),
		graph:    s.Graph,
		plans:    make(map[schedule.Attempt]*taskplan.Plan, len(s.Plans)),
		job:      schedule.NewJob(s.Graph),
		detached: s.Detached,
		tally:    newTally(s.Graph),
		asked:    map[int]chan<- []OperatorMetrics{},
	}
	for _, p := range s.Plans {
		m.plans[rpc.AttemptOf(p)] = p
	}
	m.sources = newCoordinators(s.Sources, workers, m.sourceFailed, m.log)
	return m
}

// Done is closed when the job is over.
func (m *JobMaster) Done() <-chan struct{} { return m.done }

// Result is what became of the job, and why it failed or was cancelled; only once it is done.
func (m *JobMaster) Result() (Result, error) { return m.result, m.err }

// Cancel asks for the job's end. Its error will be reason.
func (m *JobMaster) Cancel(reason error) {
	m.inbox.put(func() {
		if m.reason == nil {
			m.reason = reason
		}
		m.step(schedule.CancelRequested{})
	})
}

func (m *JobMaster) report(r rpc.Report) {
	m.inbox.put(func() {
		if r.State.Terminal() && m.plans[r.Attempt] != nil {
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

func (m *JobMaster) requestSplits(r rpc.SplitRequest) { m.sources.request(r) }

func (m *JobMaster) sourceFailed(cause error) {
	m.inbox.put(func() { m.step(schedule.SourceFailed{Cause: cause}) })
}

// run is the job, from its start to its end.
func (m *JobMaster) run() {
	defer close(m.done)
	m.start = time.Now()
	m.step(schedule.Started{})
	for !m.job.State().Terminal() {
		<-m.inbox.bell
		for _, do := range m.inbox.take() {
			do()
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
		m.sources.start()
		m.workers.Deploy(rpc.Deployment{Header: m.header, Tasks: m.plansOf(e.Attempts)})
	case schedule.Cancel:
		m.sources.cancel()
		m.workers.Cancel(rpc.Cancellation{Header: m.header, Attempts: e.Attempts})
	case schedule.Suppress:
		m.suppress(e.Failure)
	case schedule.End:
		for _, s := range m.sources.stop() {
			m.noteStuck(m.log, s)
		}
		m.workers.Release(m.header)
		m.end(e)
	}
}

func (m *JobMaster) plansOf(attempts []schedule.Attempt) []*taskplan.Plan {
	plans := make([]*taskplan.Plan, len(attempts))
	for i, a := range attempts {
		plans[i] = m.plans[a]
	}
	return plans
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
