package timer

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/flott-dev/flott/backend"
	"github.com/flott-dev/flott/internal/decide/pace"
	"pgregory.net/rapid"
)

// TestQueue compares a queue with a set of times and keys.
func TestQueue(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		type item struct {
			time int64
			key  int
		}
		q, model := NewQueue[int](), map[item]bool{}
		keys := rapid.SampledFrom([]int{1, 10, 200}).Draw(t, "keys")
		drawTime := func(t *rapid.T) int64 {
			return rapid.SampledFrom([]int64{math.MinInt64, -5, 0, 1, 2, 3, 50, 51, math.MaxInt64}).Draw(t, "time")
		}
		place := func(k int) backend.Key[int] { return backend.Key[int]{K: k, Place: uint64(k / 3)} } // some keys collide
		draw := func(t *rapid.T) (item, backend.Key[int]) {
			m := item{drawTime(t), rapid.IntRange(0, keys-1).Draw(t, "key")}
			return m, place(m.key)
		}
		t.Repeat(map[string]func(*rapid.T){
			"add": func(t *rapid.T) {
				m, key := draw(t)
				q.Add(m.time, key)
				model[m] = true
			},
			"push": func(t *rapid.T) {
				if m, key := draw(t); !model[m] {
					q.Push(m.time, key)
					model[m] = true
				}
			},
			"add all": func(t *rapid.T) {
				time := drawTime(t)
				for k := range keys {
					q.Add(time, place(k))
					model[item{time, k}] = true
				}
			},
			"remove": func(t *rapid.T) {
				m, key := draw(t)
				q.Remove(m.time, key)
				delete(model, m)
			},
			"remove many": func(t *rapid.T) {
				time, from := drawTime(t), rapid.IntRange(0, keys-1).Draw(t, "from")
				for k := from; k < keys; k++ {
					q.Remove(time, place(k))
					delete(model, item{time, k})
				}
			},
			"pop": func(t *rapid.T) {
				for range rapid.IntRange(1, 50).Draw(t, "pops") {
					time, ok := q.First()
					if ok != (len(model) > 0) {
						t.Fatalf("First gives %v with %d waiting", ok, len(model))
					}
					if !ok {
						return
					}
					earliest := int64(math.MaxInt64)
					for m := range model {
						earliest = min(earliest, m.time)
					}
					m := item{time, q.Pop().K}
					if time != earliest || !model[m] {
						t.Fatalf("%d comes at %d, the earliest is %d", m.key, time, earliest)
					}
					delete(model, m)
				}
			},
			"": func(t *rapid.T) {
				if q.Len() != len(model) {
					t.Fatalf("%d waiting, want %d", q.Len(), len(model))
				}
				if len(q.times) > 2*len(q.buckets)+minFree || len(q.free) > 2*minFree {
					t.Fatalf("%d times and %d free buckets for %d", len(q.times), len(q.free), len(q.buckets))
				}
			},
		})
	})
}

// Who sets a timer and deletes it again leaves nothing behind, however often.
func TestQueueLeavesNothingBehind(t *testing.T) {
	q := NewQueue[int]()
	q.Add(1<<40, backend.Key[int]{})
	for i := range int64(100_000) {
		q.Add(i, backend.Key[int]{K: 1})
		q.Remove(i, backend.Key[int]{K: 1})
	}
	if len(q.times) > 2*minFree || len(q.free) > 2*minFree || len(q.buckets) != 1 {
		t.Errorf("%d times, %d free buckets, %d buckets", len(q.times), len(q.free), len(q.buckets))
	}
}

// What waits for the same time comes out in the order in which it came, unless something was removed.
func TestQueueKeepsOrder(t *testing.T) {
	q := NewQueue[int]()
	for i := range 100 {
		q.Push(7, backend.Key[int]{K: i})
	}
	for i := range 100 {
		if k := q.Pop().K; k != i {
			t.Fatalf("%d comes, want %d", k, i)
		}
	}
}

// A clock rings when the test says so.
type clock struct {
	now  int64
	at   int64
	ring func() error
}

func (c *clock) Now() int64 { return c.now }

func (c *clock) At(ms int64, f func() error) (stop func()) {
	c.at, c.ring = ms, f
	return func() { c.ring = nil }
}

func (c *clock) due() func() error {
	f := c.ring
	c.ring = nil
	return f
}

const burst = 200 // timers

type world struct {
	clock
	key *backend.Key[string]
	*Timers[string]
	fired []string
	then  func(at int64) // what a handler does
}

func newWorld(h *Handlers) *world {
	w := &world{key: new(backend.Key[string]), then: func(int64) {}}
	note := func(kind string) func(int64) error {
		return func(at int64) error {
			w.fired = append(w.fired, fmt.Sprintf("%s %s@%d", kind, w.key.K, at))
			w.then(at)
			return nil
		}
	}
	if h == nil {
		h = &Handlers{Event: note("event"), Processing: note("processing"), Fired: func() error { return nil }}
	}
	w.Timers = NewTimers(w.key, NewMoment(&w.clock), *h, func() *pace.Pace { return pace.Constant(burst) })
	return w
}

func (w *world) at(k string) {
	w.key.K, w.key.Place = k, uint64(k[0])<<30
}

func (w *world) watermark(t *testing.T, at int64) {
	t.Helper()
	w.Moment.Watermark = at
	for more := true; more; {
		var err error
		if more, err = w.FireEvent(); err != nil {
			t.Fatal(err)
		}
	}
}

func (w *world) expect(t *testing.T, want ...string) {
	t.Helper()
	if !slices.Equal(w.fired, want) {
		t.Errorf("fired %q\nwant  %q", w.fired, want)
	}
	w.fired = nil
}

func TestEventTimers(t *testing.T) {
	w := newWorld(nil)
	w.at("a")
	w.SetEvent(20)
	w.SetEvent(10)
	w.SetEvent(10)
	w.at("b")
	w.SetEvent(10)
	w.SetEvent(15)
	w.DeleteEvent(15)
	w.DeleteEvent(20) // that is a's
	w.watermark(t, 9)
	w.expect(t)
	w.watermark(t, 10)
	w.expect(t, "event a@10", "event b@10")
	if w.Moment.TS != 10 {
		t.Errorf("the moment is %d", w.Moment.TS)
	}
	w.watermark(t, math.MaxInt64)
	w.expect(t, "event a@20")
}

// A handler may set timers that are due at once, also in the past, and delete others that are due.
func TestTimersSetWhileFiring(t *testing.T) {
	w := newWorld(nil)
	w.at("a")
	w.SetEvent(10)
	w.SetEvent(20)
	w.SetEvent(30)
	w.then = func(at int64) {
		switch at {
		case 10:
			w.SetEvent(15)
			w.SetEvent(5)
			w.SetEvent(40)
			w.DeleteEvent(20)
		case 15:
			w.then = func(int64) {}
			w.SetEvent(15)
		}
	}
	w.watermark(t, 35)
	w.expect(t, "event a@10", "event a@5", "event a@15", "event a@15", "event a@30")
	w.watermark(t, 40)
	w.expect(t, "event a@40")
}

// A storm fires in bursts, so that the task can do other things between them.
func TestStorm(t *testing.T) {
	w := newWorld(nil)
	for i := range 3*burst + 1 {
		w.at(string(rune('a' + i)))
		w.SetEvent(int64(i))
	}
	w.Moment.Watermark = math.MaxInt64
	for i := range 4 {
		more, err := w.FireEvent()
		if err != nil || more != (i < 3) {
			t.Fatalf("burst %d: more %v, %v", i, more, err)
		}
		if want := min(burst*(i+1), 3*burst+1); len(w.fired) != want {
			t.Fatalf("%d fired after burst %d, want %d", len(w.fired), i, want)
		}
	}
}

func TestProcessingTimers(t *testing.T) {
	w := newWorld(nil)
	w.at("a")
	w.SetProcessing(200)
	w.SetProcessing(100)
	if w.clock.at != 100 {
		t.Fatalf("the alarm is set to %d, want that of the earliest", w.clock.at)
	}
	w.SetProcessing(150)
	if w.clock.at != 100 {
		t.Fatalf("the alarm is set to %d by a later timer", w.clock.at)
	}
	w.now = 160
	if err := w.due()(); err != nil {
		t.Fatal(err)
	}
	w.expect(t, "processing a@100", "processing a@150")
	if w.clock.at != 200 {
		t.Fatalf("the alarm is set to %d, want 200", w.clock.at)
	}
	w.at("a")
	w.DeleteProcessing(200)
	w.now = 500
	if err := w.due()(); err != nil {
		t.Fatal(err)
	}
	w.expect(t)
	w.SetProcessing(600)
	w.Stop()
	if w.clock.ring != nil {
		t.Error("the alarm is set after Stop")
	}
}

// A timer in the past rings at once; a storm rings again at once after a burst.
func TestProcessingStorm(t *testing.T) {
	w := newWorld(nil)
	w.now = 1000
	for i := range burst + 1 {
		w.at(string(rune('a' + i)))
		w.SetProcessing(int64(i))
	}
	for _, want := range []int{burst, burst + 1} {
		if w.clock.at >= w.now {
			t.Fatalf("the alarm is set to %d, which is not past", w.clock.at)
		}
		if err := w.due()(); err != nil {
			t.Fatal(err)
		}
		if len(w.fired) != want {
			t.Fatalf("%d fired, want %d", len(w.fired), want)
		}
	}
	if w.clock.ring != nil {
		t.Error("the alarm is set when no timer is left")
	}
}

func TestTimersWithoutHandler(t *testing.T) {
	for _, set := range []func(*world){func(w *world) { w.SetEvent(1) }, func(w *world) { w.SetProcessing(1) }} {
		w := newWorld(&Handlers{NoEvent: fmt.Errorf("no handler"), NoProcessing: fmt.Errorf("no handler")})
		w.at("a")
		if w.Err() != nil {
			t.Fatal(w.Err())
		}
		set(w)
		if w.Err() == nil || !strings.Contains(w.Err().Error(), "no handler") {
			t.Errorf("error %v", w.Err())
		}
	}
}
