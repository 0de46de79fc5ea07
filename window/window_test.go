package window

import (
	"math"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"
)

func TestNames(t *testing.T) {
	for _, c := range []struct {
		a    Assigner
		want string
	}{
		{TumblingEventTime(5 * time.Second), "TumblingEventTimeWindows(5000)"},
		{TumblingProcessingTime(time.Millisecond), "TumblingProcessingTimeWindows(1)"},
		{SlidingEventTime(10*time.Second, 5*time.Second), "SlidingEventTimeWindows(10000, 5000)"},
		{SlidingProcessingTime(time.Minute, time.Minute), "SlidingProcessingTimeWindows(60000, 60000)"},
	} {
		if got := c.a.(*Fixed).String(); got != c.want {
			t.Errorf("%s, want %s", got, c.want)
		}
		if name, _, _ := strings.Cut(c.want, "("); c.a.Name() != name {
			t.Errorf("name %s, want %s", c.a.Name(), name)
		}
		if err := c.a.Err(); err != nil {
			t.Errorf("%s: %v", c.want, err)
		}
	}
}

func TestSizesThatCannotBe(t *testing.T) {
	for _, c := range []struct {
		a    Assigner
		want string
	}{
		{TumblingEventTime(0), "TumblingEventTime with a size of 0s"},
		{TumblingProcessingTime(-time.Second), "TumblingProcessingTime with a size of -1s"},
		{TumblingEventTime(time.Millisecond - 1), "a size of 999.999µs"},
		{TumblingEventTime(1500 * time.Microsecond), "a size of 1.5ms"},
		{SlidingEventTime(time.Second, 0), "SlidingEventTime with a slide of 0s"},
		{SlidingProcessingTime(time.Second, -time.Second), "a slide of -1s"},
		{SlidingEventTime(0, time.Microsecond), "a size of 0s: it must be a positive number of whole milliseconds\n" +
			"SlidingEventTime with a slide of 1µs"},
	} {
		if err := c.a.Err(); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("error %v, want %q", err, c.want)
		}
	}
}

// starts are the windows that hold t.
func starts(f *Fixed, t int64) (all []int64) {
	for s := f.Last(t); t-s < f.Size(); s -= f.Slide() {
		all = append(all, s)
	}
	return all
}

func TestWindowsHoldTheirTimes(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		slide := rapid.Int64Range(1, 100).Draw(t, "slide")
		size := slide * rapid.Int64Range(1, 10).Draw(t, "slides per window")
		at := rapid.Int64Range(-1<<40, 1<<40).Draw(t, "time")
		f := SlidingEventTime(time.Duration(size)*time.Millisecond, time.Duration(slide)*time.Millisecond).(*Fixed)
		all := starts(f, at)
		if int64(len(all)) != size/slide {
			t.Fatalf("%d windows, want %d", len(all), size/slide)
		}
		for i, s := range all {
			w := f.At(s)
			switch {
			case s%slide != 0:
				t.Errorf("window starts at %d, no multiple of %d", s, slide)
			case w.Start.UnixMilli() > at || at >= w.End.UnixMilli():
				t.Errorf("[%d, %d) does not hold %d", w.Start.UnixMilli(), w.End.UnixMilli(), at)
			case i > 0 && s != all[i-1]-slide:
				t.Errorf("a window starts at %d, the one after it at %d", s, all[i-1])
			}
		}
	})
}

// A truncating remainder would put -1 into [0, 5000).
func TestScenario_C1(t *testing.T) {
	f := TumblingEventTime(5 * time.Second).(*Fixed)
	for at, want := range map[int64]int64{-1: -5000, -5000: -5000, -5001: -10000, 0: 0, 4999: 0, 5000: 5000} {
		if got := f.Last(at); got != want {
			t.Errorf("%d is in [%d, %d), want [%d, %d)", at, got, got+5000, want, want+5000)
		}
	}
	if got := f.Last(math.MinInt64 + 1); got != math.MinInt64 {
		t.Errorf("the first window starts at %d", got)
	}
}

// Half-open windows, and exactly size/slide of them: an event on a boundary is in no more than others.
func TestScenario_C16(t *testing.T) {
	f := SlidingEventTime(10*time.Second, 5*time.Second).(*Fixed)
	for at, want := range map[int64][2]int64{10000: {10000, 5000}, 9999: {5000, 0}, 0: {0, -5000}, -5000: {-5000, -10000}} {
		got := starts(f, at)
		if len(got) != 2 || got[0] != want[0] || got[1] != want[1] {
			t.Errorf("%d is in the windows that start at %v, want %v", at, got, want)
		}
	}
}
