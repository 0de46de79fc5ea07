package cluster

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/flott-dev/flott/connector/sequence"
	"github.com/flott-dev/flott/internal/control/view"
	"github.com/flott-dev/flott/internal/control/watch"
	"github.com/flott-dev/flott/internal/data/operator"
)

func init() {
	programs["prompt"] = atHalf(func() {})
	programs["opening"] = func(parallelism int) *flow { // beside a task that has nothing to do with it
		return programs["prompt"](parallelism).from(sequence.Of(1, 1), parallelism).then("opening", parallelism, operator.Func(neverOpen)).to(parallelism, nothing)
	}
}

// opening is an operator whose open does not return, cancelled or not.
type opening struct{ operator.Operator }

func neverOpen(env *operator.Env) (operator.Operator, error) {
	o, err := operator.Map(func(v int64) int64 { return v }).New(env)
	return opening{o}, err
}

func (opening) Open(context.Context) error { select {} }

// TestSlowOpenHoldsUpNobodyElse lets an operator hang in open. Another task of its worker goes on, and so do other jobs of its TaskManager,
// also while the job is being cancelled; which takes its time, and then is said with the stack.
func TestSlowOpenHoldsUpNobodyElse(t *testing.T) {
	t.Parallel() // it waits most of the time
	f := startFleet(t)
	tm, _ := f.taskManager(2)
	slow := f.submit(fmt.Sprintf("%032x", 1), "slow", "opening", 1, 0, 0)
	var states []string
	await(t, func() string { return fmt.Sprintf("its tasks are %v", states) }, func() bool {
		states = f.states(slow.String())
		return slices.Equal(states, []string{"FINISHED", "INITIALIZING"})
	})
	began := time.Now()
	f.prints(f.submit(fmt.Sprintf("%032x", 2), "before", "prompt", 1, 0, 0))
	usual := time.Since(began)

	began = time.Now()
	check(t, f.Cancel(t.Context(), slow))
	f.prints(f.submit(fmt.Sprintf("%032x", 3), "meanwhile", "prompt", 1, 0, 0))
	if took := time.Since(began); took >= usual+watch.Patience {
		t.Errorf("a job beside one that is being cancelled took %v, and before that %v", took, usual)
	}
	f.ends(slow, view.Canceled, "cluster.opening.Open")
	if took := time.Since(began); took < watch.Patience {
		t.Errorf("it was given up after %v", took)
	}
	var printed strings.Builder
	check(t, f.Output(t.Context(), slow, &printed))
	if n := strings.Count(printed.String(), "\n"); n != numbers {
		t.Errorf("the other task of its worker printed %d lines", n)
	}
	f.nothingLeft(tm.Process.Pid)
}

// states is those of the vertices of a job.
func (f *fleet) states(job string) (all []string) {
	f.t.Helper()
	var is struct{ Vertices []struct{ Status string } }
	f.get("/jobs/"+job, &is)
	for _, v := range is.Vertices {
		all = append(all, v.Status)
	}
	return all
}
