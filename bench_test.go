package flott_test

import (
	"context"
	"testing"
	"time"

	"github.com/flott-dev/flott"
)

// BenchmarkFirstResult is the time from Execute to the first record in the sink of a job of three operators, and to the job's end.
func BenchmarkFirstResult(b *testing.B) {
	var first time.Duration
	for b.Loop() {
		env := flott.New(flott.Parallelism(2))
		var start time.Time
		arrived := false
		env.From(flott.Sequence(1, 100)).Map(double).KeyBy(flott.Identity).Reduce(add).
			To(flott.ForEach(func(int64) error {
				if !arrived {
					arrived = true
					first += time.Since(start)
				}
				return nil
			})).Parallelism(1)
		start = time.Now()
		if _, err := env.Execute(context.Background(), "job"); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(float64(first.Microseconds())/float64(b.N), "µs-to-first")
}

// BenchmarkWriteProgram is the cost of the calls that write a program of 100 chains of 100 operators, and of compiling it.
func BenchmarkWriteProgram(b *testing.B) {
	for b.Loop() {
		env := flott.New(flott.Parallelism(2))
		for range 100 {
			s := env.From(flott.Sequence(1, 100))
			for range 98 {
				s = s.Map(double)
			}
			s.Discard()
		}
		if _, err := env.Plan("wide"); err != nil {
			b.Fatal(err)
		}
	}
}
