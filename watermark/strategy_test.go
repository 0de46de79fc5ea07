package watermark_test

import (
	"context"
	"fmt"
	"math"
	"strings"
	"testing"
	"time"

	"github.com/flott-dev/flott/watermark"
	"pgregory.net/rapid"
)

// An order is a record with an event time.
type order struct{ at time.Time }

func placed(o order) time.Time { return o.at }

func millis(ms ...int64) (v []order) {
	for _, m := range ms {
		v = append(v, order{time.UnixMilli(m)})
	}
	return v
}

// follow gives a generator records and returns their timestamps.
func follow(g *watermark.Generator[order], v []order) []int64 {
	ts := make([]int64, len(v))
	if err := g.Follow(v, ts); err != nil {
		panic(err)
	}
	return ts
}

func TestGenerator(t *testing.T) {
	for _, c := range []struct {
		name     string
		strategy watermark.Strategy[order]
		records  []int64
		want     int64
	}{
		{"before the first record", watermark.Monotonic(placed), nil, math.MinInt64},
		{"monotonic", watermark.Monotonic(placed), []int64{10, 20}, 19},
		{"one behind does not pull back", watermark.Monotonic(placed), []int64{20, 10}, 19},
		{"out of order", watermark.BoundedOutOfOrder(5*time.Millisecond, placed), []int64{10, 20, 17}, 14},
		{"before 1970", watermark.BoundedOutOfOrder(time.Second, placed), []int64{-5000, -4000}, -5001},
		{"as early as can be", watermark.BoundedOutOfOrder(time.Hour, func(order) time.Time { return time.UnixMilli(math.MinInt64 + 1) }), []int64{0}, math.MinInt64},
	} {
		t.Run(c.name, func(t *testing.T) {
			g := c.strategy.Generator(context.Background())
			follow(g, millis(c.records...))
			if got := g.Watermark(); got != c.want {
				t.Errorf("watermark %d, want %d", got, c.want)
			}
		})
	}
}

func TestGeneratorKeepsTheTimestampsOfTheSource(t *testing.T) {
	g := watermark.BoundedOutOfOrder[order](2*time.Millisecond, nil).Generator(context.Background())
	ts := []int64{30, 40, 35}
	if err := g.Follow(make([]order, 3), ts); err != nil {
		t.Fatal(err)
	}
	if got := g.Watermark(); got != 37 {
		t.Errorf("watermark %d, want 37", got)
	}
	if want := [3]int64{30, 40, 35}; [3]int64(ts) != want {
		t.Errorf("timestamps changed to %v", ts)
	}
}

// Ascending timestamps: after 1000 the watermark is 999. A second record at 999 is late by the rule of all operators,
// timestamp <= watermark, while a second one at 1000 is not.
func TestScenario_C8(t *testing.T) {
	g := watermark.Monotonic(placed).Generator(context.Background())
	follow(g, millis(1000))
	late := func(ts int64) bool { return ts <= g.Watermark() }
	if g.Watermark() != 999 || !late(999) || late(1000) {
		t.Errorf("watermark %d; 999 late: %v; 1000 late: %v", g.Watermark(), late(999), late(1000))
	}
}

// Nothing that is out of order by at most the bound is ever late, however the records are cut into batches; and the watermark is
// the highest one of which this is true.
func TestBoundHolds(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		by := rapid.Int64Range(0, 50).Draw(t, "by")
		g := watermark.BoundedOutOfOrder(time.Duration(by)*time.Millisecond, placed).Generator(context.Background())
		highest, last := int64(math.MinInt64), int64(math.MinInt64)
		for range rapid.IntRange(1, 20).Draw(t, "batches") {
			var batch []int64
			for range rapid.IntRange(1, 5).Draw(t, "records") {
				ts := rapid.Int64Range(-200, 200).Draw(t, "ts")
				if highest != math.MinInt64 {
					ts = max(ts, highest-by)
				}
				highest = max(highest, ts)
				if ts <= last {
					t.Fatalf("%d is late: watermark %d", ts, last)
				}
				batch = append(batch, ts)
			}
			for i, ts := range follow(g, millis(batch...)) {
				if ts != batch[i] {
					t.Fatalf("timestamp %d, want %d", ts, batch[i])
				}
			}
			if g.Watermark() < last {
				t.Fatalf("watermark fell from %d to %d", last, g.Watermark())
			}
			last = g.Watermark()
		}
		if last != highest-by-1 {
			t.Fatalf("watermark %d after %d", last, highest)
		}
	})
}

func TestCheck(t *testing.T) {
	monotonic := watermark.Monotonic(placed)
	for _, c := range []struct {
		strategy watermark.Strategy[order]
		want     string // in the error; "": none
	}{
		{monotonic, ""},
		{monotonic.Idle(time.Millisecond), ""},
		{watermark.BoundedOutOfOrder(time.Second, placed), ""},
		{watermark.Strategy[order]{}, "empty watermark strategy"},
		{monotonic.Idle(0), "Monotonic: idle after 0s"},
		{monotonic.Idle(time.Microsecond), "idle after 1µs"},
		{watermark.BoundedOutOfOrder(-time.Second, placed), "BoundedOutOfOrder: out of order by -1s"},
		{watermark.BoundedOutOfOrder(time.Microsecond, placed), "out of order by 1µs"},
		{watermark.BoundedOutOfOrder(-time.Second, placed).Idle(-1), "idle after -1ns"},
	} {
		err := c.strategy.Check()
		if (err != nil) != (c.want != "") || err != nil && !strings.Contains(err.Error(), c.want) {
			t.Errorf("got %v, want %q", err, c.want)
		}
	}
}

func TestIdleLeavesTheStrategyAlone(t *testing.T) {
	s := watermark.Monotonic(placed)
	if with := s.Idle(time.Minute); with.IdleAfter() != time.Minute || s.IdleAfter() != 0 {
		t.Errorf("idle after %v, and %v", with.IdleAfter(), s.IdleAfter())
	}
}

func TestFollowAllocatesNothing(t *testing.T) {
	g, v, ts := watermark.Monotonic(placed).Generator(context.Background()), millis(make([]int64, 256)...), make([]int64, 256)
	if n := testing.AllocsPerRun(10, func() { _ = g.Follow(v, ts) }); n != 0 {
		t.Errorf("%v allocations", n)
	}
}

func ExampleBoundedOutOfOrder() {
	// Payments arrive up to ten seconds late; a partition that is silent for a minute is not waited for.
	s := watermark.BoundedOutOfOrder(10*time.Second, placed).Idle(time.Minute)
	fmt.Println(s.Check(), s.IdleAfter())
	// Output: <nil> 1m0s
}

func ExampleMonotonic() {
	g := watermark.Monotonic(placed).Generator(context.Background())
	err := g.Follow(millis(1000, 2000), make([]int64, 2))
	fmt.Println(g.Watermark(), err)
	// Output: 1999 <nil>
}

func BenchmarkFollow(b *testing.B) {
	g, v, ts := watermark.Monotonic(placed).Generator(context.Background()), millis(make([]int64, 256)...), make([]int64, 256)
	for b.Loop() {
		if err := g.Follow(v, ts); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/256, "ns/record")
}
