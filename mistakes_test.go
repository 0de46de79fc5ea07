package flott_test

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/flott-dev/flott"
	"github.com/flott-dev/flott/aggregate"
	"github.com/flott-dev/flott/watermark"
	"github.com/flott-dev/flott/window"
)

// mistakesOf compiles what write writes, and returns its mistakes, each as "operator: problem".
func mistakesOf(t *testing.T, write func(*flott.Environment), opts ...flott.Option) []string {
	t.Helper()
	env := flott.New(append([]flott.Option{flott.Parallelism(2)}, opts...)...)
	write(env)
	_, err := env.Plan("test")
	if err == nil {
		return nil
	}
	var wrong *flott.ProgramError
	if !errors.As(err, &wrong) {
		t.Fatalf("the error is a %T: %v", err, err)
	}
	var all []string
	for _, m := range wrong.Mistakes {
		if !strings.HasPrefix(m.Site, "flott/mistakes_test.go:") {
			t.Errorf("mistake %q was made in %q", m.Problem, m.Site)
		}
		all = append(all, strings.TrimPrefix(m.Operator+": "+m.Problem, ": "))
	}
	return all
}

func numbers(e *flott.Environment) flott.Stream[int64] { return e.From(flott.Sequence(1, 10)) }

func keyed(e *flott.Environment) flott.KeyedStream[int64, int64] {
	return numbers(e).KeyBy(flott.Identity)
}

func add(a, b int64) int64 { return a + b }

// wrongTimer has a timer method that nobody would ever call.
type wrongTimer struct{}

func (wrongTimer) Process(*flott.KeyedContext[int64, int64], int64) error { return nil }
func (wrongTimer) OnEventTimer(at time.Time) error                        { return nil }

type keeper struct{}

func (keeper) Process(*flott.KeyedContext[int64, int64], int64) error { return nil }

var errOpen = errors.New("no table")

func TestMistakes(t *testing.T) {
	for name, c := range map[string]struct {
		write func(*flott.Environment)
		want  []string // each a part of one mistake, in order
	}{
		"nothing": {
			func(*flott.Environment) {},
			[]string{"the program is empty"},
		},
		"a stream without sink": {
			func(e *flott.Environment) { numbers(e).Map(func(n int64) int64 { return n }).Name("double") },
			[]string{"double: nobody reads its stream"},
		},
		"a branch without sink": {
			func(e *flott.Environment) {
				s := numbers(e)
				s.Discard()
				s.Filter(func(int64) bool { return true })
				s.Rebalance()
			},
			[]string{"Filter: nobody reads its stream", "nobody reads the stream of Rebalance"},
		},
		"nil functions": {
			func(e *flott.Environment) {
				numbers(e).Filter(nil).Discard()
				numbers(e).Map[int](nil).Discard()
				numbers(e).KeyBy[int](nil).Reduce(nil).Discard()
				numbers(e).PartitionBy(nil).To(nil)
				keyed(e).Process[int64, keeper](nil).Discard()
				numbers(e).To(flott.ForEach[int64](nil))
			},
			[]string{
				"Filter: its function is nil", "Map: its function is nil", "KeyBy was given a nil function",
				"Keyed Reduce: its function is nil", "PartitionBy was given a nil function", "To was given a nil sink",
				"KeyedProcess: its function is nil", "Sink: the function is nil",
			},
		},
		"aggregates of nothing": {
			func(e *flott.Environment) {
				pick := func(_, v int64) int64 { return v }
				keyed(e).Aggregate(aggregate.Sum[int64, int64](nil), pick).Discard()
				keyed(e).Aggregate(aggregate.MaxBy[int64, int64](nil), pick).Discard()
				keyed(e).Window(window.TumblingEventTime(time.Second)).
					Aggregate(aggregate.Mean[int64, int64](nil), func(_ int64, _ window.Window, mean float64) float64 { return mean }).Discard()
			},
			[]string{
				"Keyed Aggregation: the function that says what to aggregate is nil", "Keyed Aggregation: the function that",
				"TumblingEventTimeWindows: the function that",
			},
		},
		"no source": {
			func(e *flott.Environment) { e.From[int](nil).Discard() },
			[]string{"From was given a nil source"},
		},
		"keys": {
			func(e *flott.Environment) {
				numbers(e).KeyBy(func(n int64) float64 { return float64(n) }).Reduce(add).Discard()
				numbers(e).KeyBy(func(n int64) *int64 { return &n }).Reduce(add).Discard()
				numbers(e).KeyBy(func(n int64) time.Time { return time.UnixMilli(n) }).Reduce(add).Discard()
			},
			[]string{"float64 cannot be a key", "*int64 cannot be a key", "time.Time cannot be a key"},
		},
		"settings on what is no operator": {
			func(e *flott.Environment) {
				s := numbers(e)
				s.KeyBy(flott.Identity).Name("x").Discard()
				s.Union(s).UID("x").Discard()
				s.Broadcast().Parallelism(3).Discard()
				s.Global().StartNewChain().DisableChaining().Discard()
			},
			[]string{
				"Name after KeyBy", "UID after Union", "Parallelism after Broadcast", "StartNewChain after Global",
				"DisableChaining after Global",
			},
		},
		"a side output of what is no operator": {
			func(e *flott.Environment) { numbers(e).Rescale().SideOutput(odd).Discard() },
			[]string{"SideOutput after Rescale"},
		},
		"a side output that is never written": {
			func(e *flott.Environment) {
				numbers(e).Filter(func(int64) bool { return true }).SideOutput(odd).Discard()
			},
			[]string{`Filter: it never emits to side output "odd"`},
		},
		"parallelism": {
			func(e *flott.Environment) {
				numbers(e).Parallelism(0).Map(flott.Identity).MaxParallelism(0).Discard()
				numbers(e).Discard().Name("out").Parallelism(40_000)
				numbers(e).Name("wide").MaxParallelism(4).Parallelism(5).Discard()
			},
			[]string{
				"Sequence Source: parallelism is set to 0", "Map: max parallelism is set to 0",
				"out: parallelism is set to 40000; it must be between 1 and 32768",
				"wide: parallelism is 5, above the max parallelism 4",
			},
		},
		"uids": {
			func(e *flott.Environment) {
				s := numbers(e).UID("a")
				s.Map(flott.Identity).Name("first").UID("b").Discard()
				s.Map(flott.Identity).Name("second").UID("b").Discard()
				s.Map(flott.Identity).Name("third").UID("a").Discard()
			},
			[]string{`second: uid "b"`, `third: uid "a"`},
		},
		"uids of sinks": {
			func(e *flott.Environment) {
				numbers(e).Discard().Name("first").UID("a")
				numbers(e).Discard().Name("second").UID("a")
				numbers(e).Print().UID("")
			},
			[]string{`second: Writer: uid "a"`, "Print to Std. Out: "},
		},
		"forward between different parallelism": {
			func(e *flott.Environment) {
				numbers(e).Forward().Map(flott.Identity).Parallelism(3).Discard()
				numbers(e).Forward().Discard().Name("out").Parallelism(3)
			},
			[]string{"Map: ", "out: Writer: "},
		},
		"partitioning keyed streams": {
			func(e *flott.Environment) { keyed(e).Rebalance().Discard() },
			[]string{"a keyed stream cannot be partitioned anew"},
		},
		"a union of nothing": {
			func(e *flott.Environment) { numbers(e).Union().Discard() },
			[]string{"a union with no other stream"},
		},
		"watermarks set twice": {
			func(e *flott.Environment) {
				w := watermark.Monotonic(func(n int64) time.Time { return time.UnixMilli(n) })
				numbers(e).Watermarks(w).Watermarks(w).Discard()
			},
			[]string{"Sequence Source: Watermarks is set twice"},
		},
		"watermarks that cannot be": {
			func(e *flott.Environment) {
				w := watermark.BoundedOutOfOrder(-time.Second, func(n int64) time.Time { return time.UnixMilli(n) })
				numbers(e).Watermarks(w).Discard()
				numbers(e).Watermarks(watermark.Strategy[int64]{}).Discard()
			},
			[]string{"out of order by -1s", "an empty watermark strategy"},
		},
		"windows of no size": {
			func(e *flott.Environment) {
				keyed(e).Window(window.TumblingEventTime(0)).Reduce(add).Discard()
				keyed(e).Window(window.SlidingProcessingTime(time.Second, -time.Second)).Reduce(add).Discard()
				keyed(e).Window(window.TumblingEventTime(1500 * time.Microsecond)).Reduce(add).Discard()
				keyed(e).Window(window.TumblingEventTime(time.Second)).AllowedLateness(-1).Reduce(add).Discard()
				keyed(e).Window(nil).Reduce(add).Discard()
			},
			[]string{"TumblingEventTime", "SlidingProcessingTime", "TumblingEventTime", "lateness", "assigner is nil"},
		},
		"nil functions of windows": {
			func(e *flott.Environment) {
				w := keyed(e).Window(window.TumblingEventTime(time.Second))
				w.Reduce(nil).Discard()
				w.ReduceTo[string](add, nil).Discard()
				w.Aggregate[int64, int64, string](nil, func(int64, window.Window, int64) string { return "" }).Discard()
				w.Aggregate[int64, int64, string](aggregate.Count[int64](), nil).Discard()
				w.Apply[string](nil).Discard()
			},
			[]string{
				"TumblingEventTimeWindows: its function is nil", "TumblingEventTimeWindows: its function is nil",
				"TumblingEventTimeWindows: its function is nil", "TumblingEventTimeWindows: its function is nil",
				"TumblingEventTimeWindows: its function is nil",
			},
		},
		"a timer method that is never called": {
			func(e *flott.Environment) {
				keyed(e).Process(func(*flott.KeyedRuntime[int64]) (wrongTimer, error) { return wrongTimer{}, nil }).Discard()
			},
			[]string{"KeyedProcess: "},
		},
		"a state name used twice": {
			func(e *flott.Environment) {
				keyed(e).Process(func(rt *flott.KeyedRuntime[int64]) (keeper, error) {
					rt.Value[int]("n")
					rt.List[int]("n")
					return keeper{}, nil
				}).Discard()
			},
			[]string{`KeyedProcess: `},
		},
		"an open that fails": {
			func(e *flott.Environment) {
				keyed(e).Process(func(*flott.KeyedRuntime[int64]) (keeper, error) { return keeper{}, errOpen }).Discard()
				keyed(e).Process(func(*flott.KeyedRuntime[int64]) (keeper, error) { panic("ouch") }).Discard()
			},
			[]string{"KeyedProcess: ", "KeyedProcess: "},
		},
		"streams of two environments": {
			func(e *flott.Environment) {
				other := numbers(flott.New())
				numbers(e).Union(other).Discard()
				numbers(e).Connect(other).Map(flott.Identity, flott.Identity).Discard()
			},
			[]string{"another environment", "another environment"},
		},
		"a sequence that ends before it begins": {
			func(e *flott.Environment) { e.From(flott.Sequence(2, 1)).Discard() },
			[]string{"Sequence Source: a sequence from 2 to 1"},
		},
	} {
		t.Run(name, func(t *testing.T) {
			got := mistakesOf(t, c.write)
			if len(got) != len(c.want) {
				t.Fatalf("found %d mistakes, want %d:\n%s", len(got), len(c.want), strings.Join(got, "\n"))
			}
			for i, want := range c.want {
				if !strings.Contains(got[i], want) {
					t.Errorf("mistake %d is %q, want %q", i, got[i], want)
				}
			}
		})
	}
}

func TestAllMistakesAtOnce(t *testing.T) {
	got := mistakesOf(t, func(e *flott.Environment) {
		s := numbers(e).UID("x").KeyBy(flott.Identity).Name("k").Filter(nil).Parallelism(9).MaxParallelism(3)
		s.Map(flott.Identity).UID("x").Discard()
		s.Map(flott.Identity)
	})
	for _, want := range []string{"Name after KeyBy", "Filter: its function is nil", "nobody reads", `uid "x"`} {
		if !slices.ContainsFunc(got, func(m string) bool { return strings.Contains(m, want) }) {
			t.Errorf("%q is not among\n%s", want, strings.Join(got, "\n"))
		}
	}
}

// A mistake is found in the line of its call, however the calls are spread over lines.
func TestMistakeSite(t *testing.T) {
	env := flott.New()
	_, file, line, _ := runtime.Caller(0)
	env.From(flott.Of(1)).
		Filter(nil).
		KeyBy(flott.Identity).
		Name("x").
		Discard()
	_, err := env.Execute(context.Background(), "job")
	want := fmt.Sprintf(`flott: job "job" has 2 mistakes:
	flott/%[1]s:%[2]d: operator "Filter": its function is nil
	flott/%[1]s:%[3]d: Name after KeyBy: no operator made this stream; call it on the operator before`,
		filepath.Base(file), line+2, line+4)
	if err == nil || err.Error() != want {
		t.Errorf("error is\n%v\nwant\n%s", err, want)
	}
}

func TestMistakeKeepsItsCause(t *testing.T) {
	env := flott.New()
	keyed(env).Process(func(*flott.KeyedRuntime[int64]) (keeper, error) { return keeper{}, errOpen }).Discard()
	if _, err := env.Execute(context.Background(), "job"); !errors.Is(err, errOpen) {
		t.Errorf("%v is not %v", err, errOpen)
	}
}

// The environment is empty after a program that was refused, too.
func TestMistakesGoWithTheProgram(t *testing.T) {
	env := flott.New()
	env.From(flott.Of(1)).Filter(nil).Discard()
	if _, err := env.Execute(context.Background(), "wrong"); err == nil {
		t.Fatal("a wrong program was run")
	}
	env.From(flott.Of(1)).Discard()
	if _, err := env.Execute(context.Background(), "right"); err != nil {
		t.Error(err)
	}
}
