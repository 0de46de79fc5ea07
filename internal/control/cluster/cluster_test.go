package cluster

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"runtime"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/flott-dev/flott/connector"
	"github.com/flott-dev/flott/connector/sequence"
	"github.com/flott-dev/flott/internal/control/watch"
	"github.com/flott-dev/flott/internal/data/operator"
	"github.com/flott-dev/flott/internal/decide/schedule"
	"github.com/flott-dev/flott/internal/fault"
	"github.com/flott-dev/flott/internal/id"
)

var errUser = errors.New("user error")

// endless counts up without end, as fast as it can.
func endless() connector.Source[int64] {
	return sequence.Generate(-1, 0, func(i int64) int64 { return i })
}

func TestFinish(t *testing.T) {
	var sum atomic.Int64
	r, err := newFlow().
		from(sequence.Of(1, 1000), 2).
		then("odd", 3, operator.Filter(func(v int64) bool { return v%2 == 1 })).
		to(1, func(v int64) error { sum.Add(v); return nil }).
		run(t.Context(), t)
	check(t, err)
	if sum.Load() != 250_000 {
		t.Errorf("the sum is %d", sum.Load())
	}
	var counted []string
	for _, o := range r.Operators {
		counted = append(counted, fmt.Sprintf("%s %d %d", o.Name, o.RecordsIn, o.RecordsOut))
	}
	if got := strings.Join(counted, ", "); got != "Source: source 0 1000, odd 1000 500, Sink: sink 500 0" {
		t.Errorf("counted %s", got)
	}
	if r.State != schedule.Finished || r.Name != "test" || r.Job == (id.Job{}) || r.RunTime <= 0 {
		t.Errorf("the result is %+v", r)
	}
}

// wants asserts that an error wraps another, and says all these words.
func wants(t *testing.T, err, wrapped error, words ...string) {
	t.Helper()
	if !errors.Is(err, wrapped) {
		t.Errorf("the error is %v, want one that is %v", err, wrapped)
		return
	}
	for _, w := range words {
		if !strings.Contains(err.Error(), w) {
			t.Errorf("the error is %v, want %q in it", err, w)
		}
	}
}

func TestUserErrorIsTheCause(t *testing.T) {
	r, err := newFlow().
		from(endless(), 1).
		then("picky", 2, operator.TryMap(func(v int64) (int64, error) {
			if v == 3 {
				return 0, errUser
			}
			return v, nil
		})).
		to(1, func(int64) error { return nil }).
		run(t.Context(), t)
	wants(t, err, errUser, `flott: job "test" failed`, `operator "picky" (`, "/2)")
	if r.State != schedule.Failed || r.Operators[0].RecordsOut == 0 {
		t.Errorf("the result is %+v", r)
	}
}

// Whatever an operator does at whatever point of its life, the failure names it, and not another one of its chain.
func TestFailureNamesTheOperator(t *testing.T) {
	made := func(f func() error) operator.Constructor {
		return operator.Func(func(env *operator.Env) (operator.Operator, error) {
			o, _ := operator.Map(func(v int64) int64 { return v }).New(env)
			if env.Subtask != 1 {
				return o, nil
			}
			return o, f()
		})
	}
	atWork := func(f func() error) operator.Constructor {
		return operator.TryMap(func(v int64) (int64, error) {
			if v%2 == 1 { // sent to the second subtask
				return v, f()
			}
			return v, nil
		})
	}
	fails := func() error { return errUser }
	panics := func() error { panic(errUser) }
	exits := func() error { runtime.Goexit(); return nil }
	for name, c := range map[string]struct {
		made  operator.Constructor
		want  error
		stack bool
	}{
		"error while made": {made(fails), errUser, false},
		"panic while made": {made(panics), errUser, true},
		"exit while made":  {made(exits), fault.ErrExit, false},
		"error at work":    {atWork(fails), errUser, false},
		"panic at work":    {atWork(panics), errUser, true},
		"exit at work":     {atWork(exits), fault.ErrExit, false},
	} {
		t.Run(name, func(t *testing.T) {
			same := operator.Map(func(v int64) int64 { return v })
			r, err := newFlow().
				from(sequence.Generate(-1, 0, func(i int64) int64 { return i }), 2).
				then("before", 2, same).then("culprit", 2, c.made).then("after", 2, same).
				to(2, func(int64) error { return nil }).
				run(t.Context(), t)
			wants(t, err, c.want, `operator "culprit" (2/2): `)
			var failure *fault.Failure
			if !errors.As(err, &failure) || failure.Operator != "culprit" || failure.Subtask != "(2/2)" ||
				!strings.Contains(failure.Task, "before -> culprit -> after") {
				t.Errorf("the failure is %+v", failure)
			}
			if strings.Contains(string(failure.Stack), "TestFailureNamesTheOperator") != c.stack {
				t.Errorf("the stack is %s", failure.Stack)
			}
			if r.State != schedule.Failed {
				t.Errorf("the job is %s", r.State)
			}
		})
	}
}

// failing is a source whose enumerator does what it is told.
type failing struct {
	connector.Source[int64]
	make func() error
}

func (f failing) Enumerator(context.Context, connector.Setup) (connector.Enumerator, error) {
	return nil, f.make()
}

// The enumerator works for all subtasks of its source.
func TestFailureOfAnEnumerator(t *testing.T) {
	for name, c := range map[string]struct {
		make  func() error
		want  error
		stack bool
	}{
		"error": {func() error { return errUser }, errUser, false},
		"panic": {func() error { panic(errUser) }, errUser, true},
		"exit":  {func() error { runtime.Goexit(); return nil }, fault.ErrExit, false},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := newFlow().from(failing{endless(), c.make}, 2).to(1, func(int64) error { return nil }).run(t.Context(), t)
			wants(t, err, c.want, `enumerator of operator "Source: source": `)
			var failure *fault.Failure
			if !errors.As(err, &failure) || failure.Operator != "Source: source" || failure.Subtask != "" {
				t.Errorf("the failure is %+v", failure)
			}
			if strings.Contains(string(failure.Stack), "TestFailureOfAnEnumerator") != c.stack {
				t.Errorf("the stack is %s", failure.Stack)
			}
		})
	}
}

// The end takes no time, and leaves no goroutine in the bubble of synctest.
func TestCancelledContextEndsTheJob(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithCancel(t.Context())
		arrived := make(chan int64, 1)
		job := newFlow().
			from(endless(), 2).
			do("look", 3, func(v int64) {
				select {
				case arrived <- v:
				default:
				}
			}).
			to(1, func(int64) error { return nil }).
			start(ctx, t)
		<-arrived
		cancel()
		start := time.Now()
		r, err := job.Wait(context.Background())
		if took := time.Since(start); took != 0 {
			t.Errorf("the end took %v", took)
		}
		wants(t, err, context.Canceled, `flott: job "test" was cancelled`)
		if r.State != schedule.Canceled || r.Operators[1].RecordsIn == 0 {
			t.Errorf("the result is %+v", r)
		}
	})
}

func TestReasonOfTheCancel(t *testing.T) {
	stop := errors.New("stop it")
	caused, cancel := context.WithCancelCause(t.Context())
	cancel(stop)
	late, release := context.WithTimeout(t.Context(), 0)
	defer release()
	for _, c := range []struct {
		ctx  context.Context
		want []error
	}{
		{caused, []error{context.Canceled, stop}},
		{late, []error{context.DeadlineExceeded}},
	} {
		_, err := newFlow().from(endless(), 1).to(1, func(int64) error { return nil }).run(c.ctx, t)
		for _, want := range c.want {
			wants(t, err, want)
		}
	}
}

func TestCancelOfTheHandle(t *testing.T) {
	job := newFlow().from(endless(), 1).to(1, func(int64) error { return nil }).start(t.Context(), t)
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := job.Wait(ended); !errors.Is(err, context.Canceled) {
		t.Errorf("Wait gives %v", err)
	}
	check(t, job.Cancel(t.Context()))
	check(t, job.Cancel(t.Context()))
	if _, err := job.Wait(t.Context()); !errors.Is(err, context.Canceled) {
		t.Errorf("the job's error is %v", err)
	}
}

// hang is user code that does not look at its context.
func hang(release <-chan bool) { <-release }

func TestCallThatDoesNotReturnIsReported(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		release := make(chan bool)
		var log bytes.Buffer
		graph, binding := newFlow().
			from(sequence.Of(1, 1), 1).
			do("hung", 2, func(int64) { hang(release) }).
			to(1, func(int64) error { return nil }).
			compile(t)
		job, err := Start(t.Context(), graph, binding, Options{Logger: slog.New(slog.NewTextHandler(&log, nil))})
		check(t, err)
		synctest.Wait()
		started := time.Now()
		check(t, job.Cancel(t.Context()))
		if took := time.Since(started); took != watch.Patience {
			t.Errorf("reported after %v", took)
		}
		r, err := job.Wait(t.Context())
		var stuck *watch.Stuck
		wants(t, err, context.Canceled, `task "hung`, "cluster.hang(")
		if !errors.As(err, &stuck) || strings.Count(err.Error(), "does not return") > 1 {
			t.Errorf("the error is %v", err)
		}
		if r.State != schedule.Canceled || r.Operators[1].RecordsIn != 1 {
			t.Errorf("the result is %+v", r)
		}
		if strings.Contains(log.String(), "cluster.hang(") || !strings.Contains(log.String(), "does not return") || !strings.Contains(log.String(), "task=") {
			t.Errorf("the log says %s", log.String())
		}
		close(release)
	})
}

func TestLogCarriesJobTaskSubtask(t *testing.T) {
	var log bytes.Buffer
	graph, binding := newFlow().
		from(sequence.Of(1, 1), 1).
		then("chatty", 1, operator.Func(func(env *operator.Env) (operator.Operator, error) {
			env.Logger.Info("made")
			return operator.Map(func(v int64) int64 { return v }).New(env)
		})).
		to(1, func(int64) error { return nil }).
		compile(t)
	job, err := Start(t.Context(), graph, binding, Options{Logger: slog.New(slog.NewTextHandler(&log, nil))})
	check(t, err)
	_, err = job.Wait(t.Context())
	check(t, err)
	for _, want := range []string{"made", "job=test", "task=", "chatty", "subtask=(1/1)", "attempt=0"} {
		if !strings.Contains(log.String(), want) {
			t.Errorf("the log is %q, want %q in it", log.String(), want)
		}
	}
}

func TestJobIDMayBeChosen(t *testing.T) {
	graph, binding := newFlow().from(sequence.Of(1, 1), 1).to(1, func(int64) error { return nil }).compile(t)
	o := quiet
	o.Job = id.Job{1, 2, 3}
	job, err := Start(t.Context(), graph, binding, o)
	check(t, err)
	r, err := job.Wait(t.Context())
	check(t, err)
	if job.ID() != o.Job || r.Job != o.Job || graph.ID == o.Job {
		t.Errorf("the job is %v, its result %v, the graph %v", job.ID(), r.Job, graph.ID)
	}
}
