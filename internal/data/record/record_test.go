package record_test

import (
	"context"
	"errors"
	"slices"
	"sync/atomic"
	"testing"

	"github.com/flott-dev/flott/internal/data/record"
	"pgregory.net/rapid"
)

// A stamped record is a record with its timestamp.
type stamped struct{ v, ts int64 }

// A collector is an input that keeps what it gets.
type collector struct {
	got     []stamped
	sizes   []int
	shared  []bool
	scratch bool // it writes to the columns that it may write to
	events  int
	err     error
}

func (c *collector) Receive(b *record.Batch[int64]) error {
	for i, v := range b.V {
		c.got = append(c.got, stamped{v, b.Time(i)})
	}
	c.sizes = append(c.sizes, len(b.V))
	c.shared = append(c.shared, b.Shared)
	if c.scratch && !b.Shared {
		clear(b.V)
		clear(b.TS)
	}
	b.V, b.TS = b.V[:0], nil
	return c.err
}

func (c *collector) Watermark(int64) error { c.events++; return c.err }
func (c *collector) Idle(bool) error       { c.events++; return c.err }

func TestSizeOf(t *testing.T) {
	for name, c := range map[string]struct{ got, want int }{
		"nothing":    {record.SizeOf[struct{}](), 256},
		"a number":   {record.SizeOf[int64](), 256},
		"64 bytes":   {record.SizeOf[[8]int64](), 256},
		"256 bytes":  {record.SizeOf[[32]int64](), 64},
		"100 kbytes": {record.SizeOf[[100 << 10]byte](), 16},
	} {
		if c.got != c.want {
			t.Errorf("%s: %d, want %d", name, c.got, c.want)
		}
	}
}

// Whatever is emitted comes out in order, in batches that are not too large, whose records all have a timestamp or none has.
func TestEmitter(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var out collector
		e := record.NewEmitter[int64](&out)
		var want []stamped
		for range rapid.IntRange(0, 5).Draw(t, "bursts") {
			ts := rapid.SampledFrom([]int64{record.NoTime, 0, 1, -1}).Draw(t, "ts")
			for range rapid.IntRange(0, 600).Draw(t, "records") {
				e.Emit(int64(len(want)), ts)
				want = append(want, stamped{int64(len(want)), ts})
			}
			if rapid.Bool().Draw(t, "flush") {
				if err := e.Flush(); err != nil || !slices.Equal(out.got, want) {
					t.Fatalf("after a flush: %v, %d of %d records", err, len(out.got), len(want))
				}
			}
		}
		if err := e.Flush(); err != nil || !slices.Equal(out.got, want) {
			t.Fatalf("%v; got %v, want %v", err, out.got, want)
		}
		for _, n := range out.sizes {
			if n < 1 || n > record.Size {
				t.Fatalf("a batch of %d", n)
			}
		}
	})
}

// The first error stays, and nothing is sent after it.
func TestEmitterKeepsItsError(t *testing.T) {
	full := errors.New("full")
	out := collector{err: full}
	e := record.NewEmitter[int64](&out)
	if e.Err() != nil || e.Flush() != nil {
		t.Error("an error before the first record")
	}
	for v := range int64(3 * record.Size) {
		e.Emit(v, v)
	}
	out.err = errors.New("another")
	if !errors.Is(e.Err(), full) || !errors.Is(e.Flush(), full) || len(out.sizes) != 1 {
		t.Errorf("got %v, %v after %d batches", e.Err(), e.Flush(), len(out.sizes))
	}
}

func TestEmitterAllocatesOnce(t *testing.T) {
	e := record.NewEmitter[int64](&nobody{})
	if n := testing.AllocsPerRun(10, func() {
		for v := range int64(2 * record.Size) {
			e.Emit(v, v)
		}
		if e.Flush() != nil {
			t.Fail()
		}
	}); n != 0 {
		t.Errorf("%v allocations", n)
	}
}

// nobody is an input that drops everything.
type nobody struct{}

func (*nobody) Receive(*record.Batch[int64]) error { return nil }
func (*nobody) Watermark(int64) error              { return nil }
func (*nobody) Idle(bool) error                    { return nil }

// All get everything; the last one may write, those before it may not, since the others read after them.
func TestFan(t *testing.T) {
	a, b, c := &collector{scratch: true}, &collector{scratch: true}, &collector{scratch: true}
	in := record.Fan[int64](a, b, c)
	if err := in.Receive(&record.Batch[int64]{V: []int64{1, 2}, TS: []int64{10, 20}}); err != nil {
		t.Fatal(err)
	}
	for i, r := range []*collector{a, b, c} {
		if !slices.Equal(r.got, []stamped{{1, 10}, {2, 20}}) || r.shared[0] != (i < 2) {
			t.Errorf("reader %d got %v, shared %v", i, r.got, r.shared)
		}
	}
	if err := in.Receive(&record.Batch[int64]{V: []int64{3}, Shared: true}); err != nil || !c.shared[1] {
		t.Errorf("what was shared before is not any more, %v", err)
	}
	if in.Watermark(1) != nil || in.Idle(true) != nil || a.events != 2 || c.events != 2 {
		t.Errorf("events %d, %d", a.events, c.events)
	}
}

func TestFanEndsAtAnError(t *testing.T) {
	wrong := errors.New("wrong")
	a, b := &collector{err: wrong}, &collector{}
	in := record.Fan[int64](a, b)
	for _, err := range []error{in.Receive(&record.Batch[int64]{V: []int64{1}}), in.Watermark(1), in.Idle(true)} {
		if !errors.Is(err, wrong) {
			t.Errorf("got %v", err)
		}
	}
	if len(b.sizes)+b.events != 0 {
		t.Error("goes on behind it")
	}
}

func TestFanOfOneAndOfNone(t *testing.T) {
	a := &collector{}
	if record.Fan[int64](a) != record.Input[int64](a) {
		t.Error("a fan of one is something else")
	}
	none := record.Fan[int64]()
	if none.Receive(&record.Batch[int64]{V: []int64{1}}) != nil || none.Watermark(1) != nil || none.Idle(true) != nil {
		t.Error("an error from nobody")
	}
}

func TestLink(t *testing.T) {
	running := 7
	ctx, cancel := context.WithCancelCause(t.Context())
	var in, out, at atomic.Int64
	seen := &watcher{running: &running}
	l := record.Linked[int64](seen, &record.Link{Context: ctx, Running: &running, Operator: 3, Name: "x", In: &in, Out: &out, Watermark: &at})
	check := func(err error) {
		t.Helper()
		if err != nil || seen.was != 3 || running != 7 {
			t.Errorf("%v; %d ran, then %d", err, seen.was, running)
		}
		seen.was = 0
	}
	check(l.Receive(&record.Batch[int64]{V: []int64{1, 2}}))
	check(l.Watermark(5))
	check(l.Idle(true))
	if in.Load() != 2 || out.Load() != 2 || at.Load() != 5 {
		t.Errorf("%d in, %d out, at %d", in.Load(), out.Load(), at.Load())
	}

	seen.err = errors.New("wrong")
	for _, err := range []error{l.Receive(&record.Batch[int64]{V: []int64{1}}), l.Watermark(6), l.Idle(false)} {
		var f *record.Failure
		if !errors.As(err, &f) || f.Name != "x" || !errors.Is(err, seen.err) {
			t.Errorf("got %v", err)
		}
	}
	owned := &record.Failure{Name: "y", Err: seen.err}
	seen.err = owned
	if err := l.Watermark(7); !errors.Is(err, owned) {
		t.Errorf("an owned error became %v", err)
	}

	over := errors.New("over")
	cancel(over)
	seen.was = 0
	var f *record.Failure
	if err := l.Receive(&record.Batch[int64]{V: []int64{1}}); !errors.As(err, &f) || f.Name != "x" || !errors.Is(err, over) || seen.was != 0 {
		t.Errorf("records of a task that was cancelled: %v; %d ran", err, seen.was)
	}
}

// A watcher sees who is at work.
type watcher struct {
	running *int
	was     int
	err     error
}

func (w *watcher) Receive(*record.Batch[int64]) error { w.was = *w.running; return w.err }
func (w *watcher) Watermark(int64) error              { w.was = *w.running; return w.err }
func (w *watcher) Idle(bool) error                    { w.was = *w.running; return w.err }

func BenchmarkEmit(b *testing.B) {
	e := record.NewEmitter[int64](&nobody{})
	for b.Loop() {
		for v := range int64(record.Size) {
			e.Emit(v, v)
		}
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/record.Size, "ns/record")
}
