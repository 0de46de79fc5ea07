package flott

import (
	"context"
	"encoding/json"
	"sync"
	"time"

	"github.com/flott-dev/flott/internal/control/view"
	"github.com/flott-dev/flott/internal/fault"
)

// A program with several jobs calls Execute or Start once for each, and what comes later may depend on what came before: on a result,
// or an error. Its workers run the same main, but not those jobs. They count the calls as the client does, and give main what the client
// got, until they come to the job that they are for:
//
//	client   Execute(a) -> result     Execute(b) --+ submits b, and the result of a
//	                                               v
//	worker   Execute(a) -> the same   Execute(b) -> runs tasks of b, and never returns

// calls are those of Execute and Start in this process, of all environments, in their order.
var calls struct {
	sync.Mutex
	all []*call
}

// A call is one of Execute or Start on a cluster's client.
type call struct {
	job *Job // nil: none yet, or none at all
	err error
}

// begin notes that a call begins, and how many were before it.
func begin() (c *call, before int) {
	calls.Lock()
	defer calls.Unlock()
	c = &call{}
	calls.all = append(calls.all, c)
	return c, len(calls.all) - 1
}

// ended notes what a call returned.
func (c *call) ended(job *Job, err error) {
	calls.Lock()
	defer calls.Unlock()
	c.job, c.err = job, err
}

// earlier is what the first calls gave, as the submission of a job has it.
func earlier(n int) (all []json.RawMessage, err error) {
	calls.Lock()
	defer calls.Unlock()
	for _, c := range calls.all[:n] {
		text, err := json.Marshal(c.outcome())
		if err != nil {
			return nil, err
		}
		all = append(all, text)
	}
	return all, nil
}

// outcome is what became of a call, as a cluster tells it, as far as it is known: without a state there was an error and no job, or the job
// is not over.
func (c *call) outcome() view.Result {
	switch {
	case c.err != nil:
		return view.Result{Error: c.err.Error()}
	case c.job == nil: // another goroutine is in it
		return view.Result{}
	}
	r := c.job.running.(*remote)
	select {
	case <-c.job.over:
		return *r.result
	default:
		return view.Result{Job: r.job}
	}
}

// replay returns from a call as its outcome says. Who waits for a job that was not over waits for ever, as the client did.
func replay(o *view.Result) (*Job, error) {
	switch {
	case o.State != "":
		return finished(resultOf(o), errorOf(o)), nil
	case o.Error != "":
		return nil, errorOf(o)
	}
	return &Job{id: o.Job.String(), running: elsewhere{}, over: make(chan struct{})}, nil
}

// elsewhere is a job that was not over when the one was submitted that this process is for. Nobody waits for its end.
type elsewhere struct{ running }

func (elsewhere) cancel(ctx context.Context) error {
	<-ctx.Done()
	return ctx.Err()
}

func (elsewhere) metrics(context.Context) ([]OperatorMetrics, error) { return nil, nil }

// resultOf is a result that a cluster tells.
func resultOf(r *view.Result) *Result {
	all := &Result{JobID: r.Job.String(), RunTime: time.Duration(r.RunTime) * time.Millisecond}
	for _, o := range r.Operators {
		all.Operators = append(all.Operators, OperatorMetrics{
			ID: o.ID.String(), Name: o.Name,
			RecordsIn: o.RecordsIn, RecordsOut: o.RecordsOut, LateRecords: o.LateRecords,
			Busy: o.Busy, Idle: o.Idle, BackPressured: o.BackPressured,
			Watermark: time.UnixMilli(o.Watermark).UTC(),
		})
	}
	return all
}

// errorOf is why a job of a cluster failed, or was cancelled: the text of its error, and within it what can be found by errors.Is and
// errors.As.
func errorOf(r *view.Result) error {
	if r.Error == "" {
		return nil
	}
	e := &fault.Remote{Text: r.Error}
	if r.State == view.Canceled {
		e.Causes = append(e.Causes, context.Canceled)
	}
	if f := r.Failure; f != nil {
		e.Causes = append(e.Causes, &TaskError{
			Task: f.Task, Operator: f.Operator, Subtask: f.Subtask, Cause: &fault.Remote{Text: f.Cause}, Stack: []byte(f.Stack),
		})
	}
	return e
}
