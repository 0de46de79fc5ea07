package operator_test

import (
	"fmt"
	"iter"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/flott-dev/flott/aggregate"
	"github.com/flott-dev/flott/internal/data/operator"
	"github.com/flott-dev/flott/internal/data/record"
	"github.com/flott-dev/flott/window"
)

const milli = time.Millisecond

// sums adds up the numbers of a key and window: "a[0,10)=5".
func sums(w operator.Windows[string, event]) operator.Constructor {
	w.Key = keyOf
	return operator.WindowAggregate(w, aggregate.Sum(func(e event) int { return e.n }), func(k string, w window.Window, sum int) string {
		return fmt.Sprintf("%s[%d,%d)=%d", k, w.Start.UnixMilli(), w.End.UnixMilli(), sum)
	})
}

func tumbling(size time.Duration) operator.Windows[string, event] {
	return operator.Windows[string, event]{Assigner: window.TumblingEventTime(size)}
}

func sliding(size, slide time.Duration) operator.Windows[string, event] {
	return operator.Windows[string, event]{Assigner: window.SlidingEventTime(size, slide)}
}

// windowRig is a window operator with its output, its late output and its input.
func windowRig(t *testing.T, w operator.Windows[string, event]) (r *rig, in record.Input[event], out *tape[string], late *tape[event]) {
	out, late = &tape[string]{}, &tape[event]{}
	tag := "late"
	w.LateTag = &tag
	r = newKeyedRig(t, sums(w), out, map[string]any{"late": late})
	return r, input[event](r, 0), out, late
}

func TestTumblingWindows(t *testing.T) {
	r, in, out, late := windowRig(t, tumbling(10*milli))
	noError(t, in.Receive(at("a1", 0, "b2", 3, "a3", 9, "a4", 10)))
	noError(t, in.Watermark(8))
	out.expect(t, "watermark 8")
	noError(t, in.Watermark(9))
	out.expectFired(t, "a[0,10)=4@9 b[0,10)=2@9 | watermark 9")
	noError(t, in.Receive(at("b5", 9, "a6", 19, "b7", 9)))
	noError(t, in.Idle(true))
	out.expect(t, "idle")
	r.end(t, in)
	out.expect(t, "a[10,20)=10@19 | watermark end")
	late.expect(t, "watermark 8 | watermark 9 | b5@9 b7@9 | idle | watermark end")
	if n := r.env.Metrics.LateRecords.Load(); n != 2 {
		t.Errorf("%d late records counted", n)
	}
}

func TestLateRecordsThatNobodyReads(t *testing.T) {
	for _, tag := range []*string{nil, new("unread")} {
		w := tumbling(10 * milli)
		w.LateTag = tag
		r := newKeyedRig(t, sums(w), &tape[string]{}, nil)
		in := input[event](r, 0)
		noError(t, in.Watermark(9))
		noError(t, in.Receive(at("a1", 9)))
		if n := r.env.Metrics.LateRecords.Load(); n != 1 {
			t.Errorf("%d late records counted", n)
		}
	}
}

func TestSlidingWindows(t *testing.T) {
	r, in, out, _ := windowRig(t, sliding(10*milli, 5*milli))
	noError(t, in.Receive(at("a1", 0, "a2", 7)))
	noError(t, in.Watermark(9))
	out.expect(t, "a[-5,5)=1@4 a[0,10)=3@9 | watermark 9")
	r.end(t, in)
	out.expect(t, "a[5,15)=2@14 | watermark end")
}

// Slides that are longer than the size leave gaps; a record in a gap is in no window. Late is as Flink has it.
func TestSlidingWindowsWithGaps(t *testing.T) {
	r, in, out, late := windowRig(t, sliding(5*milli, 10*milli))
	noError(t, in.Receive(at("a1", 4, "a2", 5, "a3", 9)))
	noError(t, in.Watermark(5))
	noError(t, in.Receive(at("a4", 5, "a5", 6)))
	r.end(t, in)
	out.expect(t, "a[0,5)=1@4 | watermark 5 | watermark end")
	late.expect(t, "watermark 5 | a4@5 | watermark end")
}

func TestAllowedLateness(t *testing.T) {
	w := tumbling(10 * milli)
	w.Lateness = 5
	r, in, out, late := windowRig(t, w)
	noError(t, in.Receive(at("a1", 0)))
	noError(t, in.Watermark(9))
	out.expect(t, "a[0,10)=1@9 | watermark 9")
	// Each late record fires its window again, also one that had no record before.
	noError(t, in.Receive(at("a2", 1, "b3", 2, "a4", 3)))
	out.expect(t, "a[0,10)=3@9 b[0,10)=3@9 a[0,10)=7@9")
	noError(t, in.Watermark(13))
	noError(t, in.Receive(at("a5", 9)))
	out.expect(t, "watermark 13 | a[0,10)=12@9")
	noError(t, in.Watermark(14))
	noError(t, in.Receive(at("a6", 9, "a7", 10)))
	out.expect(t, "watermark 14")
	r.end(t, in)
	out.expect(t, "a[10,20)=7@19 | watermark end")
	late.expect(t, "watermark 9 | watermark 13 | watermark 14 | a6@9 | watermark end")
}

// A late record makes no window out of one that has gone, nor keeps one that should go.
func TestLatenessRemovesPanes(t *testing.T) {
	w := tumbling(10 * milli)
	w.Lateness = 5
	_, in, out, _ := windowRig(t, w)
	noError(t, in.Watermark(12))
	noError(t, in.Receive(at("a1", 9)))
	noError(t, in.Watermark(14))
	noError(t, in.Receive(at("a1", 9)))
	out.expect(t, "watermark 12 | a[0,10)=1@9 | watermark 14")
}

// Lateness beyond all time keeps windows until the end.
func TestEndlessLateness(t *testing.T) {
	w := tumbling(10 * milli)
	w.Lateness = 1<<63 - 1
	r, in, out, late := windowRig(t, w)
	noError(t, in.Receive(at("a1", 0)))
	noError(t, in.Watermark(1<<62))
	noError(t, in.Receive(at("a1", -100, "a2", 9)))
	r.end(t, in)
	out.expect(t, "a[0,10)=1@9 | watermark 4611686018427387904 | a[-100,-90)=1@-91 a[0,10)=3@9 | watermark end")
	late.expect(t, "watermark 4611686018427387904 | watermark end")
}

func TestWindowForms(t *testing.T) {
	tag := func(k string, w window.Window, e event) string {
		return fmt.Sprintf("%s[%d)%v", k, w.End.UnixMilli(), e)
	}
	w := operator.Windows[string, event]{Key: keyOf, Assigner: window.TumblingEventTime(10 * milli)}
	for name, c := range map[string]struct {
		c    operator.Constructor
		want string
	}{
		"ReduceTo": {operator.WindowReduceTo(w, concat, tag), "a[10)a132@9 b[10)b5@9 a[20)a4@19 | watermark end"},
		"Apply": {operator.WindowApply(w, func(k string, w window.Window, all iter.Seq[event]) iter.Seq[string] {
			if k == "b" {
				return nil
			}
			return func(yield func(string) bool) {
				_ = yield(fmt.Sprint(w.Start.UnixMilli())) && yield(fmt.Sprint(slices.Collect(all)))
			}
		}), "0@9 [a1 a3 a2]@9 10@19 [a4]@19 | watermark end"},
	} {
		t.Run(name, func(t *testing.T) {
			out := &tape[string]{}
			r := newKeyedRig(t, c.c, out, nil)
			in := input[event](r, 0)
			noError(t, in.Receive(at("a1", 0, "b5", 1, "a3", 2, "a2", 0, "a4", 11)))
			r.end(t, in)
			out.expectFired(t, c.want)
		})
	}
	t.Run("Reduce", func(t *testing.T) {
		out := &tape[event]{}
		r := newKeyedRig(t, operator.WindowReduce(w, concat), out, nil)
		in := input[event](r, 0)
		noError(t, in.Receive(at("a1", 0, "b5", 1, "a3", 2)))
		r.end(t, in)
		out.expectFired(t, "a13@9 b5@9 | watermark end")
	})
	t.Run("All", func(t *testing.T) { // WindowAll: one key for all
		out := &tape[int64]{}
		all := operator.Windows[struct{}, event]{Key: func(event) (none struct{}) { return }, Assigner: window.TumblingEventTime(10 * milli)}
		r := newKeyedRig(t, operator.WindowAggregate(all, aggregate.Count[event](), func(_ struct{}, _ window.Window, n int64) int64 { return n }), out, nil)
		in := input[event](r, 0)
		noError(t, in.Receive(at("a1", 0, "b5", 1, "a3", 2, "a1", 10)))
		r.end(t, in)
		out.expect(t, "3@9 1@19 | watermark end")
	})
}

func TestWindowNeedsTimestamps(t *testing.T) {
	_, in, _, _ := windowRig(t, tumbling(10*milli))
	err := in.Receive(at("a1"))
	want := "a record without a timestamp came to TumblingEventTimeWindows(10): call .Watermarks on a stream before it"
	if err == nil || err.Error() != want {
		t.Errorf("error %v", err)
	}
}

// Firing many windows yields, and the watermark waits.
func TestWindowStormYields(t *testing.T) {
	r, in, out, _ := windowRig(t, tumbling(10*milli))
	storm := &record.Batch[event]{}
	for i := range 2*record.Size + 1 {
		storm.V, storm.TS = append(storm.V, event{k: fmt.Sprint(i)}), append(storm.TS, int64(i))
	}
	y := r.Operator.(operator.Yielder)
	noError(t, in.Receive(storm))
	noError(t, in.Watermark(10_000))
	if !y.Busy() || slices.Contains(out.lines, "watermark 10000") {
		t.Fatal("all fired at once")
	}
	noError(t, in.Receive(at("z1", 10_000)))
	if y.Busy() || out.lines[len(out.lines)-1] != "watermark 10000" {
		t.Fatal("a record was taken before all that was due had fired")
	}
	if n := len(strings.Fields(strings.Join(out.lines, " "))); n != 2*record.Size+1+2 {
		t.Errorf("%d words", n)
	}
}

func processingTime(a window.Assigner) operator.Windows[string, event] {
	return operator.Windows[string, event]{Assigner: a}
}

func TestProcessingTimeWindows(t *testing.T) {
	r, in, out, _ := windowRig(t, processingTime(window.TumblingProcessingTime(10*milli)))
	r.clock.now = 1003
	noError(t, in.Receive(at("a1", "b2")))
	r.clock.pass(t, 6)
	noError(t, in.Receive(at("a3")))
	noError(t, in.Watermark(5000))
	out.expect(t, "watermark 5000")
	r.clock.pass(t, 1)
	out.expectFired(t, "a[1000,1010)=4@1009 b[1000,1010)=2@1009")
	noError(t, in.Receive(at("a5", 1)))
	r.clock.pass(t, 100)
	out.expect(t, "a[1010,1020)=5@1019")
	noError(t, in.Receive(at("a6", 1)))
	r.end(t, in)
	noError(t, r.Close())
	r.clock.pass(t, 100)
	out.expect(t, "watermark end") // Flink drops what is open at the end, too
}

func TestSlidingProcessingTimeWindows(t *testing.T) {
	r, in, out, late := windowRig(t, processingTime(window.SlidingProcessingTime(10*milli, 5*milli)))
	r.clock.now = 7
	noError(t, in.Receive(at("a1")))
	r.clock.pass(t, 3)
	out.expect(t, "a[0,10)=1@9")
	noError(t, in.Receive(at("a2")))
	r.clock.pass(t, 100)
	out.expect(t, "a[5,15)=3@14 | a[10,20)=2@19")
	late.expect(t, "")
}

// Many windows of processing time fire in bursts, too.
func TestProcessingTimeStorm(t *testing.T) {
	r, in, out, _ := windowRig(t, processingTime(window.TumblingProcessingTime(10*milli)))
	storm := &record.Batch[event]{}
	for i := range 2*record.Size + 1 {
		storm.V = append(storm.V, event{k: fmt.Sprint(i)})
	}
	noError(t, in.Receive(storm))
	r.clock.now = 10
	for _, want := range []int{record.Size, record.Size, 1} {
		ring := r.clock.timers[0]
		r.clock.timers = nil
		noError(t, ring.f())
		if n := len(strings.Fields(strings.Join(out.lines, " "))); n != want {
			t.Errorf("%d windows in a burst, want %d", n, want)
		}
		out.lines = nil
	}
	if len(r.clock.timers) > 0 {
		t.Error("the alarm is set though no window is open")
	}
}

// A truncating remainder would put -1 into [0, 5000).
func TestScenario_C1(t *testing.T) {
	r, in, out, _ := windowRig(t, tumbling(5000*milli))
	noError(t, in.Receive(at("a1", -1, "a2", 0)))
	r.end(t, in)
	out.expect(t, "a[-5000,0)=1@-1 a[0,5000)=2@4999 | watermark end")
}

// A watermark t says: no more records <= t. The same rule holds in windows and for timers: 999 is late after watermark 999.
func TestScenario_C8(t *testing.T) {
	_, in, out, late := windowRig(t, tumbling(1000*milli))
	noError(t, in.Receive(at("a1", 1000)))
	noError(t, in.Watermark(999))
	noError(t, in.Receive(at("a2", 999)))
	out.expect(t, "watermark 999")
	late.expect(t, "watermark 999 | a2@999")

	fired := &tape[string]{}
	r := newKeyedRig(t, operator.KeyedProcess(keyOf, newAdder), fired, nil)
	timed := input[event](r, 0)
	noError(t, timed.Receive(at("a999", 0)))
	noError(t, timed.Watermark(998))
	fired.expect(t, "a=999@0 | watermark 998")
	noError(t, timed.Watermark(999))
	fired.expect(t, "a fires with [999] of 1, wm 999, ts 999@999 | watermark 999")
}

// Of a batch with records of an old and a new window only the old ones are dropped.
func TestScenario_C14(t *testing.T) {
	r, in, out, late := windowRig(t, sliding(10*milli, 5*milli))
	noError(t, in.Watermark(100))
	noError(t, in.Receive(at("a1", 50, "a2", 103, "b3", 3, "b4", 99)))
	r.end(t, in)
	out.expectFired(t, "watermark 100 | a[95,105)=2@104 b[95,105)=4@104 a[100,110)=2@109 | watermark end")
	late.expect(t, "watermark 100 | a1@50 b3@3 | watermark end")
}

// An event on a boundary is in exactly size/slide windows, which are half open.
func TestScenario_C16(t *testing.T) {
	r, in, out, _ := windowRig(t, sliding(10*milli, 5*milli))
	noError(t, in.Receive(at("a1", 10)))
	r.end(t, in)
	out.expect(t, "a[5,15)=1@14 a[10,20)=1@19 | watermark end")
}

// (a) The end of input closes windows that are not full. (b) Each key has its own windows. (c) is about sessions.
func TestScenario_C19(t *testing.T) {
	r, in, out, _ := windowRig(t, sliding(time.Hour, 30*time.Minute))
	noError(t, in.Receive(at("a1", 1, "b2", 2)))
	out.expect(t, "")
	r.end(t, in)
	out.expectFired(t, "a[-1800000,1800000)=1@1799999 b[-1800000,1800000)=2@1799999 a[0,3600000)=1@3599999 b[0,3600000)=2@3599999 | watermark end")
}

// A late record goes to those of its windows that are open, and opens none again.
func TestScenario_C20(t *testing.T) {
	r, in, out, late := windowRig(t, sliding(10*milli, 5*milli))
	noError(t, in.Receive(at("a1", 1)))
	noError(t, in.Watermark(7))
	out.expect(t, "a[-5,5)=1@4 | watermark 7")
	noError(t, in.Receive(at("a2", 3)))
	r.end(t, in)
	out.expect(t, "a[0,10)=3@9 | watermark end")
	late.expect(t, "watermark 7 | watermark end")
	if n := r.env.Metrics.LateRecords.Load(); n != 0 {
		t.Errorf("%d late records counted: it was in time for one window", n)
	}
}

// A clock that steps back, or an alarm that goes off early, fires nothing early and nothing twice.
func TestScenario_C22(t *testing.T) {
	r, in, out, _ := windowRig(t, processingTime(window.TumblingProcessingTime(10*milli)))
	r.clock.now = 1_008
	noError(t, in.Receive(at("a1")))
	r.clock.now = 8 // a second earlier
	ring := r.clock.timers[0]
	r.clock.timers = nil
	noError(t, ring.f())
	noError(t, ring.f())
	out.expect(t, "")
	r.clock.pass(t, 1_001)
	out.expect(t, "")
	r.clock.pass(t, 1)
	out.expect(t, "a[1000,1010)=1@1009")
	noError(t, ring.f())
	out.expect(t, "")
}
