package process

import (
	"context"
	"log/slog"
	"math"
	"testing"
	"time"

	"github.com/flott-dev/flott/backend/heap"
	"github.com/flott-dev/flott/internal/data/keyed"
	"github.com/flott-dev/flott/internal/data/record"
	"github.com/flott-dev/flott/internal/data/timer"
	"github.com/flott-dev/flott/internal/id"
)

// stopped is a clock that stands still.
type stopped int64

func (c stopped) Now() int64                          { return int64(c) }
func (stopped) At(int64, func() error) (stop func())  { return func() {} }
func at(ms int64, beyond time.Duration) (t time.Time) { return time.UnixMilli(ms).Add(beyond) }
func newMoment(ts, watermark, now int64) (m *timer.Moment) {
	m = timer.NewMoment(stopped(now))
	m.TS, m.Watermark = ts, watermark
	return m
}

func TestContextTimes(t *testing.T) {
	c := NewContext[int](nil, nil, newMoment(-1, 7, 1_700_000_000_123))
	if ts, ok := c.Timestamp(); !ok || ts != time.Date(1969, 12, 31, 23, 59, 59, 999_000_000, time.UTC) {
		t.Errorf("timestamp %v, %v", ts, ok)
	}
	if w := c.Watermark(); w != time.Date(1970, 1, 1, 0, 0, 0, 7_000_000, time.UTC) {
		t.Errorf("watermark %v", w)
	}
	if now := c.Now(); now != time.UnixMilli(1_700_000_000_123).UTC() {
		t.Errorf("now %v", now)
	}
	none := NewContext[int](nil, nil, timer.NewMoment(stopped(0)))
	if ts, ok := none.Timestamp(); ok {
		t.Errorf("a timestamp %v of nothing", ts)
	}
	if w := none.Watermark(); w.UnixMilli() != math.MinInt64 || !w.Before(at(math.MinInt64+1, 0)) {
		t.Errorf("watermark %v before the first", w)
	}
}

// No timer fires before its time.
func TestTimersRoundUp(t *testing.T) {
	for _, c := range []struct {
		at   time.Time
		want int64
	}{
		{at(10, 0), 10}, {at(10, 1), 11}, {at(10, time.Millisecond-1), 11}, {at(-10, 0), -10}, {at(-10, 1), -9}, {at(0, -1), 0},
	} {
		if got := toMillis(c.at); got != c.want {
			t.Errorf("%v is %d, want %d", c.at, got, c.want)
		}
	}
}

func TestRuntime(t *testing.T) {
	s := keyed.Subtask{Context: context.WithValue(t.Context(), stopped(0), 1), Logger: slog.New(slog.DiscardHandler), Index: 3, Parallelism: 5}
	states := keyed.NewStates[string](heap.Backend{}, id.KeyGroupRange{}, 1)
	rt := NewKeyedRuntime(s, states)
	if i, n := rt.Subtask(); i != 3 || n != 5 || rt.Context() != s.Context || rt.Logger() != s.Logger {
		t.Errorf("subtask %d of %d, or another context or logger", i, n)
	}
	v, l, m := rt.Value[int]("v"), rt.List[int]("l"), rt.Map[int, int]("m")
	for _, k := range []string{"a", "b"} {
		states.Key.K = k
		v.Set(len(k))
		l.Add(1, 2)
		m.Set(1, 2)
	}
	v.Clear()
	states.Key.K = "a"
	if n, ok := v.Get(); n != 1 || !ok {
		t.Errorf("value %d, %v", n, ok)
	}
	if len(states.Declared()) != 3 {
		t.Errorf("declared %v", states.Declared())
	}
}

func TestTag(t *testing.T) {
	one, other := NewTag[int]("late"), NewTag[int]("late")
	if one != other || one.Name() != "late" {
		t.Errorf("two tags of one name differ: %v and %v", one, other)
	}
}

// side is an input that counts.
type side struct{ records, watermarks int }

func (s *side) Receive(b *record.Batch[string]) error { s.records += len(b.V); return nil }
func (s *side) Watermark(int64) error                 { s.watermarks++; return nil }
func (s *side) Idle(bool) error                       { return nil }

// Emitting to a side output looks for its readers once, and allocates nothing.
func TestEmitTo(t *testing.T) {
	opened := map[string]int{}
	read := &side{}
	sides := record.NewSides(func(tag string) any {
		opened[tag]++
		if tag == "read" {
			return read
		}
		return nil
	})
	c := NewContext[int](nil, sides, newMoment(5, 0, 0))
	tag, unread := NewTag[string]("read"), NewTag[int]("unread")
	emit := func() {
		for range 100 {
			c.EmitTo(tag, "x")
			c.EmitTo(unread, 1)
		}
	}
	emit()
	if allocs := testing.AllocsPerRun(10, emit); allocs > 0 {
		t.Errorf("%v allocations", allocs)
	}
	if err := sides.Flush(); err != nil {
		t.Fatal(err)
	}
	if read.records != 1200 || opened["read"] != 1 || opened["unread"] != 1 {
		t.Errorf("%d records; opened %v", read.records, opened)
	}
}
