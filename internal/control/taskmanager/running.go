package taskmanager

import (
	"errors"
	"fmt"
	"slices"
	"sync/atomic"

	"github.com/flott-dev/flott/internal/control/rpc"
	"github.com/flott-dev/flott/internal/control/watch"
	"github.com/flott-dev/flott/internal/data/shuffle"
	"github.com/flott-dev/flott/internal/data/task"
	"github.com/flott-dev/flott/internal/fault"
	"github.com/flott-dev/flott/internal/graph/execgraph"
	"github.com/flott-dev/flott/internal/graph/jobgraph"
	"github.com/flott-dev/flott/internal/graph/taskplan"
	"github.com/flott-dev/flott/internal/id"
)

// A running is an attempt to run a subtask: a task, and the goroutine that runs it and reports how it ended.
type running struct {
	*TaskManager
	header rpc.Header
	plan   *taskplan.Plan
	lines  lines

	goroutine *watch.Goroutine
	task      atomic.Pointer[task.Task] // nil: it has ended
	over      atomic.Bool               // the last report was sent
}

func newRunning(m *TaskManager, h rpc.Header, p *taskplan.Plan, program *jobgraph.Binding, d *shuffle.Directory) *running {
	r := &running{TaskManager: m, header: h, plan: p}
	r.lines = lines{r, d.Mailbox(p.ID, p.Subtask), map[id.Operator]*line{}}
	r.task.Store(task.New(p, program, task.Host{
		Directory: d,
		Logger:    m.options.Logger,
		FlushGap:  m.options.FlushGap,
		Splits:    r.lines.of,
		Report:    func(s execgraph.State) { r.report(s, nil) },
	}))
	return r
}

func (r *running) start() {
	r.goroutine = watch.Go(r.task.Load().Run, r.ended)
}

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

func (r *running) subtask() string {
	return fmt.Sprintf("(%d/%d)", r.plan.Subtask+1, r.plan.Parallelism)
}

// giveUp reports those tasks that have not ended.
func giveUp(cancelled []*running) {
	hang := slices.DeleteFunc(cancelled, func(r *running) bool { return r.over.Load() })
	if len(hang) == 0 {
		return
	}
	stacks := watch.Take()
	for _, r := range hang {
		who := fmt.Sprintf("task %q %s", r.plan.Name, r.subtask())
		r.last(execgraph.Failed, &watch.Stuck{Who: who, Stack: stacks.Of(r.goroutine)})
	}
}

// last sends the last report, unless it was sent.
func (r *running) last(s execgraph.State, cause error) {
	if !r.over.Swap(true) {
		r.report(s, cause)
	}
}

func (r *running) report(s execgraph.State, cause error) {
	report := rpc.Report{Header: r.header, Attempt: rpc.AttemptOf(r.plan), State: s, Cause: cause}
	if t := r.task.Load(); t != nil && s.Terminal() {
		report.Metrics = metricsOf(t)
	}
	r.jobManager.Report(report)
}

// metricsOf is what a task has counted so far.
func metricsOf(t *task.Task) rpc.TaskMetrics {
	counted := t.Metrics()
	m := rpc.TaskMetrics{Times: rpc.Times(counted.Times), Operators: make([]rpc.Counters, len(counted.Operators))}
	for i, o := range counted.Operators {
		m.Operators[i] = rpc.Counters{
			RecordsIn: o.RecordsIn.Load(), RecordsOut: o.RecordsOut.Load(), LateRecords: o.LateRecords.Load(), Watermark: o.Watermark.Load(),
		}
	}
	return m
}
