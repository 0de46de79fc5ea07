// Package jobmanager runs jobs by telling TaskManagers what to do.
//
// The Dispatcher knows the jobs and takes what TaskManagers say to the one it is meant for. Each job has a JobMaster: one goroutine
// with an inbox, which owns the job's decider (package schedule) and turns its effects into messages. Each source of a job has a
// coordinator: one goroutine that calls the source's enumerator and answers its readers.
package jobmanager

import (
	"errors"
	"fmt"
	"log/slog"
	"sync"

	"github.com/flott-dev/flott/internal/control/rpc"
	"github.com/flott-dev/flott/internal/graph/execgraph"
	"github.com/flott-dev/flott/internal/id"
)

// A Dispatcher takes jobs and keeps their masters, also when they are over. It is the rpc.JobManager.
type Dispatcher struct {
	token rpc.Token
	log   *slog.Logger
	mu    struct {
		sync.Mutex
		workers rpc.Worker // nil: none has joined
		jobs    map[id.Job]*JobMaster
	}
}

// NewDispatcher is the dispatcher of one leadership.
func NewDispatcher(token rpc.Token, log *slog.Logger) *Dispatcher {
	d := &Dispatcher{token: token, log: log}
	d.mu.jobs = map[id.Job]*JobMaster{}
	return d
}

// Ready makes a worker known. Jobs that are submitted afterwards run there.
func (d *Dispatcher) Ready(_ rpc.WorkerReady, w rpc.Worker) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.mu.workers = w
}

// Refused logs that a worker has another program than the client.
func (d *Dispatcher) Refused(r rpc.WorkerRefusal) {
	d.log.Error("a worker has another program", "job_id", r.Job, "worker", r.Worker, "difference", r.Difference)
}

// Disconnected logs that a worker was lost.
func (d *Dispatcher) Disconnected(l rpc.WorkerLoss) {
	d.log.Error("a worker was lost", "job_id", l.Job, "worker", l.Worker, "error", l.Cause)
}

// A Submission is a job to run.
type Submission struct {
	Graph *execgraph.Graph // its executions are owned by the job's master from now on
	// Detached says that perhaps nobody waits for the job: if it fails, the log has the error.
	Detached bool
}

var errNoWorker = errors.New("no worker has joined")

// Submit starts a job. A second submission with the id of the first gets the first one's master, so that a client may try again.
func (d *Dispatcher) Submit(s Submission) (*JobMaster, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	job := s.Graph.Job
	if m := d.mu.jobs[job.ID]; m != nil {
		return m, nil
	}
	if d.mu.workers == nil {
		return nil, fmt.Errorf("flott: job %q: %w", job.Name, errNoWorker)
	}
	m := newJobMaster(s, rpc.Header{Job: job.ID, Token: d.token}, d.mu.workers, d.log)
	d.mu.jobs[job.ID] = m
	go m.run() // ends with the job; its error is the job's
	return m, nil
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
	if h.Token != d.token {
		d.log.Warn("message of another leadership", "job", h.Job, "token", h.Token, "want", d.token)
		return nil
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.mu.jobs[h.Job]
}
