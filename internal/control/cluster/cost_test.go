package cluster

import (
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/flott-dev/flott/connector/sequence"
)

// three is a job of three operators, none of which is chained.
func three(records int64, first func()) *flow {
	return newFlow().
		from(sequence.Of(1, records), 1).
		do("map", 2, func(int64) {}).
		to(1, func(int64) error { first(); return nil })
}

// BenchmarkStart is the time from Start to the first result of a job of three operators, and to its end.
func BenchmarkStart(b *testing.B) {
	var toFirst time.Duration
	for b.Loop() {
		start := time.Now()
		var seen atomic.Bool
		f := three(10, func() {
			if !seen.Swap(true) {
				toFirst += time.Since(start)
			}
		})
		_, err := f.run(b.Context(), b)
		check(b, err)
	}
	b.ReportMetric(float64(toFirst.Microseconds())/float64(b.N), "us/first")
}

// TestStartWaitsForNothing runs a job by the clock of synctest: what it takes is what it waits for.
func TestStartWaitsForNothing(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		start := time.Now()
		var first atomic.Int64
		_, err := three(10, func() { first.Store(int64(time.Since(start))) }).run(t.Context(), t)
		check(t, err)
		if seen, took := time.Duration(first.Load()), time.Since(start); seen != 0 || took != 0 {
			t.Errorf("the last result came after %v, the end after %v", seen, took)
		}
	})
}
