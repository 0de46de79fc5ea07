// Package hand does the work of each benchmark workload in one handwritten loop: one goroutine, no engine, a Go map for state.
// It is the far end of the comparison: what the machine can do when nothing is abstracted.
package hand

import (
	"math"
	"strings"

	"github.com/flott-dev/flott/bench/workload"
)

// A Loop does records of a workload and tells how many came out and their checksum.
type Loop func(records int64, o workload.Options) (out, sum int64)

// Loops is every workload by name. The batch and hash forms of a workload do the same work, so they share a loop.
var Loops = map[string]Loop{
	"gen": gen, "chain": chain, "chain-batch": chain, "shuffle": shuffle, "shuffle-hash": shuffle,
	"keyed-count": keyedCount, "window": window, "window-sparse": windowSparse, "wordcount": wordcount,
	"nexmark-q0": q0, "nexmark-q1": q1, "nexmark-q2": q2,
	"tasks": tasks,
}

func gen(n int64, o workload.Options) (out, sum int64) {
	events(n, o, func(e workload.Event) { sum += e.TS() })
	return n, sum
}

// events makes events in rows, as they are made for jobs.
func events(n int64, o workload.Options, f func(workload.Event)) {
	fill := workload.Events(o.PerMsOr(10))
	var row [256]workload.Event
	for i := int64(0); i < n; i += int64(len(row)) {
		out := row[:min(n-i, int64(len(row)))]
		fill(out, i, 1)
		for _, e := range out {
			f(e)
		}
	}
}

func tasks(n int64, _ workload.Options) (out, sum int64) {
	for i := int64(1); i <= n; i++ {
		sum += i
	}
	return n, sum
}

func chain(n int64, _ workload.Options) (out, sum int64) {
	for i := int64(1); i <= n; i++ {
		if x := workload.ChainMap(i); workload.ChainKeep(x) {
			out++
			sum += workload.ChainFold(x)
		}
	}
	return out, sum
}

func shuffle(n int64, _ workload.Options) (out, sum int64) {
	for i := range n {
		sum += workload.RowOf(i).Next().Sum()
	}
	return n, sum
}

func keyedCount(n int64, o workload.Options) (out, sum int64) {
	keys := o.KeysOr(100_000)
	counts := map[int64]int64{}
	for i := range n {
		k := workload.Below(i, 0, keys)
		counts[k]++
		sum += workload.Keyed{Key: k, Count: counts[k]}.Sum()
	}
	return n, sum
}

const size = 1000 // of a window, in ms

func window(n int64, o workload.Options) (out, sum int64) {
	keys := o.KeysOr(10_000)
	return tumble(n, func(i int64) workload.Reading { return workload.DenseReading(i, keys) })
}

func windowSparse(n int64, o workload.Options) (out, sum int64) {
	keys, perMs := o.KeysOr(10_000), o.PerMsOr(100)
	return tumble(n, func(i int64) workload.Reading { return workload.SparseReading(i, keys, perMs) })
}

// tumble counts per key in one window at a time: the input is in order.
func tumble(n int64, reading func(int64) workload.Reading) (out, sum int64) {
	counts, end := map[int64]int64{}, int64(math.MinInt64)
	fire := func() {
		for k, c := range counts {
			out++
			sum += workload.Windowed{Key: k, Start: end - size, End: end, Count: c}.Sum()
		}
		clear(counts)
	}
	for i := range n {
		r := reading(i)
		if r.TS >= end {
			fire()
			end = r.TS - r.TS%size + size
		}
		counts[r.Key]++
	}
	fire()
	return out, sum
}

func wordcount(n int64, _ workload.Options) (out, sum int64) {
	counts := map[string]int64{}
	for i := range n {
		for w := range strings.SplitSeq(workload.Sentence(i), " ") {
			counts[w]++
			out++
			sum += workload.Word{Text: w, Count: counts[w]}.Sum()
		}
	}
	return out, sum
}

func bids(n int64, o workload.Options, f func(*workload.Bid)) {
	events(n, o, func(e workload.Event) {
		if e.Bid != nil {
			f(e.Bid)
		}
	})
}

func q0(n int64, o workload.Options) (out, sum int64) {
	bids(n, o, func(b *workload.Bid) { out++; sum += b.Price })
	return out, sum
}

func q1(n int64, o workload.Options) (out, sum int64) {
	bids(n, o, func(b *workload.Bid) { out++; sum += workload.Discount(b).Price })
	return out, sum
}

func q2(n int64, o workload.Options) (out, sum int64) {
	bids(n, o, func(b *workload.Bid) {
		if b.Auction%123 == 0 {
			out++
			sum += b.Auction + b.Price
		}
	})
	return out, sum
}
