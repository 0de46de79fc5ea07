package chain_test

import (
	"context"
	"testing"

	"github.com/flott-dev/flott/connector"
	"github.com/flott-dev/flott/connector/callback"
	"github.com/flott-dev/flott/connector/sequence"
	"github.com/flott-dev/flott/internal/data/chain"
	"github.com/flott-dev/flott/internal/data/operator"
	"github.com/flott-dev/flott/internal/data/shuffle"
	"github.com/flott-dev/flott/internal/graph/taskplan"
	"github.com/flott-dev/flott/internal/id"
)

// The workload "chain" of the benchmarks, x*31+7, x%3 != 0, x^(x>>>7), as one task: by closures, by batches, and as a loop by
// hand.

const records = 1 << 20

var total uint64

func mix(x int64) int64  { return x*31 + 7 }
func keep(x int64) bool  { return x%3 != 0 }
func fold(x int64) int64 { return x ^ int64(uint64(x)>>7) }

func add(v []int64) error {
	for _, x := range v {
		total += uint64(x)
	}
	return nil
}

// run runs a source and operators in one chain to its end.
func run(b *testing.B, operators ...operator.Constructor) {
	plan := taskplan.Plan{Vertex: &taskplan.Vertex{Parallelism: 1}}
	for i := range operators {
		o := taskplan.Operator{ID: id.Operator{byte(i)}, Inputs: make([]taskplan.Input, 1)}
		if i+1 < len(operators) {
			o.Chained = []taskplan.Chained{{Target: i + 1}}
		}
		plan.Chain = append(plan.Chain, o)
	}
	d := &desk{}
	c := chain.New(chain.Config{
		Plan:     &plan,
		Operator: func(o id.Operator) any { return operators[o[0]] },
		Kind:     func(taskplan.EdgeID) (chain.Kind, error) { return shuffle.KindOf[int64](), nil },
		Context:  context.Background(),
		Mails:    mails{d},
		Splits:   func(id.Operator) operator.Splits { return splits{d} },
	})
	err := c.Make(nil)
	if err == nil {
		err = c.Open(b.Context())
	}
	if err != nil {
		b.Fatal(err)
	}
	for found := operator.More; found != operator.Ended; found, err = c.Pull() {
		if err != nil {
			b.Fatal(err)
		}
		for _, give := range d.asks {
			if err := give([]connector.Split{{ID: "0/1"}}, true); err != nil {
				b.Fatal(err)
			}
		}
		d.asks = nil
	}
}

func perRecord(b *testing.B, f func()) {
	b.ReportAllocs()
	for b.Loop() {
		f()
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/records, "ns/record")
}

func BenchmarkChain(b *testing.B) {
	source := operator.Source(sequence.Of(1, records), nil)
	b.Run("closures", func(b *testing.B) {
		sink := operator.Sink(callback.ForEach(func(x int64) error { total += uint64(x); return nil }))
		perRecord(b, func() { run(b, source, operator.Map(mix), operator.Filter(keep), operator.Map(fold), sink) })
	})
	b.Run("batches", func(b *testing.B) {
		perRecord(b, func() {
			run(b, source, operator.MapBatch(func(in, out []int64) {
				for i, x := range in {
					out[i] = mix(x)
				}
			}), operator.FilterBatch(func(in []int64, choose []bool) {
				for i, x := range in {
					choose[i] = keep(x)
				}
			}), operator.MapBatch(func(in, out []int64) {
				for i, x := range in {
					out[i] = fold(x)
				}
			}), operator.Sink(callback.ForEachBatch(add)))
		})
	})
	b.Run("by hand", func(b *testing.B) {
		perRecord(b, func() {
			for x := int64(1); x <= records; x++ {
				if m := mix(x); keep(m) {
					total += uint64(fold(m))
				}
			}
		})
	})
}
