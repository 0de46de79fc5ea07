package task

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/flott-dev/flott/connector"
	"github.com/flott-dev/flott/connector/sequence"
	"github.com/flott-dev/flott/internal/data/operator"
	"github.com/flott-dev/flott/internal/data/record"
	"github.com/flott-dev/flott/internal/data/shuffle"
	"github.com/flott-dev/flott/internal/graph/program"
	"github.com/flott-dev/flott/internal/graph/taskplan"
	"github.com/flott-dev/flott/internal/id"
	"github.com/flott-dev/flott/process"
)

// What a function that takes so long over a record may hold up, in these tests: a step is one record, and two in a trial.
const (
	slowness    = 10 * time.Millisecond
	slowStep    = 2 * slowness
	slowRecords = 400
	timeout     = 100 * time.Millisecond // of buffers
)

func slowly(i int) int {
	time.Sleep(slowness)
	return i
}

// upTo is the numbers below n.
func upTo(n int) []int {
	all := make([]int, n)
	for i := range all {
		all[i] = i
	}
	return all
}

var sequenced = sequence.Generate(slowRecords, 0, func(i int64) int { return int(i) })

// numbers is a source of the numbers below slowRecords, by a reader as users have them.
func numbers(f flow) *program.Transformation {
	return source[int](f, "numbers", 1, operator.Source(sequenced, nil))
}

// fromEnumerator hands out the splits of a source with one subtask.
type fromEnumerator struct{ connector.Enumerator }

func (e fromEnumerator) Request(give func([]connector.Split, bool) error) {
	splits, done, err := e.Next(context.Background(), 0)
	if err == nil {
		err = give(splits, done)
	}
	if err != nil {
		panic(err)
	}
}

func compileNumbers(t *testing.T, f flow) *job {
	j := compile(t, f.Program)
	e, err := sequenced.Enumerator(t.Context(), connector.Setup{Parallelism: 1})
	check(t, err)
	j.host.Splits = func(id.Operator, int) operator.Splits { return fromEnumerator{e} }
	return j
}

func byNumber(t *testing.T) any {
	hash, err := id.HashOf[int]()
	check(t, err)
	return shuffle.ByKey(func(i int) int { return i }, hash)
}

// A timesheet is when records arrived, in time since the start.
type timesheet struct {
	numbers []int
	at      []time.Duration
}

func (s *timesheet) sink() operator.Constructor {
	start := time.Now()
	return operator.Func(func(env *operator.Env) (operator.Operator, error) {
		return &calling[int]{operator.NewThrough[struct{}](env), func(b *record.Batch[int]) {
			for _, v := range b.V {
				s.numbers, s.at = append(s.numbers, v), append(s.at, time.Since(start))
			}
		}}, nil
	})
}

// quiet is the longest time without a record after the nth.
func (s *timesheet) quiet(n int) (gap time.Duration) {
	for i := n; i < len(s.at); i++ {
		if i == 0 {
			gap = s.at[0]
			continue
		}
		gap = max(gap, s.at[i]-s.at[i-1])
	}
	return gap
}

// However slow a function is, what it emits leaves when the buffer timeout is over and the step at hand ends; nothing is lost, doubled
// or out of order.
func TestSlowFunctionHoldsNothingBack(t *testing.T) {
	slow := operator.Map(slowly)
	for name, form := range map[string]struct {
		link  func(t *testing.T, f flow, s *timesheet)
		quiet time.Duration // at most
	}{
		"behind keyBy, chained with the sink": {func(t *testing.T, f flow, s *timesheet) {
			then[struct{}](f, then[int](f, f.KeyBy(numbers(f), byNumber(t)), "slow", slow), "sink", s.sink())
		}, slowStep},
		"behind keyBy, before another task": {func(t *testing.T, f flow, s *timesheet) {
			apart(then[struct{}](f, then[int](f, f.KeyBy(numbers(f), byNumber(t)), "slow", slow), "sink", s.sink()))
		}, timeout + slowness + slowStep},
		"chained with the source": {func(_ *testing.T, f flow, s *timesheet) {
			apart(then[struct{}](f, then[int](f, numbers(f), "slow", slow), "sink", s.sink()))
		}, timeout + slowness + slowStep},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				f, s := newFlow(1), &timesheet{}
				form.link(t, f, s)
				check(t, compileNumbers(t, f).run(t.Context(), t))
				if !slices.Equal(s.numbers, upTo(slowRecords)) {
					t.Errorf("arrived: %v", s.numbers)
				}
				if gap := s.quiet(0); gap > form.quiet {
					t.Errorf("%v without a record, want at most %v; they came at %v", gap, form.quiet, s.at)
				}
			})
		})
	}
}

// The same for a function that becomes slow, but for the full steps that were not timed, as all before them were fast: see package pace.
func TestFunctionThatBecomesSlow(t *testing.T) {
	const fast, untimed, slow = 20_000, 8 * record.Size, 1000
	synctest.Test(t, func(t *testing.T) {
		f, s, n := newFlow(1), &timesheet{}, 0
		in := source[int](f, "numbers", 1, flooding(fast+untimed+slow))
		tiring := then[int](f, f.KeyBy(in, byNumber(t)), "tiring", operator.Map(func(i int) int {
			if n++; n > fast {
				return slowly(i)
			}
			return i
		}))
		apart(then[struct{}](f, tiring, "sink", s.sink()))
		check(t, compile(t, f.Program).run(t.Context(), t))
		if len(s.at) != fast+untimed+slow || s.quiet(fast+untimed) > timeout+slowness+slowStep {
			t.Errorf("%d records, %v without one", len(s.at), s.quiet(fast+untimed))
		}
	})
}

// Timers of a task with a slow function fire between its steps, and others see its counters move.
func TestSlowFunctionLetsTimersFire(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		const every = 50 * time.Millisecond
		f := newFlow(1)
		var late []time.Duration
		then[struct{}](f, f.KeyBy(numbers(f), byNumber(t)), "slow", operator.Func(func(env *operator.Env) (operator.Operator, error) {
			due := time.Now()
			var ring func() error
			ring = func() error {
				late = append(late, time.Since(due))
				due = due.Add(every)
				env.Clock.At(due.UnixMilli(), ring)
				return nil
			}
			env.Clock.At(due.UnixMilli(), ring)
			return &calling[int]{operator.NewThrough[struct{}](env), func(b *record.Batch[int]) {
				for range b.V {
					time.Sleep(slowness)
				}
			}}, nil
		}))
		j := compileNumbers(t, f)
		j.deploy()
		var done sync.WaitGroup
		done.Go(func() { check(t, j.run(t.Context(), t)) })
		in := &j.task("slow", 0).Metrics().Operators[0].RecordsIn
		for before := int64(0); before < slowRecords; {
			time.Sleep(time.Second)
			now := in.Load()
			if now == before {
				t.Errorf("in a second no record is counted after %d", now)
			}
			before = now
		}
		done.Wait()
		if len(late) < slowRecords*int(slowness/time.Millisecond)/int(every/time.Millisecond) || slices.Max(late) > slowStep {
			t.Errorf("timers were late by %v", late)
		}
	})
}

// A slow function that does not look whether its task is cancelled keeps it for a step.
func TestSlowFunctionIsCancelled(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := newFlow(1)
		deaf := operator.Func(func(env *operator.Env) (operator.Operator, error) {
			return &calling[int]{operator.NewThrough[struct{}](env), func(b *record.Batch[int]) {
				for range b.V {
					time.Sleep(slowness)
				}
			}}, nil
		})
		then[struct{}](f, f.KeyBy(numbers(f), byNumber(t)), "deaf", deaf)
		j := compileNumbers(t, f)
		ctx, cancel := context.WithCancel(t.Context())
		var done sync.WaitGroup
		done.Go(func() {
			if err := j.run(ctx, t); !errors.Is(err, context.Canceled) {
				t.Errorf("got %v", err)
			}
		})
		time.Sleep(1234567 * time.Microsecond)
		cancel()
		within(t, slowStep, "the end", done.Wait)
	})
}

// Slow timers fire in short bursts: what they emit leaves meanwhile, and the watermark that made them due is passed on behind it.
func TestSlowTimersHoldNothingBack(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f, s := newFlow(1), &timesheet{}
		in := source[int](f, "numbers", 1, script[int](func(int) (all []any) {
			for i := range slowRecords {
				all = append(all, at[int]{i, int64(i)})
			}
			return all
		}))
		timers := then[int](f, f.KeyBy(in, byNumber(t)), "timers", operator.KeyedProcess(func(i int) int { return i },
			func(*process.KeyedRuntime[int]) (slowTimers, error) { return slowTimers{}, nil }))
		apart(then[struct{}](f, timers, "sink", s.sink()))
		check(t, compile(t, f.Program).run(t.Context(), t))
		if len(s.numbers) != slowRecords || s.quiet(0) > timeout+slowness+slowStep {
			t.Errorf("%d records, at %v", len(s.numbers), s.at)
		}
	})
}

// slowTimers emits each record when the watermark has passed it.
type slowTimers struct{}

func (slowTimers) Process(c *process.KeyedContext[int, int], i int) error {
	c.EventTimer(time.UnixMilli(int64(i)))
	return nil
}

func (slowTimers) OnEventTimer(c *process.KeyedContext[int, int], at time.Time) error {
	c.Emit(slowly(int(at.UnixMilli())))
	return nil
}

func TestStepBound(t *testing.T) {
	for _, c := range []struct {
		timeouts []int64
		want     time.Duration
	}{
		{nil, 10 * time.Millisecond},
		{[]int64{100}, 10 * time.Millisecond},
		{[]int64{5000}, 10 * time.Millisecond},
		{[]int64{-1}, 10 * time.Millisecond},
		{[]int64{100, 50}, 5 * time.Millisecond},
		{[]int64{-1, 25}, 2500 * time.Microsecond},
		{[]int64{0}, time.Millisecond},
	} {
		t.Run(fmt.Sprint(c.timeouts), func(t *testing.T) {
			var outputs []taskplan.Partition
			for _, ms := range c.timeouts {
				outputs = append(outputs, taskplan.Partition{BufferTimeoutMs: ms})
			}
			if got := stepBound(outputs); got != c.want {
				t.Errorf("got %v, want %v", got, c.want)
			}
		})
	}
}
