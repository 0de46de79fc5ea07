package worker

import (
	"errors"
	"fmt"
	"sync/atomic"

	"github.com/flott-dev/flott/internal/control/rpc"
	"github.com/flott-dev/flott/internal/control/watch"
	"github.com/flott-dev/flott/internal/data/task"
	"github.com/flott-dev/flott/internal/fault"
	"github.com/flott-dev/flott/internal/graph/execgraph"
	"github.com/flott-dev/flott/internal/graph/taskplan"
	"github.com/flott-dev/flott/internal/id"
)

// A running is an attempt to run a subtask: a task, and the goroutine that runs it and reports how it ended.
type running struct {
	*Worker
	header rpc.Header
	plan   *taskplan.Plan
	lines  lines
	life   life

	task atomic.Pointer[task.Task]  // nil: it has ended
	said atomic.Pointer[rpc.Report] // last; nil: nothing
}

func (w *Worker) newRunning(h rpc.Header, p *taskplan.Plan, x *exchange) *running {
	r := &running{Worker: w, header: h, plan: p}
	r.lines = lines{r, w.directory.Mailbox(p.ID, p.Subtask, p.Attempt), map[id.Operator]*line{}}
	r.life = life{
		who:    fmt.Sprintf("task %q (%d/%d)", p.Name, p.Subtask+1, p.Parallelism),
		giveUp: func(s *watch.Stuck) { r.report(execgraph.Failed, s) },
	}
	r.task.Store(task.New(p, w.program, task.Host{
		Directory: w.directory,
		Place:     x.place,
		Codecs:    w.options.Codecs,
		Logger:    w.log,
		FlushGap:  w.options.FlushGap,
		Splits:    r.lines.of,
		Report:    func(s execgraph.State) { r.report(s, nil) },
	}))
	return r
}

func (r *running) start() { r.life.goroutine = watch.Go(r.task.Load().Run, r.ended) }

// errCancelled is how a task ends that was cancelled.
var errCancelled = errors.New("the task was cancelled")

// cancel asks the task to end, if it has not.
func (r *running) cancel() {
	if t := r.task.Load(); t != nil {
		t.Cancel(errCancelled)
	}
}

// ended reports how the task ended, and lets go of it.
func (r *running) ended(err error) {
	defer func() {
		r.task.Store(nil)
		r.lines.open = nil
	}()
	if errors.Is(err, fault.ErrExit) {
		err = r.task.Load().Err() // which could not be returned
	}
	switch {
	case err == nil:
		r.last(execgraph.Finished, nil)
	case errors.Is(err, errCancelled):
		r.last(execgraph.Canceled, nil)
	default:
		r.last(execgraph.Failed, err)
	}
}

// last sends the last report, unless it was sent.
func (r *running) last(s execgraph.State, cause error) {
	r.life.once(func() { r.report(s, cause) })
}

func (r *running) report(s execgraph.State, cause error) {
	report := rpc.Report{Header: r.header, Attempt: rpc.AttemptOf(r.plan), State: s, Cause: cause}
	if t := r.task.Load(); t != nil && s.Terminal() {
		report.Metrics = metricsOf(t, r.plan)
	}
	r.said.Store(&report)
	r.jobManager.Report(report)
}

// repeat says once more what was said last, and what is waited for.
func (r *running) repeat() {
	if last := r.said.Load(); last != nil {
		r.jobManager.Report(*last)
	}
	if !r.life.over.Load() {
		r.lines.repeat()
	}
}
