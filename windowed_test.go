package flott_test

import (
	"fmt"
	"iter"
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"github.com/flott-dev/flott"
	"github.com/flott-dev/flott/aggregate"
	"github.com/flott-dev/flott/flotttest"
	"github.com/flott-dev/flott/window"
)

const ms = time.Millisecond

// A part is what a window has of a key.
type part struct {
	Key, Start, End, Count, Sum int64
}

func (p part) String() string {
	return fmt.Sprintf("%d in [%d, %d): %d numbers, sum %d", p.Key, p.Start, p.End, p.Count, p.Sum)
}

// parts is all windows of the numbers from first to last, where a number is its own timestamp.
func parts(key func(int64) int64, first, last, size, slide int64) []string {
	found := map[part]*part{}
	for n := first; n <= last; n++ {
		start := n - ((n%slide)+slide)%slide
		for ; start+size > n; start -= slide {
			id := part{Key: key(n), Start: start, End: start + size}
			if found[id] == nil {
				p := id
				found[id] = &p
			}
			found[id].Count++
			found[id].Sum += n
		}
	}
	var all []string
	for _, p := range found {
		all = append(all, p.String())
	}
	return all
}

// total is the aggregate of numbers.
type total struct{ Count, Sum int64 }

type totals struct{}

func (totals) Zero() total                   { return total{} }
func (totals) Add(acc *total, n int64)       { acc.Count++; acc.Sum += n }
func (totals) Merge(into *total, from total) { into.Count += from.Count; into.Sum += from.Sum }
func (totals) Value(acc total) total         { return acc }

func partOf(key int64, w window.Window, t total) string {
	return part{key, w.Start.UnixMilli(), w.End.UnixMilli(), t.Count, t.Sum}.String()
}

// windowForms are the ways to say what is wanted of a window.
var windowForms = map[string]func(flott.WindowedStream[int64, int64]) flott.Stream[string]{
	"Aggregate": func(w flott.WindowedStream[int64, int64]) flott.Stream[string] { return w.Aggregate(totals{}, partOf) },
	"Apply": func(w flott.WindowedStream[int64, int64]) flott.Stream[string] {
		return w.Apply(func(key int64, w window.Window, numbers iter.Seq[int64]) iter.Seq[string] {
			var t total
			for n := range numbers {
				t.Count++
				t.Sum += n
			}
			return slices.Values([]string{partOf(key, w, t)})
		})
	},
}

func TestEventTimeWindows(t *testing.T) {
	for name, c := range map[string]struct {
		assigner    window.Assigner
		size, slide int64
	}{
		"tumbling":         {window.TumblingEventTime(100 * ms), 100, 100},
		"sliding":          {window.SlidingEventTime(300*ms, 100*ms), 300, 100},
		"sliding unevenly": {window.SlidingEventTime(250*ms, 100*ms), 250, 100},
	} {
		want := parts(byDigit, 1, many, c.size, c.slide)
		for form, apply := range windowForms {
			t.Run(name+" "+form, func(t *testing.T) {
				at(t, func(t *testing.T, env *flott.Environment) {
					windows := sequence(env).Watermarks(onTime()).KeyBy(byDigit).Window(c.assigner)
					same(t, flotttest.Collect(t, apply(windows)), want)
				})
			})
		}
	}
}

func TestReducedWindows(t *testing.T) {
	want := make([]int64, 10)
	for n := int64(1); n <= many; n++ {
		want[byDigit(n)] += n
	}
	at(t, func(t *testing.T, env *flott.Environment) {
		w := sequence(env).Watermarks(onTime()).KeyBy(byDigit).Window(window.TumblingEventTime(2 * many * ms))
		same(t, flotttest.Collect(t, w.Reduce(add)), want)
	})
	at(t, func(t *testing.T, env *flott.Environment) {
		w := sequence(env).Watermarks(onTime()).WindowAll(window.TumblingEventTime(many / 2 * ms))
		half := int64(many/2-1) * many / 4 // 1 + ... + many/2-1
		same(t, flotttest.Collect(t, w.Reduce(add)), []int64{half, half + many/2*many/2, many})
	})
}

func TestWindowAll(t *testing.T) {
	want := parts(func(int64) int64 { return 0 }, 1, many, 100, 100)
	at(t, func(t *testing.T, env *flott.Environment) {
		got := flotttest.Collect(t, sequence(env).Watermarks(onTime()).WindowAll(window.TumblingEventTime(100*ms)).
			Aggregate(totals{}, func(_ struct{}, w window.Window, t total) string { return partOf(0, w, t) }))
		same(t, got, want)
	})
}

// The result of a window has its last millisecond as timestamp, so that windows of windows work.
func TestWindowsOfWindows(t *testing.T) {
	at(t, func(t *testing.T, env *flott.Environment) {
		counts := sequence(env).Watermarks(onTime()).KeyBy(byDigit).Window(window.TumblingEventTime(100*ms)).
			Aggregate(aggregate.Count[int64](), func(_ int64, _ window.Window, n int64) int64 { return n })
		sums := counts.WindowAll(window.TumblingEventTime(100*ms)).
			ReduceTo(add, func(_ struct{}, w window.Window, n int64) string { return fmt.Sprint(w.Start.UnixMilli(), " ", n) })
		var want []string
		for start := 0; start <= many; start += 100 {
			n := 100
			switch start {
			case 0:
				n = 99
			case many:
				n = 1
			}
			want = append(want, fmt.Sprint(start, " ", n))
		}
		same(t, flotttest.Collect(t, sums), want)
	})
}

// Windows of processing time, under virtual time.
func TestProcessingTimeWindows(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		env := flott.New(flott.Parallelism(2))
		// Ten a second: those of the first and the second second, and two of the third, whose window nobody sees closing.
		s := env.From(flott.Generate(22, 10, func(i int64) int64 { return i }))
		counts := s.KeyBy(func(int64) string { return "all" }).Window(window.TumblingProcessingTime(time.Second)).
			Aggregate(aggregate.Count[int64](), func(k string, w window.Window, n int64) string {
				return fmt.Sprint(k, " ", w.Start.Sub(startOfTime), " ", n)
			})
		same(t, flotttest.Collect(t, counts), []string{"all 0s 10", "all 1s 10"})
	})
}

// Late records, under virtual time: watermarks come every 200 ms.
func TestLateRecords(t *testing.T) {
	const (
		dropped = iota
		sideOutput
		allowed
	)
	for name, c := range map[string]struct {
		how        int
		want, late []string
	}{
		"dropped":     {dropped, []string{"0 in [0, 10): 1 numbers, sum 3", "0 in [100, 110): 1 numbers, sum 100"}, nil},
		"side output": {sideOutput, []string{"0 in [0, 10): 1 numbers, sum 3", "0 in [100, 110): 1 numbers, sum 100"}, []string{"4"}},
		"allowed": {allowed, []string{
			"0 in [0, 10): 1 numbers, sum 3", "0 in [0, 10): 2 numbers, sum 7", "0 in [100, 110): 1 numbers, sum 100",
		}, nil},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				env := flott.New(flott.Parallelism(1))
				numbers := []int64{3, 100, 4} // one a second
				late := flott.NewTag[int64]("late")
				w := env.From(flott.Generate(3, 1, func(i int64) int64 { return numbers[i] })).Watermarks(onTime()).
					KeyBy(func(int64) int64 { return 0 }).Window(window.TumblingEventTime(10 * ms))
				switch c.how {
				case sideOutput:
					w = w.LateTo(late)
				case allowed:
					w = w.AllowedLateness(time.Minute)
				}
				results := w.Aggregate(totals{}, partOf).Name("windows")
				var got []string
				if c.how == sideOutput {
					text := results.SideOutput(late).Map(func(n int64) string { return fmt.Sprint(n) })
					got = flotttest.Collect(t, results.Union(text))
				} else {
					got = flotttest.Collect(t, results)
				}
				same(t, got, append(c.want, c.late...))
			})
		})
	}
}

func TestLateRecordsAreCounted(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		env := flott.New(flott.Parallelism(1))
		numbers := []int64{3, 100, 4, 5}
		env.From(flott.Generate(4, 1, func(i int64) int64 { return numbers[i] })).Watermarks(onTime()).
			KeyBy(func(int64) int64 { return 0 }).Window(window.TumblingEventTime(10 * ms)).Reduce(add).Name("windows").Discard()
		result, err := env.Execute(t.Context(), "late")
		if err != nil {
			t.Fatal(err)
		}
		for _, o := range result.Operators {
			if o.Name == "windows" && (o.RecordsIn != 4 || o.LateRecords != 2 || o.RecordsOut != 2) {
				t.Errorf("counted %+v", o)
			}
		}
	})
}

// A subtask that is silent holds event time back, unless it is allowed to be idle.
func TestIdleSource(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		env := flott.New(flott.Parallelism(1))
		talking := env.From(flott.Generate(100, 10, func(i int64) int64 { return i * 10 })).Watermarks(onTime())
		silent := env.From(flott.Generate(2, 0.01, func(i int64) int64 { return i })).Watermarks(onTime().Idle(time.Second))
		type seen struct {
			result string
			after  time.Duration
		}
		first := make(chan seen, 1)
		talking.Union(silent).KeyBy(func(int64) int64 { return 0 }).Window(window.TumblingEventTime(100*ms)).
			Aggregate(totals{}, partOf).
			To(flott.ForEach(func(s string) error {
				select {
				case first <- seen{s, time.Since(startOfTime)}:
				default:
				}
				return nil
			}))
		if _, err := env.Execute(t.Context(), "idle"); err != nil {
			t.Fatal(err)
		}
		got := <-first
		if got.after > 3*time.Second || got.after < time.Second {
			t.Errorf("the first window fired after %v, want it when the silent source was idle for a second: %s", got.after, got.result)
		}
	})
}
