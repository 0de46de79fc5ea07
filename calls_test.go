package flott

import (
	"context"
	"encoding/json"
	"errors"
	"reflect"
	"testing"
	"time"

	"github.com/flott-dev/flott/internal/control/view"
	"github.com/flott-dev/flott/internal/id"
)

// What a call gave the client is what a worker's main gets, though it goes as JSON.
func TestReplay(t *testing.T) {
	finishedJob := &view.Result{
		Job: id.Job{1}, State: view.Finished, RunTime: 1500,
		Operators: []view.OperatorResult{{Name: "Map", OperatorCounters: view.OperatorCounters{RecordsIn: 7, Watermark: 1<<63 - 1}, Busy: time.Second}},
	}
	failedJob := &view.Result{
		Job: id.Job{2}, State: view.Failed, Error: "flott: job failed: the disk is full",
		Failure: &view.TaskFailure{Task: "Source -> Map", Operator: "Map", Subtask: "(1/2)", Cause: "the disk is full", Stack: "main.f()"},
	}
	cancelledJob := &view.Result{Job: id.Job{3}, State: view.Canceled, Error: "flott: job was cancelled"}
	over := func(r *view.Result) *call {
		j := &Job{running: &remote{job: r.Job, result: r}, over: make(chan struct{})}
		close(j.over)
		return &call{job: j}
	}
	again := func(c *call) (*Job, error) {
		text, err := json.Marshal(c.outcome())
		var o view.Result
		if err := errors.Join(err, json.Unmarshal(text, &o)); err != nil {
			t.Fatal(err)
		}
		return replay(&o)
	}
	for name, r := range map[string]*view.Result{"finished": finishedJob, "failed": failedJob, "cancelled": cancelledJob} {
		job, err := again(over(r))
		if err != nil || job.ID() != r.Job.String() {
			t.Fatalf("%s: %+v, %v", name, job, err)
		}
		result, err := job.Wait(t.Context())
		want := errorOf(r)
		if !reflect.DeepEqual(result, resultOf(r)) || (err == nil) != (want == nil) || err != nil && err.Error() != want.Error() {
			t.Errorf("%s: %+v, %v", name, result, err)
		}
		var task *TaskError
		if errors.As(err, &task) != (r.Failure != nil) || task != nil && (task.Operator != "Map" || task.Subtask != "(1/2)" || string(task.Stack) != "main.f()") {
			t.Errorf("%s: the task's error is %+v", name, task)
		}
		if errors.Is(err, context.Canceled) != (r.State == view.Canceled) {
			t.Errorf("%s: %v", name, err)
		}
	}
	if job, err := again(&call{err: errors.New("no cluster")}); job != nil || err == nil || err.Error() != "no cluster" {
		t.Errorf("a call that failed gives %v, %v", job, err)
	}
	job, err := again(&call{job: &Job{running: &remote{job: id.Job{4}}, over: make(chan struct{})}})
	if err != nil || job.ID() != (id.Job{4}).String() {
		t.Fatalf("a job that runs is %v, %v", job, err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := job.Wait(ctx); !errors.Is(err, context.Canceled) {
		t.Errorf("waiting for it ends with %v", err)
	}
	if err := job.Cancel(ctx); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelling it ends with %v", err)
	}
}

// Of a job whose cluster is gone for good there are no metrics, but why.
func TestMetricsOfAJobThatIsLost(t *testing.T) {
	lost := errors.New("the connection is lost")
	j := &Job{over: make(chan struct{}), err: lost}
	close(j.over)
	if all, err := j.Metrics(t.Context()); all != nil || !errors.Is(err, lost) {
		t.Errorf("%v, %v", all, err)
	}
}
