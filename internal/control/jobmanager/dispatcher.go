// Package jobmanager runs jobs by telling workers what to do.
//
//	Dispatcher        knows the jobs, running and over, and takes what workers say to the one it is meant for
//	JobMaster         one goroutine a job, with an inbox: owns the job's decider (package schedule), turns its effects into messages
//	ResourceManager   one goroutine with an inbox: owns the pool of slots (package slots), has workers started by TaskManagers
//
// The three never wait for each other.
package jobmanager

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"log/slog"
	"math/rand/v2"
	"sync"
	"time"

	"github.com/flott-dev/flott/internal/control/rpc"
	"github.com/flott-dev/flott/internal/control/view"
	"github.com/flott-dev/flott/internal/decide/schedule"
	"github.com/flott-dev/flott/internal/graph/execgraph"
	"github.com/flott-dev/flott/internal/graph/program"
	"github.com/flott-dev/flott/internal/id"
)

// A Dispatcher takes jobs and keeps their masters, also when they are over. It is the rpc.JobManager.
type Dispatcher struct {
	options   Options
	resources *ResourceManager
	archive   *archive
	chronicle *chronicle
	masters   sync.WaitGroup // their goroutines
	mu        struct {
		sync.Mutex
		jobs jobs
		over bool // no job is taken any more
	}
}

// Options are the settings of a JobManager.
type Options struct {
	Token       rpc.Token // of its leadership
	Version     string    // of flott, for people
	Logger      *slog.Logger
	Restart     program.RestartStrategy // of jobs that are accepted and choose none
	SlotTimeout time.Duration           // of jobs that are accepted; 0: 5 minutes
	Archive     string                  // folder where jobs that are over are kept; "": they are forgotten when the process ends
	Retention   Retention
	// Carry takes a message between a JobMaster and the ResourceManager, which do is the arrival of, from either's goroutine. nil: at once.
	// Only a simulation needs another one, in which messages arrive in the same order each time.
	Carry func(job id.Job, toMaster bool, do func())
}

// New is the JobManager of one leadership. Jobs that are in the archive are known.
func New(o Options) *Dispatcher {
	d := &Dispatcher{options: o, chronicle: &chronicle{}}
	d.resources = newResourceManager(o, d.chronicle)
	d.archive = openArchive(o.Archive, o.Retention.Archived, o.Logger)
	d.chronicle.recall(d.archive.all())
	d.mu.jobs.of = map[id.Job]*JobMaster{}
	return d
}

// Run is the ResourceManager's goroutine. It works until done is closed. Embedded jobs do without.
func (d *Dispatcher) Run(done <-chan struct{}) { d.resources.run(done) }

// Resources is the JobManager's ResourceManager.
func (d *Dispatcher) Resources() *ResourceManager { return d.resources }

// A Submission is a job to run.
type Submission struct {
	Graph       *execgraph.Graph // its executions are owned by the job's master from now on
	StreamGraph json.RawMessage  // see view.Job
	Settings    view.JobSettings // what of them can be told from the graph is filled in
	Program     Program          // for workers on TaskManagers
	SlotTimeout time.Duration    // how long it waits for slots; 0: 5 minutes
	// Worker runs the job in this process, and is ready. nil: TaskManagers have workers.
	Worker rpc.Worker
}

// A Program is how a worker of a job is started.
type Program struct {
	Blob        view.Hash
	Args, Env   []string
	Graph       json.RawMessage // as package jobdoc writes it
	Fingerprint string
	Earlier     json.RawMessage // see view.Submission; nil: there is nothing
}

// slotTimeout is Flink's.
const slotTimeout = 5 * time.Minute

func (s Submission) options() schedule.Options {
	o := schedule.Options{Restart: s.Graph.Job.Restart, SlotTimeout: s.SlotTimeout, Random: rand.Float64}
	if o.SlotTimeout == 0 {
		o.SlotTimeout = slotTimeout
	}
	return o
}

// Submit starts a job. A second submission with the id of the first gets the first one's master, so that a client may try again, also
// when the job is over. If another job has the id, it is a *view.Refusal, as for a job that was over before this process started.
func (d *Dispatcher) Submit(s Submission) (*JobMaster, error) {
	job := s.Graph.Job
	s.Settings.RestartStrategy = job.Restart.String()
	s.Settings.Parallelism = cmp.Or(parallelismOf(job), s.Settings.Parallelism)
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.mu.over {
		return nil, errEnd
	}
	d.forget()
	own := s.Program.identity()
	switch m, over := d.mu.jobs.of[job.ID], d.archive.find(job.ID); {
	case m != nil && m.program.identity() == own:
		return m, nil
	case m != nil:
		return nil, own.conflict(job.ID, m.program.identity())
	case over != nil:
		return nil, own.conflict(job.ID, over.Program)
	}
	var from resources = d.resources
	if s.Worker != nil {
		from = onlyWorker{s.Worker}
	}
	m := newJobMaster(s, rpc.Header{Job: job.ID, Token: d.options.Token}, from, d.options.Logger, d.chronicle)
	d.mu.jobs.add(m)
	m.happensSubmitted()
	d.masters.Go(func() { // ends with the job; its error is the job's
		m.run()
		m.archived = d.archive.keep(m) // before anybody knows: a process that waits for its only job may end then
		close(m.done)
	})
	return m, nil
}

// Close cancels all jobs, and waits until they are over and in the archive, or ctx ends. It takes no more.
func (d *Dispatcher) Close(ctx context.Context) error {
	d.mu.Lock()
	d.mu.over = true
	d.mu.Unlock()
	for _, m := range d.newest() {
		m.Cancel(errEnd)
	}
	over := make(chan struct{})
	go func() { // ends with the jobs
		d.masters.Wait()
		close(over)
	}()
	select {
	case <-over:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

var errEnd = fmt.Errorf("%w: the JobManager ends", context.Canceled)

// Ready passes on that a worker can run tasks.
func (d *Dispatcher) Ready(r rpc.WorkerReady, w rpc.Worker) {
	if m := d.master(r.Header); m != nil {
		m.ready(r, w)
	}
}

// Refused passes on that a worker has another program than the client.
func (d *Dispatcher) Refused(r rpc.WorkerRefusal) {
	if m := d.master(r.Header); m != nil {
		m.refused(r)
	}
}

// Disconnected passes on that a worker cannot be reached any more.
func (d *Dispatcher) Disconnected(l rpc.WorkerLoss) {
	if m := d.master(l.Header); m != nil {
		m.disconnected(l)
	}
}

// Report passes on what became of a task.
func (d *Dispatcher) Report(r rpc.Report) {
	if m := d.master(r.Header); m != nil {
		m.report(r)
	}
}

// ReportMetrics passes on what tasks have counted.
func (d *Dispatcher) ReportMetrics(r rpc.MetricsReport) {
	if m := d.master(r.Header); m != nil {
		m.measured(r)
	}
}

// RequestSplits passes on the request of a reader.
func (d *Dispatcher) RequestSplits(r rpc.SplitRequest) {
	if m := d.master(r.Header); m != nil {
		m.requestSplits(r)
	}
}

// Assigned passes on what an enumerator had for a reader.
func (d *Dispatcher) Assigned(a rpc.Assignment) {
	if m := d.master(a.Header); m != nil {
		m.assigned(a)
	}
}

// SourceEnded passes on that an enumerator has ended.
func (d *Dispatcher) SourceEnded(e rpc.SourceEnd) {
	if m := d.master(e.Header); m != nil {
		m.sourceEnded(e)
	}
}

// master is the job that a message is meant for; nil: there is none, or another leader's message was meant for it.
func (d *Dispatcher) master(h rpc.Header) *JobMaster {
	if h.Token != d.options.Token {
		d.options.Logger.Warn("message of another leadership", "job", h.Job, "token", h.Token, "want", d.options.Token)
		return nil
	}
	return d.find(h.Job)
}

func (d *Dispatcher) find(job id.Job) *JobMaster {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.mu.jobs.of[job]
}

// newest is the masters, newest first.
func (d *Dispatcher) newest() []*JobMaster {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.forget()
	return d.mu.jobs.newest()
}
