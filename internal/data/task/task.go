// Package task runs one task: a chain of operators, the gates that feed it and the partitions that it fills, on one goroutine with a
// mailbox. loop.go has the essay.
//
// The package knows its task plan and never the job. It starts no goroutine: Run takes the caller's. Whoever hosts the task gives
// it what it cannot know (Host) and learns how it ended from Run.
package task

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"runtime/pprof"
	"strconv"

	"github.com/flott-dev/flott/internal/data/chain"
	"github.com/flott-dev/flott/internal/data/record"
	"github.com/flott-dev/flott/internal/data/shuffle"
	"github.com/flott-dev/flott/internal/fault"
	"github.com/flott-dev/flott/internal/graph/execgraph"
	"github.com/flott-dev/flott/internal/graph/jobgraph"
	"github.com/flott-dev/flott/internal/graph/taskplan"
	"github.com/flott-dev/flott/internal/halt"
	"github.com/flott-dev/flott/internal/label"
)

// A Task is one subtask of a vertex.
type Task struct {
	plan    *taskplan.Plan
	program *jobgraph.Binding
	host    Host
	subtask string // "(2/4)"
	logger  *slog.Logger

	box     *shuffle.Mailbox
	clock   *clock
	chain   *chain.Chain
	inputs  []*input    // by gate
	times   []inputTime // likewise
	outputs []*output   // by partition

	context context.Context // user code's
	cancel  context.CancelCauseFunc
	err     error // what Run returned

	// The loop's.
	message  *shuffle.Message // at hand; nil: none
	open     int              // inputs that have not ended
	pulling  bool             // a source in the chain has not ended
	dormant  bool             // no source has anything until something urgent comes
	received bool             // the last step was a message's: if a source can be pulled, it is its turn
}

// New is the task of a plan: from now on others can send to it. Run must follow, if only after Cancel.
func New(plan *taskplan.Plan, program *jobgraph.Binding, host Host) *Task {
	t := &Task{
		plan:    plan,
		program: program,
		host:    host,
		subtask: fmt.Sprintf("(%d/%d)", plan.Subtask+1, plan.Parallelism),
		times:   newInputTimes(len(plan.Gates)),
		box:     host.Directory.Mailbox(plan.ID, plan.Subtask, plan.Attempt),
	}
	t.logger = host.logger().With("job", plan.JobName, "task", plan.Name, "subtask", t.subtask, "attempt", plan.Attempt)
	t.context, t.cancel = halt.Context()
	t.clock = newClock(t.box.Nudge)
	t.chain = t.newChain()
	return t
}

// Run makes the operators and runs the task on the caller's goroutine, and returns
//
//	nil               when all inputs have ended and everything is sent
//	a *fault.Failure  when an operator returned an error or panicked
//	Cancel's cause    when it was cancelled
//
// Operators are closed in any case. Run does not return if user code ends the goroutine (runtime.Goexit, as testing.T.FailNow does).
// Deferred calls run even then, the caller's too, which can ask Err.
func (t *Task) Run() error {
	pprof.Do(t.context, t.labels(), func(context.Context) {
		defer t.close()
		t.catch(t.run, &t.err)
	})
	return t.err
}

// Cancel ends user code's context at once, and makes Run return when the call of user code at hand does. It may be called from any
// goroutine, also before Run, and all it does is done when it returns: a goroutine of its own would have to wait for its turn behind
// all those tasks that are to be cancelled. The mailbox is first: who leaves because the context has ended must find why.
func (t *Task) Cancel(cause error) {
	t.box.Cancel(cause)
	t.cancel(cause)
}

// labels are those of the goroutine in profiles and stack traces. Goroutines that user code starts inherit them.
func (t *Task) labels() pprof.LabelSet {
	return pprof.Labels(label.Job, t.plan.JobName, label.Task, t.plan.Name, label.Vertex, t.plan.ID.String(),
		label.Subtask, t.subtask, label.Attempt, strconv.Itoa(t.plan.Attempt))
}

// Err is what Run returned, or would have.
func (t *Task) Err() error { return t.err }

func (t *Task) run() error {
	t.box.Start()
	if err := t.build(); err != nil {
		return err
	}
	t.host.report(execgraph.Initializing)
	if err := t.chain.Open(t.context); err != nil {
		return err
	}
	t.host.report(execgraph.Running)
	if err := t.loop(); err != nil {
		return err
	}
	if err := t.chain.Finish(); err != nil {
		return err
	}
	return t.each((*output).End)
}

// close closes the operators, and lets go of what the task holds. User code may end the goroutine even now.
func (t *Task) close() {
	var closing error
	defer func() {
		for _, o := range t.outputs {
			o.Close()
		}
		t.clock.stop()
		t.box.Stop()
		t.cancel(nil)
		t.conclude(closing)
	}()
	t.catch(t.chain.Close, &closing)
}

// conclude decides what Run returns.
func (t *Task) conclude(closing error) {
	switch {
	case t.err == nil:
		t.err = closing
	case closing != nil:
		t.logger.Warn("operators of a task that had ended with an error could not be closed", "error", closing)
	}
	if cause := t.box.Cancelled(); t.err != nil && cause != nil {
		if !errors.Is(t.err, cause) {
			t.logger.Warn("a task failed while it was being cancelled", "error", t.err)
		}
		t.err = cause
	}
}

// catch calls f, and puts into *failed what went wrong, also when f does not return.
func (t *Task) catch(f func() error, failed *error) {
	fault.Catch(f, func(err error) {
		if err != nil {
			*failed = t.failure(err)
		}
	})
}

// failure says of which operator an error is: of the one that the chain gave it to, or else the one at work.
func (t *Task) failure(err error) error {
	operator := t.chain.Current()
	var owned *record.Failure
	if errors.As(err, &owned) {
		operator, err = owned.Name, owned.Err
	}
	return fault.Of(t.plan.Name, operator, t.subtask, err)
}
