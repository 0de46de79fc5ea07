package flott_test

import (
	"context"
	"errors"
	"iter"
	"log/slog"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/flott-dev/flott"
	"github.com/flott-dev/flott/connector"
	"github.com/flott-dev/flott/connector/file"
	"github.com/flott-dev/flott/internal/fault"
	"github.com/flott-dev/flott/watermark"
	"github.com/flott-dev/flott/window"
)

// A way is how user code fails.
type way struct {
	do    func() error
	cause error
	stack bool
}

var ways = map[string]way{
	"error": {func() error { return errUser }, errUser, false},
	"panic": {func() error { panic(errUser) }, errUser, true},
	"exit":  {func() error { runtime.Goexit(); return nil }, fault.ErrExit, false},
}

// A stage is a piece of user code that fails, and the operator that has to answer for it.
type stage struct {
	operator string
	write    func(e *flott.Environment, fail func() error)
}

// Code that returns an error fails in any way.
var stagesWithError = map[string]stage{
	"open":                       {"bad", processing(func(h *hooks, fail func() error) { h.made = fail })},
	"Open":                       {"bad", processing(func(h *hooks, fail func() error) { h.open = fail })},
	"Process":                    {"bad", processing(func(h *hooks, fail func() error) { h.process = fail })},
	"EndOfInput":                 {"bad", processing(func(h *hooks, fail func() error) { h.end = fail })},
	"Close":                      {"bad", processing(func(h *hooks, fail func() error) { h.close = fail })},
	"keyed open":                 {"bad", keyedProcessing(func(h *hooks, fail func() error) { h.made = fail })},
	"keyed Open":                 {"bad", keyedProcessing(func(h *hooks, fail func() error) { h.open = fail })},
	"keyed Process":              {"bad", keyedProcessing(func(h *hooks, fail func() error) { h.process = fail })},
	"OnEventTimer":               {"bad", keyedProcessing(func(h *hooks, fail func() error) { h.event = fail })},
	"OnProcessingTimer":          {"bad", keyedProcessing(func(h *hooks, fail func() error) { h.processing = fail })},
	"keyed EndOfInput":           {"bad", keyedProcessing(func(h *hooks, fail func() error) { h.end = fail })},
	"keyed Close":                {"bad", keyedProcessing(func(h *hooks, fail func() error) { h.close = fail })},
	"behind a side output":       {"bad", behindSideOutput},
	"sink's Writer":              {"bad: Writer", intoSink("Writer")},
	"writer's Write":             {"bad: Writer", intoSink("Write")},
	"writer's Flush":             {"bad: Writer", intoSink("Flush")},
	"writer's Close":             {"bad: Writer", intoSink("Close")},
	"source's Reader":            {"Source: bad", fromSource("Reader")},
	"reader's Assign":            {"Source: bad", fromSource("Assign")},
	"reader's Read":              {"Source: bad", fromSource("Read")},
	"reader's Close":             {"Source: bad", fromSource("Close")},
	"source's Enumerator":        {"Source: bad", fromSource("Enumerator")},
	"enumerator's Next":          {"Source: bad", fromSource("Next")},
	"TryMap amid a chain":        {"bad", amidChain},
	"TryMap behind an exchange":  {"bad", behindExchange},
	"ProcessLeft of two streams": {"bad", twoStreams},
}

// Code that returns no error can only panic, or end its goroutine. What deals out records runs where they come from.
func stagesWithoutError(folder string) map[string]stage {
	return map[string]stage{
		"watermarks of a source": {"Source: Sequence Source", func(e *flott.Environment, fail func() error) {
			numbers(e).Watermarks(failingTime(fail)).Map(double).Discard()
		}},
		"watermarks amid a chain": {"Timestamps/Watermarks", func(e *flott.Environment, fail func() error) {
			numbers(e).Map(double).Watermarks(failingTime(fail)).Map(double).Discard()
		}},
		"key selector": {"before", func(e *flott.Environment, fail func() error) {
			numbers(e).Map(double).Name("before").KeyBy(func(n int64) int64 { _ = fail(); return n }).Reduce(add).Discard()
		}},
		"PartitionBy": {"before", func(e *flott.Environment, fail func() error) {
			numbers(e).Map(double).Name("before").PartitionBy(func(int64, int) int { _ = fail(); return 0 }).Map(double).Discard()
		}},
		"function of a window": {"bad", func(e *flott.Environment, fail func() error) {
			numbers(e).Watermarks(onTime()).KeyBy(even).Window(window.TumblingEventTime(time.Second)).
				Apply(func(bool, window.Window, iter.Seq[int64]) iter.Seq[int64] { _ = fail(); return nil }).Name("bad").
				Map(double).Discard()
		}},
		"Reduce of a window": {"bad", func(e *flott.Environment, fail func() error) {
			numbers(e).Watermarks(onTime()).KeyBy(even).Window(window.TumblingEventTime(time.Second)).
				Reduce(func(a, _ int64) int64 { _ = fail(); return a }).Name("bad").Map(double).Discard()
		}},
		"format of a file": {"bad: Writer", func(e *flott.Environment, fail func() error) {
			numbers(e).Map(double).To(file.Writer(folder, func(int64) string { _ = fail(); return "" })).Name("bad")
		}},
	}
}

func TestFailuresNameTheirOperator(t *testing.T) {
	quiet(t)
	for name, s := range stagesWithError {
		for how, w := range ways {
			t.Run(name+"/"+how, func(t *testing.T) { s.run(t, w) })
		}
	}
	for name, s := range stagesWithoutError(t.TempDir()) {
		for _, how := range []string{"panic", "exit"} {
			t.Run(name+"/"+how, func(t *testing.T) { s.run(t, ways[how]) })
		}
	}
}

// quiet drops what is logged while a test runs: that others could not be closed either, and the like.
func quiet(t *testing.T) {
	before := slog.Default()
	t.Cleanup(func() { slog.SetDefault(before) })
	slog.SetDefault(slog.New(slog.DiscardHandler))
}

func (s stage) run(t *testing.T, w way) {
	env := flott.New(flott.Parallelism(2))
	s.write(env, w.do)
	_, err := env.Execute(t.Context(), "failing")
	if !errors.Is(err, w.cause) {
		t.Fatalf("the error is %v, want %v", err, w.cause)
	}
	var failure *flott.TaskError
	if !errors.As(err, &failure) || failure.Operator != s.operator {
		t.Errorf("the error is %v, want one of operator %q", err, s.operator)
	}
	if ofTask := failure.Task != ""; ofTask != strings.HasSuffix(failure.Subtask, "/2)") || !ofTask && !strings.Contains(err.Error(), "enumerator") {
		t.Errorf("it is of task %q, subtask %q: %v", failure.Task, failure.Subtask, err)
	}
	if hasStack := strings.Contains(string(failure.Stack), "flott_test."); hasStack != w.stack {
		t.Errorf("the stack is %s", failure.Stack)
	}
}

// A partition function has to know how many subtasks there are.
func TestPartitionOutOfRange(t *testing.T) {
	for _, wrong := range []int{-1, 2} {
		env := flott.New(flott.Parallelism(2))
		numbers(env).Map(double).Name("before").PartitionBy(func(int64, int) int { return wrong }).Map(double).Discard()
		_, err := env.Execute(t.Context(), "out of range")
		var failure *flott.TaskError
		if !errors.As(err, &failure) || failure.Operator != "before" || !strings.Contains(err.Error(), "there are 2 subtasks") {
			t.Errorf("the error is %v", err)
		}
	}
}

// hooks are all that a function can be called for. What is nil does nothing.
type hooks struct{ made, open, process, end, close, event, processing func() error }

func call(hook func() error) error {
	if hook == nil {
		return nil
	}
	return hook()
}

func (h hooks) Open(context.Context) error               { return call(h.open) }
func (h hooks) Close() error                             { return call(h.close) }
func (h hooks) EndOfInput(c *flott.Context[int64]) error { return call(h.end) }
func (h hooks) onlyWhenRun(_, parallelism int) error {
	if parallelism == 1 {
		return nil // the function is made while the program is compiled
	}
	return call(h.made)
}

type function struct{ hooks }

func (f function) Process(c *flott.Context[int64], n int64) error {
	c.Emit(n)
	return call(f.process)
}

// processing is a function amid a chain.
func processing(set func(*hooks, func() error)) func(*flott.Environment, func() error) {
	return func(e *flott.Environment, fail func() error) {
		var h hooks
		set(&h, fail)
		numbers(e).Map(double).Process(func(rt *flott.Runtime) (function, error) {
			return function{h}, h.onlyWhenRun(rt.Subtask())
		}).Name("bad").Map(double).Discard()
	}
}

type keyedFunction struct{ hooks }

func (f keyedFunction) Process(c *flott.KeyedContext[int64, int64], n int64) error {
	c.Emit(n)
	if f.event != nil {
		c.EventTimer(time.UnixMilli(n))
	}
	if f.processing != nil {
		c.ProcessingTimer(c.Now())
	}
	return call(f.process)
}

func (f keyedFunction) OnEventTimer(*flott.KeyedContext[int64, int64], time.Time) error {
	return call(f.event)
}

func (f keyedFunction) OnProcessingTimer(*flott.KeyedContext[int64, int64], time.Time) error {
	return call(f.processing)
}

// keyedProcessing is a function behind an exchange and in front of a chain. If it waits for timers, there is no end of records.
func keyedProcessing(set func(*hooks, func() error)) func(*flott.Environment, func() error) {
	return func(e *flott.Environment, fail func() error) {
		var h hooks
		set(&h, fail)
		n := int64(10)
		if h.processing != nil {
			n = -1
		}
		e.From(flott.Generate(n, 0, func(i int64) int64 { return i })).Watermarks(onTime()).KeyBy(flott.Identity).
			Process[int64](func(rt *flott.KeyedRuntime[int64]) (keyedFunction, error) {
			return keyedFunction{h}, h.onlyWhenRun(rt.Subtask())
		}).Name("bad").Map(double).Discard()
	}
}

func failingTime(fail func() error) watermark.Strategy[int64] {
	return watermark.Monotonic(func(n int64) time.Time { _ = fail(); return time.UnixMilli(n) })
}

func amidChain(e *flott.Environment, fail func() error) {
	numbers(e).Map(double).TryMap(func(n int64) (int64, error) { return n, fail() }).Name("bad").Map(double).Discard()
}

func behindExchange(e *flott.Environment, fail func() error) {
	numbers(e).Rebalance().TryMap(func(n int64) (int64, error) { return n, fail() }).Name("bad").Map(double).Discard()
}

// spill emits to a side output only.
type spill struct{}

var spilled = flott.NewTag[int64]("spilled")

func (spill) Process(c *flott.Context[int64], n int64) error {
	c.EmitTo(spilled, n)
	return nil
}

func behindSideOutput(e *flott.Environment, fail func() error) {
	s := numbers(e).Process(func(*flott.Runtime) (spill, error) { return spill{}, nil })
	s.SideOutput(spilled).TryMap(func(n int64) (int64, error) { return n, fail() }).Name("bad").Map(double).Discard()
	s.Discard()
}

type coFunction struct{ fail func() error }

func (f coFunction) ProcessLeft(*flott.KeyedContext[int64, int64], int64) error  { return f.fail() }
func (f coFunction) ProcessRight(*flott.KeyedContext[int64, int64], int64) error { return nil }

func twoStreams(e *flott.Environment, fail func() error) {
	keyed(e).Connect(keyed(e)).Process[int64](func(*flott.KeyedRuntime[int64]) (coFunction, error) { return coFunction{fail}, nil }).
		Name("bad").Map(double).Discard()
}

// A breakable fails at a named point.
type breakable struct {
	point string
	fail  func() error
}

func (b breakable) at(point string) error {
	if b.point == point {
		return b.fail()
	}
	return nil
}

// or returns err, if there is one, and what breaks at a point else.
func (b breakable) or(err error, point string) error {
	if err != nil {
		return err
	}
	return b.at(point)
}

type badSink struct{ breakable }

func intoSink(point string) func(*flott.Environment, func() error) {
	return func(e *flott.Environment, fail func() error) {
		numbers(e).Map(double).To(badSink{breakable{point, fail}}).Name("bad")
	}
}

func (s badSink) Writer(context.Context, int, int) (connector.Writer[int64], error) {
	return s, s.at("Writer")
}
func (s badSink) Write([]int64, []int64) error { return s.at("Write") }
func (s badSink) Flush(bool) error             { return s.at("Flush") }
func (s badSink) Close() error                 { return s.at("Close") }

// A badSource is a sequence that fails.
type badSource struct {
	flott.Source[int64]
	breakable
}

func fromSource(point string) func(*flott.Environment, func() error) {
	return func(e *flott.Environment, fail func() error) {
		e.From(badSource{flott.Sequence(1, 10), breakable{point, fail}}).Name("bad").Map(double).Discard()
	}
}

func (s badSource) Enumerator(ctx context.Context, setup connector.Setup) (connector.Enumerator, error) {
	e, err := s.Source.Enumerator(ctx, setup)
	return badEnumerator{e, s.breakable}, s.or(err, "Enumerator")
}

func (s badSource) Reader(ctx context.Context, wake func()) (connector.Reader[int64], error) {
	r, err := s.Source.Reader(ctx, wake)
	return badReader{r, s.breakable}, s.or(err, "Reader")
}

type badEnumerator struct {
	connector.Enumerator
	breakable
}

func (e badEnumerator) Next(ctx context.Context, subtask int) ([]connector.Split, bool, error) {
	splits, done, err := e.Enumerator.Next(ctx, subtask)
	return splits, done, e.or(err, "Next")
}

type badReader struct {
	connector.Reader[int64]
	breakable
}

func (r badReader) Assign(splits []connector.Split) error {
	return r.or(r.Reader.Assign(splits), "Assign")
}

func (r badReader) Read(b *connector.Batch[int64]) (connector.Status, error) {
	status, err := r.Reader.Read(b)
	return status, r.or(err, "Read")
}

func (r badReader) Close() error { return r.or(r.Reader.Close(), "Close") }
