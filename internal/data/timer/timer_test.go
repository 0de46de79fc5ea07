package timer

import (
	"cmp"
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/flott-dev/flott/backend"
	"github.com/flott-dev/flott/backend/heap"
	"github.com/flott-dev/flott/internal/id"
	"pgregory.net/rapid"
)

// TestQueue compares a queue with a sorted slice.
func TestQueue(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		type item struct {
			time int64
			n    int
		}
		q, n := NewQueue[int](), 0
		var model []item
		t.Repeat(map[string]func(*rapid.T){
			"push": func(t *rapid.T) {
				at := rapid.SampledFrom([]int64{math.MinInt64, -5, 0, 1, 2, 3, 50, 51, math.MaxInt64}).Draw(t, "time")
				for range rapid.IntRange(1, 3).Draw(t, "entries") {
					n++
					q.Push(at, n)
					model = append(model, item{at, n})
				}
				slices.SortStableFunc(model, func(a, b item) int { return cmp.Compare(a.time, b.time) })
			},
			"pop": func(t *rapid.T) {
				at, ok := q.First()
				if ok != (len(model) > 0) {
					t.Fatalf("First gives %v with %d entries", ok, len(model))
				}
				if !ok {
					return
				}
				if e := q.Pop(); at != model[0].time || e != model[0].n {
					t.Fatalf("%d at %d, want %d at %d", e, at, model[0].n, model[0].time)
				}
				model = model[1:]
			},
			"keep": func(t *rapid.T) {
				d := rapid.IntRange(1, 4).Draw(t, "drop each")
				q.Keep(func(_ int64, e int) bool { return e%d != 0 })
				model = slices.DeleteFunc(model, func(i item) bool { return i.n%d == 0 })
			},
		})
	})
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
	w.Timers = NewTimers(w.key, heap.SpanOf(id.KeyGroupRange{}, 1), NewMoment(&w.clock), *h)
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
	for i := range 3*Burst + 1 {
		w.at(string(rune('a' + i)))
		w.SetEvent(int64(i))
	}
	w.Moment.Watermark = math.MaxInt64
	for i := range 4 {
		more, err := w.FireEvent()
		if err != nil || more != (i < 3) {
			t.Fatalf("burst %d: more %v, %v", i, more, err)
		}
		if want := min(Burst*(i+1), 3*Burst+1); len(w.fired) != want {
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
	for i := range Burst + 1 {
		w.at(string(rune('a' + i)))
		w.SetProcessing(int64(i))
	}
	for _, want := range []int{Burst, Burst + 1} {
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

// TestService compares a service with a set of keys and times.
func TestService(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		type timer struct {
			k  int
			at int64
		}
		key := new(backend.Key[int])
		s := NewService(key, heap.SpanOf(id.KeyGroupRange{First: 0, Last: 127}, 128))
		model := map[timer]bool{}
		draw := func(t *rapid.T) timer {
			m := timer{rapid.IntRange(0, 5).Draw(t, "key"), rapid.Int64Range(0, 30).Draw(t, "time")}
			key.K, key.Place = m.k, uint64(m.k)<<57|uint64(m.k)*0x123456789
			return m
		}
		t.Repeat(map[string]func(*rapid.T){
			"set": func(t *rapid.T) {
				m := draw(t)
				s.Set(m.at)
				model[m] = true
			},
			"delete": func(t *rapid.T) {
				m := draw(t)
				s.Delete(m.at)
				delete(model, m)
			},
			"toggle": func(t *rapid.T) {
				m := draw(t)
				for range 100 { // leaves remains that are swept
					s.Set(m.at)
					s.Delete(m.at)
				}
				delete(model, m)
				if s.remains > len(model)+minRemains+1 {
					t.Fatalf("%d remains of %d timers", s.remains, len(model))
				}
			},
			"fire": func(t *rapid.T) {
				now, limit := rapid.Int64Range(0, 30).Draw(t, "now"), rapid.IntRange(1, 10).Draw(t, "limit")
				last := int64(math.MinInt64)
				more, err := s.Fire(now, limit, func(at int64) error {
					m := timer{key.K, at}
					if !model[m] || at > now || at < last {
						t.Fatalf("%v fires at %d after %d; pending %v", m, now, last, model)
					}
					if key.Place != uint64(m.k)<<57|uint64(m.k)*0x123456789 {
						t.Fatalf("%v has place %x", m, key.Place)
					}
					last = at
					delete(model, m)
					return nil
				})
				left := 0
				for m := range maps.Keys(model) {
					if m.at <= now {
						left++
					}
				}
				if err != nil || left > 0 && !more {
					t.Fatalf("%d are left to fire, more is %v, error %v", left, more, err)
				}
			},
			"": func(t *rapid.T) {
				if s.Len() != len(model) {
					t.Fatalf("%d timers, want %d", s.Len(), len(model))
				}
				entries := 0
				for _, b := range s.queue.at {
					entries += len(b.entries) - b.next
				}
				if entries != len(model)+s.remains {
					t.Fatalf("%d entries for %d timers and %d remains", entries, len(model), s.remains)
				}
			},
		})
	})
}
