package operator_test

import (
	"fmt"
	"iter"
	"slices"
	"testing"

	"github.com/flott-dev/flott/internal/data/operator"
	"github.com/flott-dev/flott/internal/data/record"
	"github.com/flott-dev/flott/process"
	"pgregory.net/rapid"
)

// A step is an operator and what it makes of one record, told naively.
type step struct {
	name     string
	operator operator.Constructor
	model    func(v int64) []int64
}

var steps = []step{
	{"map", operator.Map(func(v int64) int64 { return v*3 + 1 }), func(v int64) []int64 { return []int64{v*3 + 1} }},
	{"map batch", operator.MapBatch(doubleAll), func(v int64) []int64 { return []int64{2 * v} }},
	{"filter", operator.Filter(odd), func(v int64) []int64 { return slices.Repeat([]int64{v}, int(v%2)) }},
	{"filter batch", operator.FilterBatch(oddOnes), func(v int64) []int64 { return slices.Repeat([]int64{v}, int(v%2)) }},
	{"flat map", operator.FlatMap(func(v int64) iter.Seq[int64] { return times(v % 3) }), func(v int64) []int64 { return slices.Repeat([]int64{v % 3}, int(v%3)) }},
	{"flat map to", operator.FlatMapTo(func(v int64, out *process.Collector[int64]) error { return timesTo(v%3, out) }), func(v int64) []int64 { return slices.Repeat([]int64{v % 3}, int(v%3)) }},
}

// A branch is a step with branches behind it; without any, what comes there is written down.
type branch struct {
	step
	behind []*branch
	got    log
	want   log
}

// A log is records with their timestamps, or record.NoTime, and watermarks, in order.
type log struct{ words []string }

func (l *log) add(v, ts int64) { l.words = append(l.words, fmt.Sprintf("%d@%d", v, ts)) }

func (l *log) Receive(b *record.Batch[int64]) error {
	for i, v := range b.V {
		l.add(v, b.Time(i))
	}
	return nil
}

func (l *log) Watermark(t int64) error {
	l.words = append(l.words, fmt.Sprintf("watermark %d", t))
	return nil
}

func (l *log) Idle(bool) error { return nil }

func drawBranch(t *rapid.T, depth int) *branch {
	b := &branch{step: rapid.SampledFrom(steps).Draw(t, "step")}
	if depth > 0 {
		for range rapid.IntRange(0, 3).Draw(t, "branches") {
			b.behind = append(b.behind, drawBranch(t, depth-1))
		}
	}
	return b
}

func (b *branch) input(tb testing.TB) record.Input[int64] {
	out := record.Input[int64](&b.got)
	if len(b.behind) > 0 {
		out = fan(tb, b.behind)
	}
	return input[int64](newRig(tb, b.operator, out), 0)
}

func fan(tb testing.TB, branches []*branch) record.Input[int64] {
	var to []record.Input[int64]
	for _, b := range branches {
		to = append(to, b.input(tb))
	}
	return record.Fan(to...)
}

// each calls f for the end of each branch with what a record becomes there.
func (b *branch) each(v int64, f func(*branch, int64)) {
	for _, r := range b.model(v) {
		if len(b.behind) == 0 {
			f(b, r)
		}
		for _, next := range b.behind {
			next.each(r, f)
		}
	}
}

func (b *branch) ends() (ends []*branch) {
	if len(b.behind) == 0 {
		return []*branch{b}
	}
	for _, next := range b.behind {
		ends = append(ends, next.ends()...)
	}
	return ends
}

// Any tree of operators sends to each of its ends what a naive loop does, in the same order, with the same timestamps and
// watermarks; and it leaves columns alone that others read.
func TestTreesOfOperators(t *testing.T) {
	rapid.Check(t, func(r *rapid.T) {
		root := &branch{}
		for range rapid.IntRange(1, 3).Draw(r, "branches") {
			root.behind = append(root.behind, drawBranch(r, 2))
		}
		in := fan(t, root.behind)
		for range rapid.IntRange(1, 4).Draw(r, "batches") {
			v := rapid.SliceOfN(rapid.Int64Range(0, 100), 1, record.Size).Draw(r, "v")
			b := record.Batch[int64]{V: slices.Clone(v), Shared: rapid.Bool().Draw(r, "shared")}
			ts := make([]int64, len(v))
			for i := range ts {
				ts[i] = int64(i)
			}
			if rapid.Bool().Draw(r, "timed") {
				b.TS = slices.Clone(ts)
			}
			for i := range v {
				at := b.Time(i)
				for _, first := range root.behind {
					first.each(v[i], func(end *branch, got int64) { end.want.add(got, at) })
				}
			}
			lent := b
			noError(t, in.Receive(&lent))
			if b.Shared && (!slices.Equal(b.V, v) || b.TS != nil && !slices.Equal(b.TS, ts)) {
				r.Fatalf("shared columns were changed")
			}
			noError(t, in.Watermark(int64(len(v))))
			for _, end := range root.ends() {
				_ = end.want.Watermark(int64(len(v)))
			}
		}
		for _, end := range root.ends() {
			if !slices.Equal(end.got.words, end.want.words) {
				r.Fatalf("behind %s: got %v\nwant %v", end.name, end.got.words, end.want.words)
			}
		}
	})
}
