//go:build !race

package cluster

import (
	"runtime"
	"sync/atomic"
	"testing"
	"time"

	"github.com/flott-dev/flott/connector/sequence"
)

// TestTenThousandTasks runs 10,000 tasks in chains of four, each with a source that goes on for ever, and reports what one costs. The
// race detector knows at most 8,128 goroutines, and takes minutes for so many.
func TestTenThousandTasks(t *testing.T) {
	const width, length = 2500, 4
	before, start := memory(), time.Now()
	f := newFlow()
	f.Config.Chaining = false
	var arrived atomic.Int64
	all := make(chan bool)
	f.from(sequence.Generate(-1, width, func(i int64) int64 { return i }), width).
		do("map", width, func(int64) {}).
		do("map", width, func(int64) {}).
		to(width, func(int64) error {
			if arrived.Add(1) == width {
				close(all)
			}
			return nil
		})
	job := f.start(t.Context(), t)
	<-all
	ran, used := time.Since(start), memory()-before
	check(t, job.Cancel(t.Context()))
	t.Logf("the last of %d tasks ran after %v; %d bytes a task; cancelled after %v", width*length, ran, used/(width*length), time.Since(start)-ran)
}

// memory is that of the heap and of stacks.
func memory() uint64 {
	var m runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&m)
	return m.HeapAlloc + m.StackInuse
}
