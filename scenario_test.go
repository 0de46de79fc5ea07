package flott_test

import (
	"fmt"
	"iter"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/flott-dev/flott"
	"github.com/flott-dev/flott/flotttest"
	"github.com/flott-dev/flott/window"
)

// Scenarios are bugs of other engines: docs/scenarios.md has them all. Those here run whole jobs.

var sideA, sideB = flott.NewTag[int64]("A"), flott.NewTag[int64]("B")

type twoSides struct{}

func (twoSides) Process(c *flott.Context[int64], n int64) error {
	c.Emit(n)
	if even(n) {
		c.EmitTo(sideB, n)
	} else {
		c.EmitTo(sideA, n)
	}
	return nil
}

// Two side outputs of one operator, united, are two edges.
func TestScenario_A1(t *testing.T) {
	at(t, func(t *testing.T, env *flott.Environment) {
		s := sequence(env).Process(func(*flott.Runtime) (twoSides, error) { return twoSides{}, nil })
		s.Discard()
		same(t, flotttest.Collect(t, s.SideOutput(sideA).Union(s.SideOutput(sideB))), upTo(all))
	})
}

// A stream united with itself brings each record twice, and watermarks pass.
func TestScenario_A2(t *testing.T) {
	at(t, func(t *testing.T, env *flott.Environment) {
		s := env.From(flott.Of[int64](1, 2, 20)).Watermarks(onTime())
		counts := s.Union(s).KeyBy(func(int64) int64 { return 0 }).Window(window.TumblingEventTime(10*ms)).Aggregate(totals{}, partOf)
		same(t, flotttest.Collect(t, counts), []string{"0 in [0, 10): 4 numbers, sum 6", "0 in [20, 30): 2 numbers, sum 40"})
	})
}

// An edge that chains at one parallelism only is a warning.
func TestScenario_A4(t *testing.T) {
	env := flott.New(flott.Parallelism(1))
	sequence(env).Name("numbers").Map(double).Name("commit").Parallelism(1).Discard()
	plan, err := env.Plan("slow commit")
	if err != nil {
		t.Fatal(err)
	}
	_, warnings, _ := strings.Cut(plan.Explain(), "Warnings")
	if !strings.Contains(warnings, "numbers") || !strings.Contains(warnings, "commit") {
		t.Errorf("no warning names the edge: %s", warnings)
	}
}

// The records of both streams of a union are counted.
func TestScenario_A11(t *testing.T) {
	at(t, func(t *testing.T, env *flott.Environment) {
		sequence(env).Union(sequence(env)).Map(double).Discard()
		result, err := env.Execute(t.Context(), "union")
		if err != nil {
			t.Fatal(err)
		}
		for _, o := range result.Operators {
			if o.Name == "Map" && o.RecordsIn != 2*many {
				t.Errorf("Map has counted %d records in, want %d", o.RecordsIn, 2*many)
			}
		}
	})
}

// A stream that is idle when its input ends still sends the largest watermark.
func TestScenario_B8(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		env := flott.New(flott.Parallelism(1))
		// One number now, and another one after 50 seconds, which does not come through.
		s := env.From(flott.Generate(2, 0.02, func(i int64) int64 { return i })).
			Filter(func(i int64) bool { return i == 0 }).
			Watermarks(onTime().Idle(time.Second))
		counts := s.KeyBy(func(int64) int64 { return 0 }).Window(window.TumblingEventTime(10*ms)).Aggregate(totals{}, partOf)
		same(t, flotttest.Collect(t, counts), []string{"0 in [0, 10): 1 numbers, sum 0"})
	})
}

// Times before 1970 are ordinary times.
func TestScenario_C1(t *testing.T) {
	at(t, func(t *testing.T, env *flott.Environment) {
		counts := env.From(flott.Of[int64](-5001, -5000, -1, 0)).Watermarks(onTime()).
			KeyBy(func(int64) int64 { return 0 }).Window(window.TumblingEventTime(5*time.Second)).Aggregate(totals{}, partOf)
		same(t, flotttest.Collect(t, counts), []string{
			"0 in [-10000, -5000): 1 numbers, sum -5001", "0 in [-5000, 0): 2 numbers, sum -5001", "0 in [0, 5000): 1 numbers, sum 0",
		})
	})
}

// The results of timers come before the watermark that made them due, so that they are in time for windows behind.
func TestScenario_D1(t *testing.T) {
	at(t, func(t *testing.T, env *flott.Environment) {
		counts := sequence(env).Watermarks(onTime()).KeyBy(byDigit).
			Process(func(*flott.KeyedRuntime[int64]) (echo, error) { return echo{}, nil }).
			KeyBy(func(int64) int64 { return 0 }).Window(window.TumblingEventTime(many*2*ms)).Aggregate(totals{}, partOf)
		same(t, flotttest.Collect(t, counts), []string{fmt.Sprintf("0 in [0, %d): %d numbers, sum %d", 2*many, many, many*(many+1)/2)})
	})
}

// An echo sends each record at a timer of its own.
type echo struct{}

func (echo) Process(c *flott.KeyedContext[int64, int64], n int64) error {
	c.EventTimer(time.UnixMilli(n))
	return nil
}

func (echo) OnEventTimer(c *flott.KeyedContext[int64, int64], at time.Time) error {
	c.Emit(at.UnixMilli())
	return nil
}

// Operators that keep records keep their values, though the engine uses its batches again.
func TestScenario_C26(t *testing.T) {
	at(t, func(t *testing.T, env *flott.Environment) {
		kept := sequence(env).Watermarks(onTime()).KeyBy(func(int64) int64 { return 0 }).
			Window(window.TumblingEventTime(many * 2 * ms)).
			Apply(func(_ int64, _ window.Window, numbers iter.Seq[int64]) iter.Seq[int64] { return numbers })
		same(t, flotttest.Collect(t, kept), upTo(all))
	})
}

// Branches that change what they share do not see each other's changes, whatever stands between them.
func TestBranchesShareRecords(t *testing.T) {
	at(t, func(t *testing.T, env *flott.Environment) {
		s := sequence(env).Map(double)
		var branches []flott.Stream[int64]
		for range 4 {
			branches = append(branches,
				s.Filter(even).FilterBatch(func(in []int64, keep []bool) {
					for i := range keep {
						keep[i] = in[i]%4 == 0
					}
				}),
				s.KeyBy(byDigit).Reduce(func(_, b int64) int64 { return b }),
				s.Rebalance().Map(flott.Identity))
		}
		want := slices.Concat(mapped(double, upTo(all)), mapped(double, upTo(all)), mapped(double, upTo(even)))
		same(t, flotttest.Collect(t, branches[0].Union(branches[1:]...)), slices.Concat(want, want, want, want))
	})
}
