package operator_test

import (
	"errors"
	"iter"
	"math"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/flott-dev/flott/internal/data/operator"
	"github.com/flott-dev/flott/internal/data/record"
	"github.com/flott-dev/flott/process"
)

func double(v int64) int64 { return 2 * v }
func odd(v int64) bool     { return v%2 != 0 }

func doubleAll(in, out []int64) {
	for i, v := range in {
		out[i] = 2 * v
	}
}

func oddOnes(in []int64, keep []bool) {
	for i, v := range in {
		if odd(v) {
			keep[i] = true
		}
	}
}

// times repeats v as often as it says.
func times(v int64) iter.Seq[int64] {
	if v == 0 {
		return nil
	}
	return func(yield func(int64) bool) {
		for range v {
			if !yield(v) {
				return
			}
		}
	}
}

func once(v int64, out *process.Collector[int64]) error {
	out.Emit(v)
	return nil
}

func timesTo(v int64, out *process.Collector[int64]) error {
	for range v {
		out.Emit(v)
	}
	return nil
}

func TestStateless(t *testing.T) {
	for _, c := range []struct {
		name     string
		operator operator.Constructor
		want     string // of records 1 2 3
		timed    string // of records 1@10 2@20 3@30
	}{
		{"Map", operator.Map(double), "2 4 6", "2@10 4@20 6@30"},
		{"MapBatch", operator.MapBatch(doubleAll), "2 4 6", "2@10 4@20 6@30"},
		{"TryMap", operator.TryMap(func(v int64) (int64, error) { return 2 * v, nil }), "2 4 6", "2@10 4@20 6@30"},
		{"Filter", operator.Filter(odd), "1 3", "1@10 3@30"},
		{"Filter nothing out", operator.Filter(func(int64) bool { return true }), "1 2 3", "1@10 2@20 3@30"},
		{"Filter all out", operator.Filter(func(int64) bool { return false }), "", ""},
		{"FilterBatch", operator.FilterBatch(oddOnes), "1 3", "1@10 3@30"},
		{"FlatMap", operator.FlatMap(times), "1 2 2 3 3 3", "1@10 2@20 2@20 3@30 3@30 3@30"},
		{"FlatMapTo", operator.FlatMapTo(timesTo), "1 2 2 3 3 3", "1@10 2@20 2@20 3@30 3@30 3@30"},
	} {
		t.Run(c.name, func(t *testing.T) {
			var out tape[int64]
			in := input[int64](newRig(t, c.operator, record.Input[int64](&out)), 0)

			noError(t, in.Receive(batch([]int64{1, 2, 3})))
			out.expect(t, c.want)

			noError(t, in.Receive(batch([]int64{1, 2, 3}, 10, 20, 30)))
			out.expect(t, c.timed)

			hashed := batch([]int64{1, 2, 3})
			hashed.H = []uint64{7, 8, 9}
			noError(t, in.Receive(hashed))
			out.expect(t, c.want) // the stream behind is not keyed

			noError(t, in.Watermark(30))
			noError(t, in.Idle(true))
			noError(t, in.Idle(false))
			noError(t, in.Watermark(math.MaxInt64))
			out.expect(t, "watermark 30 | idle | active | watermark end")
		})
	}
}

// What TryMap and FlatMapTo return ends the batch, and what was emitted before it is not sent.
func TestErrorsOfFunctions(t *testing.T) {
	wrong := errors.New("2 is wrong")
	for name, c := range map[string]operator.Constructor{
		"TryMap": operator.TryMap(func(v int64) (int64, error) {
			if v == 2 {
				return 0, wrong
			}
			return v, nil
		}),
		"FlatMapTo": operator.FlatMapTo(func(v int64, out *process.Collector[int64]) error {
			if v == 2 {
				return wrong
			}
			out.Emit(v)
			return nil
		}),
	} {
		t.Run(name, func(t *testing.T) {
			var out tape[int64]
			in := input[int64](newRig(t, c, record.Input[int64](&out)), 0)
			if err := in.Receive(batch([]int64{1, 2, 3})); !errors.Is(err, wrong) {
				t.Errorf("got %v", err)
			}
			out.expect(t, "")
		})
	}
}

// An endless sequence ends when nobody can take it any more.
func TestFlatMapStopsAfterError(t *testing.T) {
	full := errors.New("full")
	endless := func(v int64) iter.Seq[int64] {
		return func(yield func(int64) bool) {
			for yield(v) {
			}
		}
	}
	in := input[int64](newRig(t, operator.FlatMap(endless), record.Input[int64](&tape[int64]{err: full})), 0)
	if err := in.Receive(batch([]int64{1, 2})); !errors.Is(err, full) {
		t.Errorf("got %v", err)
	}
}

// A batch of narrow records becomes several of wide ones, none of them too large.
func TestMapKeepsBatchesSmall(t *testing.T) {
	type wide struct{ at [40]int64 }
	var got []int64
	sizes := receive[wide](func(b *record.Batch[wide]) error {
		if len(b.V) > record.SizeOf[wide]() {
			t.Errorf("a batch of %d", len(b.V))
		}
		for i, v := range b.V {
			if v.at[0] != b.TS[i] {
				t.Errorf("record %d has timestamp %d", v.at[0], b.TS[i])
			}
			got = append(got, v.at[0])
		}
		return nil
	})
	in := input[int64](newRig(t, operator.Map(func(v int64) (w wide) { w.at[0] = v; return w }), record.Input[wide](sizes)), 0)
	v := make([]int64, record.Size)
	for i := range v {
		v[i] = int64(i)
	}
	noError(t, in.Receive(batch(v, slices.Clone(v)...)))
	if !slices.Equal(got, v) {
		t.Errorf("got %v", got)
	}
}

// A receive is an input that hears no events.
type receive[T any] func(b *record.Batch[T]) error

func (r receive[T]) Receive(b *record.Batch[T]) error { return r(b) }
func (receive[T]) Watermark(int64) error              { return nil }
func (receive[T]) Idle(bool) error                    { return nil }

func TestCoMap(t *testing.T) {
	var out tape[string]
	r := newRig(t, operator.CoMap(
		func(v int64) string { return strings.Repeat("a", int(v)) },
		func(v string) string { return v + "!" },
	), record.Input[string](&out))
	left, right := input[int64](r, 0), input[string](r, 1)
	noError(t, left.Receive(batch([]int64{1, 3}, 10, 30)))
	noError(t, right.Receive(batch([]string{"x"}, 5)))
	out.expect(t, "a@10 aaa@30 | x!@5")

	noError(t, left.Watermark(20))
	out.expect(t, "")
	noError(t, right.Watermark(15))
	out.expect(t, "watermark 15")
	noError(t, right.Idle(true))
	out.expect(t, "watermark 20")
	noError(t, left.Watermark(math.MaxInt64))
	out.expect(t, "idle")
	if got := r.env.Metrics.Watermark.Load(); got != 20 {
		t.Errorf("metrics have watermark %d", got)
	}
	noError(t, right.Idle(false))
	noError(t, right.Watermark(math.MaxInt64))
	out.expect(t, "active | watermark end")
}

// Branches read the same columns, the last but one of them in place: no branch may see what another one did to them. Batches that
// tasks share (broadcast) are read by several goroutines at once, which the race detector watches.
func TestScenario_C26(t *testing.T) {
	t.Run("branches of a chain", func(t *testing.T) {
		var odds, evens, doubled, all tape[int64]
		branch := func(c operator.Constructor, out *tape[int64]) record.Input[int64] {
			return input[int64](newRig(t, c, record.Input[int64](out)), 0)
		}
		in := record.Fan(
			branch(operator.Filter(odd), &odds),
			// The map shares the timestamps with the others; the filter behind it would move them.
			branch(operator.Map(double), &doubled),
			input[int64](newRig(t, operator.Map(func(v int64) int64 { return v }),
				branch(operator.Filter(func(v int64) bool { return v > 2 }), &evens)), 0),
			record.Input[int64](&all),
		)
		noError(t, in.Receive(batch([]int64{1, 2, 3, 4}, 10, 20, 30, 40)))
		odds.expect(t, "1@10 3@30")
		doubled.expect(t, "2@10 4@20 6@30 8@40")
		evens.expect(t, "3@30 4@40")
		all.expect(t, "1@10 2@20 3@30 4@40")
	})
	t.Run("tasks", func(t *testing.T) {
		v, ts := []int64{1, 2, 3, 4}, []int64{10, 20, 30, 40}
		var tasks sync.WaitGroup
		for range 4 {
			var out tape[int64]
			in := input[int64](newRig(t, operator.Filter(odd), record.Input[int64](&out)), 0)
			tasks.Go(func() {
				for range 10 {
					noErrorFrom(t, in.Receive(&record.Batch[int64]{V: v, TS: ts, Shared: true}))
					out.expect(t, "1@10 3@30")
				}
			})
		}
		tasks.Wait()
	})
}

// A filter that copied what others read hands on what is its own.
func TestFilterOwnsWhatItCopied(t *testing.T) {
	var shared []bool
	out := receive[int64](func(b *record.Batch[int64]) error {
		shared = append(shared, b.Shared)
		return nil
	})
	in := input[int64](newRig(t, operator.Filter(odd), record.Input[int64](out)), 0)
	noError(t, in.Receive(&record.Batch[int64]{V: []int64{1, 2}, Shared: true}))
	noError(t, in.Receive(&record.Batch[int64]{V: []int64{1, 3}, Shared: true})) // nothing to copy
	if !slices.Equal(shared, []bool{false, true}) {
		t.Errorf("shared: %v", shared)
	}
}

// noErrorFrom is noError for other goroutines.
func noErrorFrom(tb testing.TB, err error) {
	if err != nil {
		tb.Error(err)
	}
}

func TestSideOutputsGetTheEventsOfTheMainOne(t *testing.T) {
	var main, side tape[int64]
	env := &operator.Env{Out: record.Input[int64](&main), Events: []record.Events{&side}}
	out := operator.Output[int64](env)
	noError(t, out.Receive(batch([]int64{1})))
	noError(t, out.Watermark(5))
	noError(t, out.Idle(true))
	main.expect(t, "1 | watermark 5 | idle")
	side.expect(t, "watermark 5 | idle")

	env.Out = nil // only the side output is read
	out = operator.Output[int64](env)
	noError(t, out.Receive(batch([]int64{1})))
	noError(t, out.Watermark(6))
	side.expect(t, "watermark 6")
}

// Operators allocate nothing per batch, and so nothing per record.
func TestNoAllocations(t *testing.T) {
	sequence := times(3)
	for name, c := range map[string]operator.Constructor{
		"Map":         operator.Map(double),
		"MapBatch":    operator.MapBatch(doubleAll),
		"TryMap":      operator.TryMap(func(v int64) (int64, error) { return v, nil }),
		"Filter":      operator.Filter(odd),
		"FilterBatch": operator.FilterBatch(oddOnes),
		"FlatMap":     operator.FlatMap(func(int64) iter.Seq[int64] { return sequence }),
		"FlatMapTo":   operator.FlatMapTo(timesTo),
	} {
		in := input[int64](newRig(t, c, record.Input[int64](&sum{})), 0)
		v, ts, b := make([]int64, record.Size), make([]int64, record.Size), record.Batch[int64]{}
		for _, shared := range []bool{false, true} {
			if n := testing.AllocsPerRun(20, func() {
				for i := range v {
					v[i] = int64(i % 5)
				}
				b = record.Batch[int64]{V: v, TS: ts, Shared: shared}
				if in.Receive(&b) != nil {
					t.Fail()
				}
			}); n != 0 {
				t.Errorf("%s, shared %v: %v allocations per batch", name, shared, n)
			}
		}
	}
}
