package operator_test

import (
	"iter"
	"testing"

	"github.com/flott-dev/flott/internal/data/operator"
	"github.com/flott-dev/flott/internal/data/record"
)

// sum is an input at the end of a chain.
type sum struct{ n int64 }

func (s *sum) Receive(b *record.Batch[int64]) error {
	n := s.n
	for _, v := range b.V {
		n += v
	}
	s.n = n
	return nil
}
func (s *sum) Watermark(int64) error { return nil }
func (s *sum) Idle(bool) error       { return nil }

// perRecord feeds an operator with full batches of 0, 1, 2, ...; making and adding these up is part of the figure.
func perRecord(b *testing.B, c operator.Constructor) {
	in := input[int64](newRig(b, c, record.Input[int64](&sum{})), 0)
	v, ts, batch := make([]int64, record.Size), make([]int64, record.Size), record.Batch[int64]{}
	b.ReportAllocs()
	for b.Loop() {
		for i := range v {
			v[i] = int64(i)
		}
		batch = record.Batch[int64]{V: v, TS: ts}
		if err := in.Receive(&batch); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/record.Size, "ns/record")
}

func third(v int64) bool { return v%3 == 0 }

func thirds(in []int64, keep []bool) {
	for i, v := range in {
		keep[i] = v%3 == 0
	}
}

func BenchmarkMap(b *testing.B)         { perRecord(b, operator.Map(double)) }
func BenchmarkMapBatch(b *testing.B)    { perRecord(b, operator.MapBatch(doubleAll)) }
func BenchmarkFilter(b *testing.B)      { perRecord(b, operator.Filter(third)) }
func BenchmarkFilterBatch(b *testing.B) { perRecord(b, operator.FilterBatch(thirds)) }
func BenchmarkFlatMapTo(b *testing.B)   { perRecord(b, operator.FlatMapTo(once)) }

func BenchmarkTryMap(b *testing.B) {
	perRecord(b, operator.TryMap(func(v int64) (int64, error) { return 2 * v, nil }))
}

func BenchmarkFlatMap(b *testing.B) {
	one := func(yield func(int64) bool) { yield(1) }
	perRecord(b, operator.FlatMap(func(int64) iter.Seq[int64] { return one }))
}

func BenchmarkWatermarks(b *testing.B) { perRecord(b, operator.Watermarks(*ascending())) }
