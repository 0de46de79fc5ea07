// Package hostile is for tests of what reads bytes from strangers: they must not cost much more memory than they are themselves, whatever
// they promise.
package hostile

import (
	"runtime"
	"testing"
)

// A Price is how much memory input may cost: so many bytes for each of its own, and some that all input costs.
type Price struct{ PerByte, Constant int }

// Pay calls f, which reads n bytes, and wants that not to allocate more than the price.
func (p Price) Pay(t testing.TB, n int, f func()) {
	t.Helper()
	if cost, most := allocated(f), p.PerByte*n+p.Constant; cost > uint64(most) {
		t.Errorf("%d bytes of input cost %d, and may cost %d", n, cost, most)
	}
}

// allocated is what this process allocates while f runs.
func allocated(f func()) uint64 {
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	f()
	runtime.ReadMemStats(&after)
	return after.TotalAlloc - before.TotalAlloc
}
