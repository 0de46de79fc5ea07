package operator_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/flott-dev/flott/internal/data/operator"
	"github.com/flott-dev/flott/internal/data/record"
	"github.com/flott-dev/flott/process"
	"github.com/flott-dev/flott/state"
)

type (
	keyedContext = process.KeyedContext[string, string]
	keyedRuntime = process.KeyedRuntime[string]
)

func ms(t int64) time.Time { return time.UnixMilli(t).UTC() }

// An adder adds up, and sets timers: n of a record is how many milliseconds after the record. For 0 it deletes the last timer.
type adder struct {
	sum  state.Value[int]
	last state.Value[int64]
	all  state.List[int]
	seen state.Map[int, bool]
}

func newAdder(rt *keyedRuntime) (*adder, error) {
	return &adder{rt.Value[int]("sum"), rt.Value[int64]("last"), rt.List[int]("all"), rt.Map[int, bool]("seen")}, nil
}

func (a *adder) Process(c *keyedContext, in event) error {
	sum, _ := a.sum.Get()
	a.sum.Set(sum + in.n)
	a.all.Add(in.n)
	a.seen.Set(in.n, true)
	c.Emit(fmt.Sprintf("%s=%d", c.Key(), sum+in.n))
	if last, ok := a.last.Get(); in.n == 0 && ok {
		c.DeleteEventTimer(ms(last))
		return nil
	}
	ts, _ := c.Timestamp()
	c.EventTimer(ts.Add(time.Duration(in.n) * time.Millisecond))
	a.last.Set(ts.UnixMilli() + int64(in.n))
	return nil
}

func (a *adder) OnEventTimer(c *keyedContext, at time.Time) error {
	ts, _ := c.Timestamp()
	c.Emit(fmt.Sprintf("%s fires with %v of %d, wm %d, ts %d", c.Key(),
		slices.Collect(a.all.All()), len(maps(a.seen)), c.Watermark().UnixMilli(), ts.UnixMilli()))
	if !ts.Equal(at) {
		return fmt.Errorf("a timer of %v with timestamp %v", at, ts)
	}
	a.all.Clear()
	return nil
}

func maps(m state.Map[int, bool]) map[int]bool {
	all := map[int]bool{}
	for k, v := range m.All() {
		all[k] = v
	}
	return all
}

func (a *adder) EndOfInput(c *process.Context[string]) error {
	if _, ok := c.Timestamp(); ok {
		return errors.New("the end of input has a timestamp")
	}
	c.Emit("bye")
	return nil
}

func TestKeyedProcess(t *testing.T) {
	out := &tape[string]{}
	r := newKeyedRig(t, operator.KeyedProcess(keyOf, newAdder), out, nil)
	in := input[event](r, 0)
	noError(t, in.Receive(at("a10", 0, "b5", 1, "a20", 2)))
	out.expect(t, "a=10@0 b=5@1 a=30@2")
	noError(t, in.Watermark(9))
	out.expect(t, "b fires with [5] of 1, wm 9, ts 6@6 | watermark 9")
	noError(t, in.Receive(at("a0", 10)))
	noError(t, in.Idle(true))
	out.expect(t, "a=30@10 | idle")
	r.end(t, in)
	out.expect(t, "a fires with [10 20 0] of 3, wm 9223372036854775807, ts 10@10 | watermark end | bye")
}

// D1: what timers emit comes before the watermark that fires them.
func TestScenario_D1(t *testing.T) {
	out, side := &tape[string]{}, &tape[string]{}
	r := newKeyedRig(t, operator.KeyedProcess(keyOf, func(*keyedRuntime) (*bystander, error) { return &bystander{}, nil }), out,
		map[string]any{"side": side})
	in := input[event](r, 0)
	noError(t, in.Receive(at("a1", 0, "b1", 0)))
	noError(t, in.Watermark(10))
	out.expect(t, "a@10 b@10 | watermark 10")
	side.expect(t, "side a@10 side b@10 | watermark 10")
}

// A bystander sets a timer for time 10 and emits only then, to both outputs.
type bystander struct{}

func (*bystander) Process(c *keyedContext, _ event) error {
	c.EventTimer(ms(10))
	return nil
}

func (*bystander) OnEventTimer(c *keyedContext, at time.Time) error {
	c.Emit(c.Key())
	c.EmitTo(sides, "side "+c.Key())
	return nil
}

// A storm of timers yields: the watermark waits for the last of them, and a record that comes meanwhile does, too.
func TestTimerStormYields(t *testing.T) {
	out := &tape[string]{}
	r := newKeyedRig(t, operator.KeyedProcess(keyOf, func(*keyedRuntime) (*bystander, error) { return &bystander{}, nil }), out, nil)
	in := input[event](r, 0)
	storm := &record.Batch[event]{}
	for i := range 3 * record.Size {
		storm.V, storm.TS = append(storm.V, event{k: fmt.Sprint(i)}), append(storm.TS, 0)
	}
	y := r.Operator.(operator.Yielder)
	fire := func(fired int, busy bool) {
		t.Helper()
		if got := len(strings.Fields(strings.Join(out.lines, " "))); got != fired || y.Busy() != busy {
			t.Errorf("%d words out, busy %v; want %d, %v", got, y.Busy(), fired, busy)
		}
		out.lines = nil
	}
	noError(t, in.Receive(storm))
	noError(t, in.Watermark(10))
	fire(record.Size, true)
	noError(t, y.Resume())
	fire(record.Size, true)
	r.resume(t)
	fire(record.Size+len([]string{"watermark", "10"}), false)

	for _, call := range map[string]func() error{
		"record":    func() error { return in.Receive(at("z1", 11)) },
		"watermark": func() error { return in.Watermark(12) },
		"idle":      func() error { return in.Idle(true) },
		"end":       func() error { return r.EndInput(0) },
	} {
		noError(t, in.Receive(storm))
		noError(t, in.Watermark(11))
		if !y.Busy() {
			t.Fatal("not busy after a storm")
		}
		noError(t, call())
		if y.Busy() {
			t.Error("still busy after another call")
		}
	}
}

// processing-time timers fire at their time, and what they emit has no timestamp.
type alarm struct{}

func (alarm) Process(c *keyedContext, in event) error {
	c.ProcessingTimer(c.Now().Add(time.Duration(in.n)*time.Millisecond - time.Microsecond))
	if in.k == "z" {
		c.DeleteProcessingTimer(ms(50))
	}
	return nil
}

func (alarm) OnProcessingTimer(c *keyedContext, at time.Time) error {
	c.Emit(fmt.Sprintf("%s at %d now %d", c.Key(), at.UnixMilli(), c.Now().UnixMilli()))
	if _, ok := c.Timestamp(); ok {
		return errors.New("a processing-time timer has a timestamp")
	}
	return nil
}

func TestProcessingTimers(t *testing.T) {
	out := &tape[string]{}
	r := newKeyedRig(t, operator.KeyedProcess(keyOf, func(*keyedRuntime) (alarm, error) { return alarm{}, nil }), out, nil)
	in := input[event](r, 0)
	noError(t, in.Receive(at("a30", 7, "b20", 7, "a30", 7, "z50", 7)))
	r.clock.pass(t, 19)
	out.expect(t, "")
	r.clock.pass(t, 100)
	out.expect(t, "b at 20 now 20 | a at 30 now 30")
	noError(t, in.Receive(at("a30", 8)))
	r.end(t, in)
	noError(t, r.Close())
	r.clock.pass(t, 100)
	out.expect(t, "watermark end")
}

// A function without the handler of a timer that it sets fails, and the error says what is missing.
type deaf struct{ event bool }

func (d deaf) Process(c *keyedContext, in event) error {
	if d.event {
		c.EventTimer(ms(1))
	} else {
		c.ProcessingTimer(ms(1))
	}
	return nil
}

func TestTimerWithoutHandler(t *testing.T) {
	run := func(c operator.Constructor, want string) {
		t.Helper()
		r := newKeyedRig(t, c, &tape[string]{}, nil)
		err := input[event](r, 0).Receive(at("a1"))
		if err == nil || err.Error() != want {
			t.Errorf("error %v\nwant  %s", err, want)
		}
	}
	made := func(event bool) operator.Constructor {
		return operator.KeyedProcess(keyOf, func(*keyedRuntime) (deaf, error) { return deaf{event}, nil })
	}
	run(made(true), "operator_test.deaf sets a timer, but has no method "+
		"OnEventTimer(*process.KeyedContext[string,string], time.Time) error")
	run(made(false), "operator_test.deaf sets a timer, but has no method "+
		"OnProcessingTimer(*process.KeyedContext[string,string], time.Time) error")
	run(operator.KeyedProcessFunc(keyOf, func(*keyedRuntime) func(*keyedContext, event) error { return deaf{true}.Process }),
		"the function of ProcessFunc sets a timer: give Process a type with a method "+
			"OnEventTimer(*process.KeyedContext[string,string], time.Time) error")
}

func TestKeyedProcessFunc(t *testing.T) {
	out := &tape[int]{}
	r := newKeyedRig(t, operator.KeyedProcessFunc(keyOf,
		func(rt *keyedRuntime) func(*process.KeyedContext[string, int], event) error {
			n := rt.Value[int]("n")
			return func(c *process.KeyedContext[string, int], _ event) error {
				v, _ := n.Get()
				n.Set(v + 1)
				c.Emit(v + 1)
				return nil
			}
		}), out, nil)
	in := input[event](r, 0)
	noError(t, in.Receive(at("a1", "b1", "a1", "a1")))
	r.end(t, in)
	out.expect(t, "1 1 2 3 | watermark end")
}

// A pair remembers what came on each side, under one key.
type pair struct{ left, right state.Value[int] }

func (p *pair) ProcessLeft(c *keyedContext, in event) error {
	p.left.Set(in.n)
	return p.emit(c)
}

func (p *pair) ProcessRight(c *keyedContext, in int) error {
	p.right.Set(in)
	c.EventTimer(ms(int64(in)))
	return p.emit(c)
}

func (p *pair) emit(c *keyedContext) error {
	l, _ := p.left.Get()
	r, _ := p.right.Get()
	c.Emit(fmt.Sprintf("%s:%d+%d", c.Key(), l, r))
	return nil
}

func (p *pair) OnEventTimer(c *keyedContext, _ time.Time) error {
	c.Emit("timer")
	return p.emit(c)
}

func (p *pair) EndOfInput(c *process.Context[string]) error {
	c.Emit("bye")
	return nil
}

func TestKeyedCoProcess(t *testing.T) {
	out := &tape[string]{}
	r := newKeyedRig(t, operator.KeyedCoProcess(keyOf, func(n int) string { return []string{"a", "b"}[n%2] },
		func(rt *keyedRuntime) (*pair, error) { return &pair{rt.Value[int]("l"), rt.Value[int]("r")}, nil }), out, nil)
	left, right := input[event](r, 0), input[int](r, 1)
	noError(t, left.Receive(at("a1", 1, "b2", 2)))
	noError(t, right.Receive(batch([]int{10, 11}, 3, 4)))
	out.expect(t, "a:1+0@1 b:2+0@2 | a:1+10@3 b:2+11@4")
	noError(t, left.Watermark(20))
	out.expect(t, "")
	noError(t, right.Watermark(10))
	out.expect(t, "timer@10 a:1+10@10 | watermark 10")
	if got := r.env.Metrics.Watermark.Load(); got != 10 {
		t.Errorf("the metric says %d", got)
	}
	noError(t, right.Idle(true))
	out.expect(t, "timer@11 b:2+11@11 | watermark 20")
	noError(t, left.Idle(true))
	noError(t, right.Idle(false))
	out.expect(t, "idle | active")
	r.end(t, left, right)
	out.expect(t, "watermark end | bye")
}

// A function that opens, and is closed when that fails.
type fragile struct{ adder }

var errOpen = errors.New("no connection")

func (fragile) Open(context.Context) error { return errOpen }

func TestKeyedProcessOpen(t *testing.T) {
	c := operator.KeyedProcess(keyOf, func(rt *keyedRuntime) (*fragile, error) {
		a, err := newAdder(rt)
		return &fragile{*a}, err
	})
	env := keyedEnv(t, nil, nil)
	env.Clock = &clock{}
	o, err := c.New(env)
	noError(t, err)
	if err := o.Open(t.Context()); !errors.Is(err, errOpen) {
		t.Errorf("error %v", err)
	}
	noError(t, o.Close())
	if _, err := operator.KeyedProcess(keyOf, func(*keyedRuntime) (*fragile, error) { return nil, errOpen }).New(env); !errors.Is(err, errOpen) {
		t.Errorf("error %v", err)
	}
	if _, err := operator.KeyedProcess(func(event) float64 { return 0 },
		func(*process.KeyedRuntime[float64]) (floating, error) { return floating{}, nil }).New(env); err == nil {
		t.Error("floats make keys")
	}
}

type floating struct{}

func (floating) Process(*process.KeyedContext[float64, int], event) error { return nil }
