package operator_test

import (
	"context"
	"errors"
	"iter"
	"math"
	"testing"
	"time"

	"github.com/flott-dev/flott/aggregate"
	"github.com/flott-dev/flott/internal/data/operator"
	"github.com/flott-dev/flott/internal/data/record"
	"github.com/flott-dev/flott/internal/halt"
	"github.com/flott-dev/flott/process"
	"github.com/flott-dev/flott/watermark"
	"github.com/flott-dev/flott/window"
)

// A caller counts the calls of user code. The task is cancelled in one of them.
type caller struct {
	calls, last int
	cancel      func()
}

func (c *caller) call() {
	if c.calls++; c.calls == c.last {
		c.cancel()
	}
}

func (c *caller) of(v int64) int64                              { c.call(); return v }
func (c *caller) keep(int64) bool                               { c.call(); return true }
func (c *caller) try(v int64) (int64, error)                    { return c.of(v), nil }
func (c *caller) add(a, b int64) int64                          { return c.of(a + b) }
func (c *caller) at(v int64) time.Time                          { return time.UnixMilli(c.of(v)) }
func (c *caller) to(v int64, _ *process.Collector[int64]) error { c.call(); return nil }
func (c *caller) result(_, v int64) int64                       { return c.of(v) }
func (c *caller) fired(_ int64, _ window.Window, v int64) int64 { return c.of(v) }

// endless is a sequence that only its reader ends.
func (c *caller) endless(int64) iter.Seq[int64] {
	return func(yield func(int64) bool) {
		for more := true; more; more = yield(1) {
			c.call()
		}
	}
}

func (c *caller) pane(int64, window.Window, iter.Seq[int64]) iter.Seq[int64] { return c.endless(0) }

// What has methods in place of a function.
type (
	processor   struct{ *caller }
	coProcessor struct{ *caller }
	eventTimer  struct{ *caller }
	ringer      struct{ *caller }
	keyedOf     = process.KeyedContext[int64, int64]
)

func (p processor) Process(*process.Context[int64], int64) error { p.call(); return nil }
func (p coProcessor) Process(*keyedOf, int64) error              { p.call(); return nil }
func (p coProcessor) ProcessLeft(*keyedOf, int64) error          { p.call(); return nil }
func (p coProcessor) ProcessRight(*keyedOf, int64) error         { p.call(); return nil }
func (e eventTimer) Process(c *keyedOf, v int64) error           { c.EventTimer(time.UnixMilli(v)); return nil }
func (e eventTimer) OnEventTimer(*keyedOf, time.Time) error      { e.call(); return nil }
func (a ringer) Process(c *keyedOf, v int64) error               { c.ProcessingTimer(time.UnixMilli(v)); return nil }
func (a ringer) OnProcessingTimer(*keyedOf, time.Time) error     { a.call(); return nil }

func opener[F any](f F) func(*process.KeyedRuntime[int64]) (F, error) {
	return func(*process.KeyedRuntime[int64]) (F, error) { return f, nil }
}

// longOperators are operators whose user code, of each kind that is called in a loop, is that of c.
func longOperators(c *caller) map[string]operator.Constructor {
	same, none := func(v int64) int64 { return v }, func(int64) int64 { return 0 }
	first := func(a, _ int64) int64 { return a }
	count, sum := aggregate.Count[int64](), aggregate.Sum(c.of)
	windows := func(key func(int64) int64) operator.Windows[int64, int64] {
		return operator.Windows[int64, int64]{Key: key, Assigner: window.TumblingEventTime(time.Second)}
	}
	return map[string]operator.Constructor{
		"Map":       operator.Map(c.of),
		"TryMap":    operator.TryMap(c.try),
		"Filter":    operator.Filter(c.keep),
		"FlatMap":   operator.FlatMap(c.endless),
		"FlatMapTo": operator.FlatMapTo(c.to),
		"CoMap":     operator.CoMap(c.of, same),
		"Process": operator.Process[int64, int64](func(*process.Runtime) (processor, error) {
			return processor{c}, nil
		}),
		"KeyedProcess":        operator.KeyedProcess[int64, int64, int64](same, opener(coProcessor{c})),
		"KeyedProcess: key":   operator.KeyedProcess[int64, int64, int64](c.of, opener(coProcessor{&caller{}})),
		"event-time timer":    operator.KeyedProcess[int64, int64, int64](same, opener(eventTimer{c})),
		"processing timer":    operator.KeyedProcess[int64, int64, int64](same, opener(ringer{c})),
		"KeyedCoProcess":      operator.KeyedCoProcess[int64, int64, int64, int64](same, same, opener(coProcessor{c})),
		"Reduce":              operator.Reduce(none, c.add),
		"Reduce: key":         operator.Reduce(c.of, first),
		"Aggregate":           operator.Aggregate(same, sum, first),
		"Aggregate: result":   operator.Aggregate(same, count, c.result),
		"windows: key":        operator.WindowReduce(windows(c.of), first),
		"WindowReduce":        operator.WindowReduce(windows(none), c.add),
		"WindowAggregate":     operator.WindowAggregate(windows(none), sum, (&caller{}).fired),
		"WindowAggregate: to": operator.WindowAggregate(windows(same), count, c.fired),
		"WindowApply":         operator.WindowApply(windows(same), c.pane),
		"Watermarks":          operator.Watermarks(watermark.Monotonic(c.at)),
	}
}

// TestCancelledTaskCallsNoUserCode cancels the task in the midst of user code. The call in which that happens must be the last one.
func TestCancelledTaskCallsNoUserCode(t *testing.T) {
	for name := range longOperators(&caller{}) {
		t.Run(name, func(t *testing.T) {
			for _, last := range []int{1, 2, 7} {
				why := errors.New("enough")
				ctx, cancel := halt.Context()
				c := &caller{last: last, cancel: func() { cancel(why) }}
				if err := work(ctx, t, longOperators(c)[name]); !errors.Is(err, why) {
					t.Errorf("cancelled in call %d, it ended with %v", last, err)
				}
				if c.calls != last {
					t.Errorf("cancelled in call %d, there were %d", last, c.calls)
				}
			}
		})
	}
}

// work gives an operator a batch, a watermark behind it, and time, until it has enough.
func work(ctx context.Context, t *testing.T, c operator.Constructor) error {
	t.Helper()
	clock := &clock{}
	env := keyedEnv(t, record.Input[int64](&sum{}), nil)
	env.Context, env.Clock, env.Blocked = ctx, clock, func() int64 { return 0 }
	o, err := c.New(env)
	noError(t, err)
	noError(t, o.Open(ctx))
	defer func() { noError(t, o.Close()) }()

	b := &record.Batch[int64]{V: make([]int64, record.Size), TS: make([]int64, record.Size)}
	for i := range b.V {
		b.V[i], b.TS[i] = int64(i), int64(i)
	}
	in := o.Input(0).(record.Input[int64])
	if err := in.Receive(b); err != nil {
		return err
	}
	if err := in.Watermark(math.MaxInt64); err != nil {
		return err
	}
	clock.now = record.Size
	for _, timer := range clock.timers {
		if err := timer.f(); err != nil {
			return err
		}
	}
	return nil
}
