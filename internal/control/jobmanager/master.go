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

// A JobMaster runs one job. Its goroutine owns all fields below inbox; what others want of it, they put there.
type JobMaster struct {
	header  rpc.Header
	workers rpc.TaskManager
	sources *coordinators
	log     *slog.Logger
	inbox   *inbox[mail]
	done    chan struct{} // closed when the job is over; result and err may be read then

	graph  *execgraph.Graph
	plans  map[schedule.Attempt]*taskplan.Plan
	job    *schedule.Job
	reason error   // why it was cancelled
	stuck  []error // parts of the job that did not end
	tally  tally
	start  time.Time
	result Result
	err    error
}

// mail is what comes into the inbox: an event, with what belongs to it.
type mail struct {
	event  schedule.Event
	report *rpc.Report // of Reported and Lost
	reason error       // of CancelRequested
}

func newJobMaster(s Submission, h rpc.Header, workers rpc.TaskManager, log *slog.Logger) *JobMaster {
	m := &JobMaster{
		header:  h,
		workers: workers,
		log:     log.With("job", s.Graph.Job.Name, "job_id", h.Job.String()),
		inbox:   newInbox[mail](),
		done:    make(chan struct{}),
		graph:   s.Graph,
		plans:   make(map[schedule.Attempt]*taskplan.Plan, len(s.Plans)),
		job:     schedule.NewJob(s.Graph, time.Now().UnixMilli()),
		tally:   newTally(s.Graph),
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
	m.inbox.put(mail{event: schedule.CancelRequested{}, reason: reason})
}

func (m *JobMaster) report(r rpc.Report) {
	var e schedule.Event = schedule.Reported{Attempt: r.Attempt, State: r.State, Cause: r.Cause}
	if isStuck(r.Cause) {
		e = schedule.Lost{Attempt: r.Attempt, Cause: r.Cause}
	}
	m.inbox.put(mail{event: e, report: &r})
}

func isStuck(err error) bool {
	var stuck *watch.Stuck
	return errors.As(err, &stuck)
}

func (m *JobMaster) requestSplits(r rpc.SplitRequest) { m.sources.request(r) }

func (m *JobMaster) sourceFailed(cause error) {
	m.inbox.put(mail{event: schedule.SourceFailed{Cause: cause}})
}

// run is the job, from its start to its end.
func (m *JobMaster) run() {
	defer close(m.done)
	m.start = time.Now()
	m.step(mail{event: schedule.Started{}})
	for !m.job.State().Terminal() {
		<-m.inbox.bell
		for _, e := range m.inbox.take() {
			m.step(e)
		}
	}
}

// step lets the decider see one mail, and does what it says.
func (m *JobMaster) step(e mail) {
	if r := e.report; r != nil && r.State.Terminal() && m.plans[r.Attempt] != nil {
		m.tally.count(r)
	}
	if e.reason != nil && m.reason == nil {
		m.reason = e.reason
	}
	was := m.job.State()
	effects := m.job.Step(e.event, time.Now().UnixMilli())
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
		m.suppress(e)
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
func (m *JobMaster) suppress(s schedule.Suppress) {
	log := m.log
	if s.Attempt != nil {
		v := &m.graph.Vertices[s.Attempt.Vertex]
		log = log.With("task", v.Job.Name, "subtask", fmt.Sprintf("(%d/%d)", s.Attempt.Index+1, v.Parallelism))
	}
	if isStuck(s.Cause) {
		m.noteStuck(log, s.Cause)
		return
	}
	log.Warn("failure while the job was ending", "cause", s.Cause)
}

// mostStuck bounds the stacks in a job's error, when ten thousand tasks hang in the same call. The log has them all.
const mostStuck = 5

func (m *JobMaster) noteStuck(log *slog.Logger, stuck error) {
	m.stuck = append(m.stuck, stuck)
	log.Error("user code does not return", "cause", stuck)
}

func (m *JobMaster) end(e schedule.End) {
	m.result = Result{
		Job:       m.header.Job,
		Name:      m.graph.Job.Name,
		State:     e.State,
		RunTime:   time.Since(m.start),
		Operators: m.tally.operators(m.graph),
	}
	var errs []error
	if e.State == schedule.Canceled {
		errs = append(errs, fmt.Errorf("job %q was cancelled: %w", m.graph.Job.Name, m.reason))
	}
	if e.Cause != nil {
		errs = append(errs, fmt.Errorf("job %q failed: %w", m.graph.Job.Name, e.Cause))
	}
	if more := len(m.stuck) - mostStuck; more > 0 {
		m.stuck = append(m.stuck[:mostStuck], fmt.Errorf("%d more do not return either", more))
	}
	m.err = errors.Join(append(errs, m.stuck...)...)
}
