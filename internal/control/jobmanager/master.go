package jobmanager

import (
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"time"

	"github.com/flott-dev/flott/internal/control/inbox"
	"github.com/flott-dev/flott/internal/control/rpc"
	"github.com/flott-dev/flott/internal/control/view"
	"github.com/flott-dev/flott/internal/control/watch"
	"github.com/flott-dev/flott/internal/decide/schedule"
	"github.com/flott-dev/flott/internal/decide/slots"
	"github.com/flott-dev/flott/internal/fault"
	"github.com/flott-dev/flott/internal/graph/execgraph"
)

// A JobMaster runs one job. Its goroutine owns all fields below output; what others want of it, they put into its inbox, as functions for
// it to call.
type JobMaster struct {
	header    rpc.Header
	resources resources
	program   Program
	secret    string // of its workers
	remote    bool   // messages to workers, and from them, may be lost
	log       *slog.Logger
	chronicle *chronicle
	inbox     *inbox.Inbox[func()]
	done      chan struct{} // closed when the job is over and in the archive; all below may be read then, and changes no more
	output    *output

	graph    *execgraph.Graph
	stream   json.RawMessage
	settings view.JobSettings
	job      *schedule.Job
	workers  map[rpc.WorkerID]*member
	hosts    map[string]rpc.Registration // of TaskManagers where the job has slots
	ports    map[rpc.WorkerID]int        // for records, of workers that have one
	timer    *time.Timer
	detached bool
	reason   error   // why it was cancelled
	stuck    []error // parts of the job that did not end
	symptoms []schedule.Reported
	failures []*failed // newest first
	up       bool      // all tasks run
	began    int64     // to start, the last time
	tally    tally
	requests int            // for metrics, so far
	asked    map[int]*asked // who waits for the answers to them
	start    time.Time
	result   Result
	err      error
	archived bool
}

// A member is a worker of the job that is ready.
type member struct {
	rpc.Worker
	address      rpc.WorkerAddress
	disconnected bool // and it is yet to be heard how it has ended
}

// inquiry is how often workers are asked how attempts fare, of whom no end was heard: a message may be lost.
const inquiry = 5 * time.Second

func newJobMaster(s Submission, h rpc.Header, r resources, log *slog.Logger, c *chronicle) *JobMaster {
	return &JobMaster{
		chronicle: c,
		began:     now(),
		header:    h,
		resources: r,
		program:   s.Program,
		secret:    rand.Text(),
		remote:    s.Worker == nil,
		log:       log.With("job", s.Graph.Job.Name, "job_id", h.Job.String()),
		inbox:     inbox.New[func()](),
		done:      make(chan struct{}),
		output:    newOutput(),
		graph:     s.Graph,
		stream:    s.StreamGraph,
		settings:  s.Settings,
		job:       schedule.NewJob(s.Graph, s.options()),
		workers:   map[rpc.WorkerID]*member{},
		hosts:     map[string]rpc.Registration{},
		ports:     map[rpc.WorkerID]int{},
		detached:  s.Settings.Detached,
		tally:     newTally(s.Graph),
		asked:     map[int]*asked{},
		start:     time.Now(),
	}
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

// What the ResourceManager says.

func (m *JobMaster) given(grants []slots.Grant, hosts map[string]rpc.Registration) {
	m.inbox.Put(func() {
		for name, h := range hosts {
			m.hosts[name] = h
		}
		m.step(schedule.Given{Grants: grants})
	})
}

func (m *JobMaster) lacks(l schedule.Lacking) {
	m.inbox.Put(func() {
		m.step(l)
		m.log.Info("the job waits", "for", m.job.Waiting())
	})
}

func (m *JobMaster) workerLost(w rpc.WorkerID, cause error) {
	m.inbox.Put(func() { m.lose(w, cause) })
}

// What workers say.

func (m *JobMaster) ready(r rpc.WorkerReady, w rpc.Worker) {
	m.inbox.Put(func() {
		m.workers[r.Worker] = &member{Worker: w, address: rpc.WorkerAddress{ID: r.Worker, Data: r.Data}}
		if port := portIn(r.Data); port != 0 {
			m.ports[r.Worker] = port
		}
		m.step(schedule.WorkerReady{Worker: r.Worker})
	})
}

func (m *JobMaster) refused(r rpc.WorkerRefusal) {
	m.inbox.Put(func() {
		cause := fault.OtherProgram.Errorf("the program builds another graph in worker %s than where it was submitted: %s", r.Worker, r.Difference)
		m.step(schedule.WorkerRefused{Worker: r.Worker, Cause: cause})
	})
}

func (m *JobMaster) report(r rpc.Report) {
	m.inbox.Put(func() {
		if r.State.Terminal() && m.job.Current(r.Attempt) {
			m.tally.last(r.Attempt, r.Metrics)
		}
		switch {
		case stuckIn(r.Cause) != nil:
			m.step(schedule.Lost{Attempt: r.Attempt, Cause: r.Cause})
		case errors.Is(r.Cause, fault.ErrConnection):
			m.noteSymptom(schedule.Reported{Attempt: r.Attempt, State: r.State, Cause: r.Cause})
		default:
			m.step(schedule.Reported{Attempt: r.Attempt, State: r.State, Cause: r.Cause})
		}
	})
}

// stuckIn is the part of the job that did not return, if that is what an error says.
func stuckIn(err error) *watch.Stuck {
	var stuck *watch.Stuck
	errors.As(err, &stuck)
	return stuck
}

// requestSplits passes a request on to the worker that hosts the enumerator.
func (m *JobMaster) requestSplits(r rpc.SplitRequest) {
	m.inbox.Put(func() {
		if host := m.workers[m.job.HostOf(r.Operator)]; host != nil && m.job.Current(r.Attempt) {
			host.NextSplits(r)
		}
	})
}

// assigned passes an answer back.
func (m *JobMaster) assigned(a rpc.Assignment) {
	m.inbox.Put(func() {
		if !m.job.Current(a.Attempt) {
			return
		}
		if w := m.workers[m.job.PlaceOf(a.Attempt.Subtask).Worker]; w != nil {
			w.Assign(a)
		}
	})
}

func (m *JobMaster) sourceEnded(e rpc.SourceEnd) {
	m.inbox.Put(func() { m.step(schedule.SourceEnded{Enumerator: e.Enumerator, Cause: e.Cause}) })
}

// run is the job, from its start to its end.
func (m *JobMaster) run() {
	m.timer = time.NewTimer(until(0))
	defer m.timer.Stop()
	inquire := &time.Ticker{}
	if m.remote {
		inquire = time.NewTicker(inquiry)
		defer inquire.Stop()
	}
	m.step(schedule.Started{})
	for !m.job.State().Terminal() {
		select {
		case <-m.timer.C:
			m.step(schedule.Woken{})
		case <-inquire.C:
			m.inquireAll()
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
	effects := m.job.Step(e, now())
	if is := m.job.State(); is != was {
		m.log.Debug("job state", "from", was, "to", is)
	}
	for _, effect := range effects {
		m.do(effect)
	}
	if m.job.Up() {
		m.noteUp()
		m.happensUp()
	}
}

func (m *JobMaster) do(e schedule.Effect) {
	switch e := e.(type) {
	case schedule.Request:
		m.resources.request(m, e.Wishes)
	case schedule.Deploy:
		m.noteDeployed(e)
		m.deploy(e)
	case schedule.Cancel:
		m.cancel(e)
	case schedule.Restart:
		m.restart(e)
	case schedule.Suppress:
		m.suppress(e.Failure)
	case schedule.Wake:
		m.timer.Reset(until(e.At))
	case schedule.End:
		m.all(func(w *member) { w.Release(m.header) })
		m.end(e)
		m.resources.ended(m)
	}
}

func (m *JobMaster) restart(r schedule.Restart) {
	m.logOf(r.Failure).Warn("the job starts again: "+view.SourcesAgain, "error", r.Cause, "after", r.Delay, "subtasks", len(r.Subtasks), "restart", m.job.Restarts())
	m.noteFailure(r.Failure)
	m.noteRestart(r)
	m.happensRestart(r)
}

// suppress logs a failure that is not the job's cause. Of a task that does not end the job's error must tell all the same.
func (m *JobMaster) suppress(f schedule.Failure) {
	m.noteConcurrent(f)
	if stuck := stuckIn(f.Cause); stuck != nil {
		m.noteStuck(m.logOf(f), stuck)
		return
	}
	m.logOf(f).Warn("failure while the job was ending", "error", f.Cause)
}

// logOf is the log with the task, subtask and attempt of a failure, if it was a task's.
func (m *JobMaster) logOf(f schedule.Failure) *slog.Logger {
	if f.Attempt == nil {
		return m.log
	}
	v := &m.graph.Vertices[f.Attempt.Vertex]
	return m.log.With("task", v.Job.Name, "subtask", fmt.Sprintf("(%d/%d)", f.Attempt.Index+1, v.Parallelism), "attempt", f.Attempt.Number)
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

// resultAs is what the job has counted, in a state.
func (m *JobMaster) resultAs(s schedule.State) Result {
	return Result{Job: m.header.Job, Name: m.graph.Job.Name, State: s, RunTime: time.Since(m.start), Operators: m.tally.operators(m.graph)}
}

func (m *JobMaster) end(e schedule.End) {
	m.result = m.resultAs(e.State)
	m.happensEnd(e)
	if e.Cause != nil {
		m.noteFailure(e.Failure)
		if m.detached {
			m.logOf(e.Failure).Error("job failed", "error", e.Cause)
		}
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

// Subtasks is how many subtasks the job has.
func (m *JobMaster) Subtasks() int { return m.graph.Subtasks() }
