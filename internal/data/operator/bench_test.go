package operator_test

import (
	"testing"

	"github.com/flott-dev/flott/internal/data/operator"
	"github.com/flott-dev/flott/internal/data/record"
)

// sum is an input at the end of a chain.
type sum struct{ n int64 }

func (s *sum) Receive(b *record.Batch[int64]) error {
	for _, v := range b.V {
		s.n += v
	}
	return nil
}
func (s *sum) Watermark(int64) error { return nil }
func (s *sum) Idle(bool) error       { return nil }

func made[T any](tb testing.TB, c operator.Constructor, out any) record.Input[T] {
	tb.Helper()
	o, err := c.New(&operator.Env{Out: out})
	if err != nil {
		tb.Fatal(err)
	}
	return o.Input(0).(record.Input[T])
}

// perRecord feeds an operator with full batches.
func perRecord(b *testing.B, timed bool, c operator.Constructor) {
	in := made[int64](b, c, &sum{})
	v, ts := make([]int64, record.Size), make([]int64, record.Size)
	batch := record.Batch[int64]{}
	b.ReportAllocs()
	for b.Loop() {
		for i := range v {
			v[i] = int64(i)
		}
		batch = record.Batch[int64]{V: v}
		if timed {
			batch.TS = ts
		}
		if err := in.Receive(&batch); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/record.Size, "ns/record")
}

func BenchmarkMap(b *testing.B) {
	perRecord(b, false, operator.Map(func(x int64) int64 { return x*31 + 7 }))
}

func BenchmarkMapBatch(b *testing.B) {
	perRecord(b, false, operator.MapBatch(func(in, out []int64) {
		for i, x := range in {
			out[i] = x*31 + 7
		}
	}))
}

func BenchmarkFilter(b *testing.B) {
	perRecord(b, false, operator.Filter(func(x int64) bool { return x%3 != 0 }))
}

func BenchmarkFilterBatch(b *testing.B) {
	f := operator.FilterBatch(func(in []int64, keep []bool) {
		for i, x := range in {
			keep[i] = x%3 != 0
		}
	})
	b.Run("plain", func(b *testing.B) { perRecord(b, false, f) })
	b.Run("timed", func(b *testing.B) { perRecord(b, true, f) })
}

func BenchmarkNothing(b *testing.B) {
	perRecord(b, false, operator.FilterBatch(func(in []int64, keep []bool) { keep[0] = true }))
}
