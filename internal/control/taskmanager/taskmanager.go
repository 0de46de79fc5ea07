// Package taskmanager runs the tasks that a JobManager deploys, each on a goroutine of its own, and says what becomes of them.
//
// A task ends by itself, by failing, or because it is cancelled. Cancelling is asking: the context of user code ends at once, and
// the task when the call at hand returns. A task that has not ended after watch.Patience is given up: it is reported with the stack
// on which it hangs, and what it does later is of no interest.
package taskmanager

import (
	"errors"
	"log/slog"
	"sync"
	"time"

	"github.com/flott-dev/flott/internal/control/rpc"
	"github.com/flott-dev/flott/internal/control/watch"
	"github.com/flott-dev/flott/internal/data/shuffle"
	"github.com/flott-dev/flott/internal/decide/schedule"
	"github.com/flott-dev/flott/internal/graph/execgraph"
	"github.com/flott-dev/flott/internal/graph/jobgraph"
	"github.com/flott-dev/flott/internal/id"
)

// A TaskManager runs tasks of the jobs whose programs it has. It is an rpc.TaskManager.
type TaskManager struct {
	jobManager rpc.JobManager
	options    Options
	mu         struct {
		sync.Mutex
		jobs map[id.Job]*job
	}
}

// Options are the settings of a TaskManager.
type Options struct {
	Logger   *slog.Logger
	FlushGap time.Duration // the least time between two flushes of an output because its task has nothing else to do
}

// A job is what a TaskManager knows of a job. The TaskManager's lock guards it.
type job struct {
	program *jobgraph.Binding
	token   rpc.Token // of the newest leader that was heard
	tasks   map[schedule.Attempt]*running
	watches []*time.Timer
}

// New makes a TaskManager that reports to a JobManager.
func New(m rpc.JobManager, o Options) *TaskManager {
	t := &TaskManager{jobManager: m, options: o}
	t.mu.jobs = map[id.Job]*job{}
	return t
}

// Load makes a job's program known. Before that, tasks of the job fail here.
func (m *TaskManager) Load(j id.Job, program *jobgraph.Binding) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.mu.jobs[j] = &job{program: program, tasks: map[schedule.Attempt]*running{}}
}

// with calls do, under the lock, with the job that a message is about. It returns false, and does not call do, if the job is not
// known or the message is one of a leader that was replaced.
func (m *TaskManager) with(h rpc.Header, do func(*job)) bool {
	m.mu.Lock()
	defer m.mu.Unlock()
	j := m.mu.jobs[h.Job]
	if j == nil || h.Token < j.token {
		return false
	}
	j.token = h.Token
	do(j)
	return true
}

// Deploy runs tasks. They find each other's mailboxes in one directory, which has them from the start.
func (m *TaskManager) Deploy(d rpc.Deployment) {
	known := m.with(d.Header, func(j *job) {
		directory := shuffle.NewDirectory()
		for _, p := range d.Tasks {
			if a := rpc.AttemptOf(p); j.tasks[a] == nil { // the message may have come twice
				j.tasks[a] = newRunning(m, d.Header, p, j.program, directory)
				j.tasks[a].start()
			}
		}
	})
	if !known {
		m.refuse(d)
	}
}

var errNoProgram = errors.New("the TaskManager does not have the program of the job")

// refuse reports tasks that cannot be run.
func (m *TaskManager) refuse(d rpc.Deployment) {
	for _, p := range d.Tasks {
		m.jobManager.Report(rpc.Report{Header: d.Header, Attempt: rpc.AttemptOf(p), State: execgraph.Failed, Cause: errNoProgram})
	}
}

// Cancel asks tasks to end, and looks after them.
func (m *TaskManager) Cancel(c rpc.Cancellation) {
	m.with(c.Header, func(j *job) {
		var cancelled []*running
		for _, a := range c.Attempts {
			if r := j.tasks[a]; r != nil {
				r.cancel()
				cancelled = append(cancelled, r)
			}
		}
		j.watches = append(j.watches, time.AfterFunc(watch.Patience, func() { giveUp(cancelled) }))
	})
}

// Assign hands splits to the reader that asked for them.
func (m *TaskManager) Assign(a rpc.Assignment) {
	m.with(a.Header, func(j *job) {
		if r := j.tasks[a.Attempt]; r != nil {
			r.assign(a)
		}
	})
}

// Measure reads the metrics of the tasks that run.
func (m *TaskManager) Measure(q rpc.MetricsRequest) {
	report := rpc.MetricsReport{MetricsRequest: q}
	known := m.with(q.Header, func(j *job) {
		for a, r := range j.tasks {
			if t := r.task.Load(); t != nil {
				report.Tasks = append(report.Tasks, rpc.AttemptMetrics{Attempt: a, TaskMetrics: metricsOf(t)})
			}
		}
	})
	if known {
		m.jobManager.ReportMetrics(report)
	}
}

// Release forgets a job that is over.
func (m *TaskManager) Release(h rpc.Header) {
	m.with(h, func(j *job) {
		for _, w := range j.watches {
			w.Stop()
		}
		delete(m.mu.jobs, h.Job)
	})
}
