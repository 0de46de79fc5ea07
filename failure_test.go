package flott_test

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"strings"
	"testing"
	"time"

	"github.com/flott-dev/flott"
	"github.com/flott-dev/flott/aggregate"
	"github.com/flott-dev/flott/process"
	"github.com/flott-dev/flott/watermark"
	"github.com/flott-dev/flott/window"
)

var errUser = errors.New("the user's own error")

// fail panics at the number 7.
func panicky(n int64) int64 {
	if n == 7 {
		panic(fmt.Errorf("number %d: %w", n, errUser))
	}
	return n
}

func inTime() watermark.Strategy[int64] {
	return watermark.Monotonic(func(n int64) time.Time { return time.UnixMilli(panicky(n)) })
}

type panicker struct{}

func (panicker) Process(c *flott.Context[int64], n int64) error {
	c.Emit(panicky(n))
	return nil
}

type timerPanicker struct{}

func (timerPanicker) Process(c *flott.KeyedContext[int64, int64], n int64) error {
	c.EventTimer(time.UnixMilli(n))
	return nil
}

func (timerPanicker) OnEventTimer(c *flott.KeyedContext[int64, int64], at time.Time) error {
	panicky(at.UnixMilli())
	return nil
}

// A panic in any function of the user fails the job, with its stack, and not the process.
func TestPanics(t *testing.T) {
	ok := watermark.Monotonic(func(n int64) time.Time { return time.UnixMilli(n) })
	for name, c := range map[string]struct {
		write    func(*flott.Environment)
		operator string
	}{
		"Generate": {func(e *flott.Environment) { e.From(flott.Generate(100, 0, panicky)).Discard() }, "Source: Generator Source"},
		"GenerateBatch": {func(e *flott.Environment) {
			e.From(flott.GenerateBatch(100, 0, func(out []int64, first, stride int64) {
				for j := range out {
					out[j] = panicky(first + int64(j)*stride)
				}
			})).Discard()
		}, "Source: Generator Source"},
		"Map":        {func(e *flott.Environment) { numbers(e).Map(panicky).Discard() }, "Map"},
		"chained":    {func(e *flott.Environment) { numbers(e).Filter(all).Map(panicky).Name("bad").Filter(all).Discard() }, "bad"},
		"Filter":     {func(e *flott.Environment) { numbers(e).Filter(func(n int64) bool { return panicky(n) > 0 }).Discard() }, "Filter"},
		"KeyBy":      {func(e *flott.Environment) { numbers(e).KeyBy(panicky).Reduce(add).Discard() }, "Source: Sequence Source"},
		"Watermarks": {func(e *flott.Environment) { numbers(e).Watermarks(inTime()).Discard() }, "Source: Sequence Source"},
		"FlatMap": {func(e *flott.Environment) {
			numbers(e).FlatMap(func(n int64) iter.Seq[int64] {
				return func(yield func(int64) bool) { yield(panicky(n)) }
			}).Discard()
		}, "Flat Map"},
		"FlatMapTo": {func(e *flott.Environment) {
			numbers(e).FlatMapTo(func(n int64, out *process.Collector[int64]) error {
				out.Emit(panicky(n))
				return nil
			}).Discard()
		}, "Flat Map"},
		"Process": {func(e *flott.Environment) {
			numbers(e).Process(func(*flott.Runtime) (panicker, error) { return panicker{}, nil }).Discard()
		}, "Process"},
		"a timer": {func(e *flott.Environment) {
			numbers(e).Watermarks(ok).KeyBy(flott.Identity).
				Process[int64](func(*flott.KeyedRuntime[int64]) (timerPanicker, error) { return timerPanicker{}, nil }).Discard()
		}, "KeyedProcess"},
		"Reduce": {func(e *flott.Environment) {
			numbers(e).KeyBy(func(int64) bool { return true }).Reduce(func(_, b int64) int64 { return panicky(b) }).Discard()
		}, "Keyed Reduce"},
		"Aggregate": {func(e *flott.Environment) {
			keyed(e).Aggregate(aggregate.Count[int64](), func(k, _ int64) int64 { return panicky(k) }).Discard()
		}, "Keyed Aggregation"},
		"a window": {func(e *flott.Environment) {
			numbers(e).Watermarks(ok).KeyBy(flott.Identity).Window(window.TumblingEventTime(time.Second)).
				Aggregate(aggregate.Count[int64](), func(k int64, _ window.Window, _ int64) int64 { return panicky(k) }).Discard()
		}, "TumblingEventTimeWindows"},
		"PartitionBy": {func(e *flott.Environment) {
			numbers(e).PartitionBy(func(n int64, _ int) int { return int(panicky(n) * 0) }).Discard()
		}, "Source: Sequence Source"},
		"a sink": {func(e *flott.Environment) {
			numbers(e).To(flott.ForEach(func(n int64) error { panicky(n); return nil })).Name("out")
		}, "out: Writer"},
	} {
		t.Run(name, func(t *testing.T) {
			env := flott.New(flott.Parallelism(2))
			c.write(env)
			_, err := env.Execute(t.Context(), "panic")
			failed(t, err, c.operator)
			if !strings.Contains(err.Error(), "number 7") || !strings.Contains(err.Error(), "flott_test.panicky") {
				t.Errorf("the error has not the panic's value and stack:\n%v", err)
			}
		})
	}
}

// failed wants the error of a user's function in an operator.
func failed(t *testing.T, err error, operator string) {
	t.Helper()
	var task *flott.TaskError
	switch {
	case !errors.Is(err, errUser):
		t.Fatalf("error is %v, want %v", err, errUser)
	case !errors.As(err, &task):
		t.Fatalf("the error of no task: %v", err)
	case task.Operator != operator || !strings.HasSuffix(task.Subtask, "/2)"):
		t.Errorf("failed in operator %q, subtask %s, want %q", task.Operator, task.Subtask, operator)
	}
}

func TestErrors(t *testing.T) {
	no := func(n int64) error {
		if n == 7 {
			return errUser
		}
		return nil
	}
	for name, c := range map[string]struct {
		write    func(*flott.Environment)
		operator string
	}{
		"TryMap": {func(e *flott.Environment) {
			numbers(e).TryMap(func(n int64) (int64, error) { return n, no(n) }).Discard()
		}, "Map"},
		"a sink":   {func(e *flott.Environment) { numbers(e).To(flott.ForEach(no)) }, "Sink: Writer"},
		"by batch": {func(e *flott.Environment) { numbers(e).To(flott.ForEachBatch(func([]int64) error { return errUser })) }, "Sink: Writer"},
		"FlatMapTo": {func(e *flott.Environment) {
			numbers(e).FlatMapTo(func(n int64, out *process.Collector[int64]) error { return no(n) }).Discard()
		}, "Flat Map"},
		"ProcessFunc": {func(e *flott.Environment) {
			keyed(e).ProcessFunc(func(*flott.KeyedRuntime[int64]) func(*flott.KeyedContext[int64, int64], int64) error {
				return func(_ *flott.KeyedContext[int64, int64], n int64) error { return no(n) }
			}).Discard()
		}, "KeyedProcess"},
	} {
		t.Run(name, func(t *testing.T) {
			env := flott.New(flott.Parallelism(2))
			c.write(env)
			result, err := env.Execute(t.Context(), "error")
			failed(t, err, c.operator)
			if result == nil || result.JobID == "" {
				t.Error("there is no result beside the error")
			}
		})
	}
}

// Windows of event time need event time, and the error says how to get it.
func TestWindowsWithoutTimestamps(t *testing.T) {
	env := flott.New(flott.Parallelism(1))
	keyed(env).Window(window.TumblingEventTime(time.Second)).Reduce(add).Discard()
	if _, err := env.Execute(t.Context(), "timeless"); err == nil || !strings.Contains(err.Error(), ".Watermarks") {
		t.Errorf("error is %v, want one that names .Watermarks", err)
	}
}

// endless is a program that never ends by itself. It says when its first record has arrived.
func endless(env *flott.Environment) (arrived chan struct{}) {
	arrived = make(chan struct{}, 1)
	env.From(flott.Generate(-1, 0, func(i int64) int64 { return i })).
		KeyBy(flott.Identity).Reduce(add).
		To(flott.ForEach(func(int64) error {
			select {
			case arrived <- struct{}{}:
			default:
			}
			return nil
		}))
	return arrived
}

func TestCancelledContext(t *testing.T) {
	env := flott.New(flott.Parallelism(2))
	arrived := endless(env)
	ctx, cancel := context.WithCancel(t.Context())
	go func() { // ends when the job runs
		<-arrived
		cancel()
	}()
	result, err := env.Execute(ctx, "endless")
	if !errors.Is(err, context.Canceled) {
		t.Errorf("error is %v, want %v", err, context.Canceled)
	}
	if result == nil || result.Operators[0].RecordsOut == 0 {
		t.Errorf("result is %+v, want what was counted until the end", result)
	}
}

func TestDeadline(t *testing.T) {
	env := flott.New(flott.Parallelism(2))
	endless(env)
	ctx, cancel := context.WithTimeout(t.Context(), 20*time.Millisecond)
	defer cancel()
	if _, err := env.Execute(ctx, "endless"); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("error is %v, want %v", err, context.DeadlineExceeded)
	}
}

func TestContextThatIsCancelledBefore(t *testing.T) {
	env := flott.New(flott.Parallelism(2))
	endless(env)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := env.Execute(ctx, "endless"); !errors.Is(err, context.Canceled) {
		t.Errorf("error is %v, want %v", err, context.Canceled)
	}
}

func TestCancelledJob(t *testing.T) {
	env := flott.New(flott.Parallelism(2))
	arrived := endless(env)
	job, err := env.Start(t.Context(), "endless")
	if err != nil {
		t.Fatal(err)
	}
	<-arrived
	if err := job.Cancel(t.Context()); err != nil {
		t.Error(err)
	}
	result, err := job.Wait(t.Context())
	if !errors.Is(err, context.Canceled) || result.JobID != job.ID() {
		t.Errorf("result is %+v and error %v", result, err)
	}
	if err := job.Cancel(t.Context()); err != nil {
		t.Errorf("cancelling a job that is over: %v", err)
	}
}

// Who waits for a job can stop waiting, and the job goes on.
func TestWaitThatEndsBefore(t *testing.T) {
	env := flott.New(flott.Parallelism(2))
	arrived := endless(env)
	job, err := env.Start(t.Context(), "endless")
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := job.Wait(ctx); !errors.Is(err, context.Canceled) {
		t.Errorf("error is %v, want %v", err, context.Canceled)
	}
	<-arrived
	if err := job.Cancel(t.Context()); err != nil {
		t.Error(err)
	}
}
