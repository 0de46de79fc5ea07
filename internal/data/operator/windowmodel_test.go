package operator_test

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/flott-dev/flott/internal/data/operator"
	"github.com/flott-dev/flott/internal/data/record"
	"github.com/flott-dev/flott/window"
	"pgregory.net/rapid"
)

// A naive is what a window operator does, said as plainly as can be: every window of every time is looked at.
type naive struct {
	size, slide, lateness int64
	watermark             int64
	records               []naiveRecord // those that were taken
	out, late             []string
}

type naiveRecord struct {
	event
	start int64
}

func (m *naive) windows(ts int64) (starts []int64) {
	for start := int64(-1000); start < 1000; start++ {
		if start%m.slide == 0 && start <= ts && ts < start+m.size {
			starts = append(starts, start)
		}
	}
	return starts
}

func (m *naive) gone(start int64) bool { return start+m.size-1+m.lateness <= m.watermark }
func (m *naive) over(start int64) bool { return start+m.size-1 <= m.watermark }

func (m *naive) record(e event, ts int64) {
	taken := false
	for _, start := range m.windows(ts) {
		if m.gone(start) {
			continue
		}
		taken = true
		m.records = append(m.records, naiveRecord{e, start})
		if m.over(start) {
			m.fire(e.k, start)
		}
	}
	if !taken && ts+m.lateness <= m.watermark {
		m.late = append(m.late, fmt.Sprintf("%v@%d", e, ts))
	}
}

func (m *naive) fire(k string, start int64) {
	sum := 0
	for _, r := range m.records {
		if r.k == k && r.start == start {
			sum += r.n
		}
	}
	m.out = append(m.out, fmt.Sprintf("%s[%d,%d)=%d@%d", k, start, start+m.size, sum, start+m.size-1))
}

func (m *naive) advance(t int64) {
	before := m.watermark
	fired := map[naiveRecord]bool{}
	for _, r := range m.records {
		pane := naiveRecord{event{k: r.k}, r.start}
		if end := r.start + m.size; end-1 > before && end-1 <= t && !fired[pane] {
			fired[pane] = true
			m.fire(r.k, r.start)
		}
	}
	m.watermark = t
	m.out = append(m.out, "watermark "+instant(t))
	m.records = slices.DeleteFunc(m.records, func(r naiveRecord) bool { return m.gone(r.start) })
}

// words is what a tape has got since the last time, watermarks aside if the tape is that of a side output.
func words[T any](p *tape[T], watermarks bool) (all []string) {
	for _, l := range p.lines {
		switch {
		case !strings.HasPrefix(l, "watermark"):
			all = append(all, strings.Fields(l)...)
		case watermarks:
			all = append(all, l)
		}
	}
	p.lines = nil
	return all
}

// TestWindowsAgainstModel feeds records, late and in time, and watermarks to a window operator and to a naive one.
func TestWindowsAgainstModel(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		m := &naive{
			slide:     rapid.Int64Range(1, 8).Draw(rt, "slide"),
			size:      rapid.Int64Range(1, 20).Draw(rt, "size"),
			lateness:  rapid.SampledFrom([]int64{0, 0, 1, 7, 30}).Draw(rt, "lateness"),
			watermark: math.MinInt64,
		}
		if rapid.Bool().Draw(rt, "tumbling") {
			m.slide = m.size
		}
		out, late, tag := &tape[string]{}, &tape[event]{}, "late"
		r := newKeyedRig(t, sums(operator.Windows[string, event]{
			Assigner: window.SlidingEventTime(time.Duration(m.size)*milli, time.Duration(m.slide)*milli),
			Lateness: m.lateness, LateTag: &tag,
		}), out, map[string]any{"late": late})
		in := input[event](r, 0)
		compare := func(sorted bool) {
			rt.Helper()
			got, want := words(out, true), m.out
			if sorted { // what fires at one watermark is in order of windows, but not of keys
				slices.Sort(got)
				slices.Sort(want)
			}
			if !slices.Equal(got, want) {
				rt.Fatalf("emitted %q\nwant    %q", got, want)
			}
			if got := words(late, false); !slices.Equal(got, m.late) {
				rt.Fatalf("late %q\nwant %q", got, m.late)
			}
			m.out, m.late = nil, nil
		}
		advance := func(to int64) {
			noError(t, in.Watermark(to))
			r.resume(t)
			m.advance(to)
			if last := out.lines[len(out.lines)-1]; last != "watermark "+instant(to) {
				rt.Fatalf("the watermark is followed by %q", last)
			}
			compare(true)
		}
		now := int64(-50)
		for range rapid.IntRange(1, 30).Draw(rt, "steps") {
			if rapid.Bool().Draw(rt, "watermark") {
				now += rapid.Int64Range(1, 15).Draw(rt, "ms")
				advance(now)
				continue
			}
			b := &record.Batch[event]{}
			for range rapid.IntRange(1, 5).Draw(rt, "records") {
				b.V = append(b.V, event{rapid.SampledFrom([]string{"a", "b", "c"}).Draw(rt, "key"), rapid.IntRange(1, 9).Draw(rt, "n")})
				b.TS = append(b.TS, now+rapid.Int64Range(-40, 40).Draw(rt, "time"))
			}
			noError(t, in.Receive(b))
			for i := range b.V {
				m.record(b.V[i], b.TS[i])
			}
			compare(m.size > m.slide) // the windows of one record fire from the last to the first
		}
		advance(math.MaxInt64)
	})
}
