package aggregate

import (
	"math"
	"slices"
	"testing"

	"pgregory.net/rapid"
)

// fold is the value of a function over records, in one accumulator or merged from two.
func fold[T, A, V any](f Function[T, A, V], vs []T, cut int) V {
	left, right := f.Zero(), f.Zero()
	for i, v := range vs {
		if i < cut {
			f.Add(&left, v)
		} else {
			f.Add(&right, v)
		}
	}
	f.Merge(&left, right)
	return f.Value(left)
}

func identity[T any](v T) T { return v }

// TestAgainstPlainLoops checks every function against its definition, however the records are split over two accumulators.
func TestAgainstPlainLoops(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		vs := rapid.SliceOfN(rapid.Int32(), 1, 30).Draw(t, "vs")
		cut := rapid.IntRange(0, len(vs)).Draw(t, "cut")
		var sum int64
		for _, v := range vs {
			sum += int64(v)
		}
		if got := fold(Count[int32](), vs, cut); got != int64(len(vs)) {
			t.Errorf("count %d", got)
		}
		if got := fold(Sum(func(v int32) int64 { return int64(v) }), vs, cut); got != sum {
			t.Errorf("sum %d, want %d", got, sum)
		}
		if got, want := fold(Mean(identity[int32]), vs, cut), float64(sum)/float64(len(vs)); math.Abs(got-want) > 1e-6*math.Abs(want) {
			t.Errorf("mean %v, want %v", got, want)
		}
		if got := fold(MaxBy(identity[int32]), vs, cut); got != slices.Max(vs) {
			t.Errorf("max %d", got)
		}
		if got := fold(MinBy(identity[int32]), vs, cut); got != slices.Min(vs) {
			t.Errorf("min %d", got)
		}
	})
}

func TestFirstOfEqualsWins(t *testing.T) {
	type rec struct{ measure, id int }
	vs := []rec{{1, 1}, {2, 2}, {2, 3}, {1, 4}}
	of := func(r rec) int { return r.measure }
	if got := fold(MaxBy(of), vs, len(vs)); got.id != 2 {
		t.Errorf("max is record %d", got.id)
	}
	if got := fold(MinBy(of), vs, len(vs)); got.id != 1 {
		t.Errorf("min is record %d", got.id)
	}
}

func TestMeanOfNothing(t *testing.T) {
	f := Mean(identity[int])
	if v := f.Value(f.Zero()); !math.IsNaN(v) {
		t.Errorf("mean of nothing is %v", v)
	}
}
