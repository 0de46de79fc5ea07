// Package jobs holds the benchmark workloads as flott jobs, written as a user would write them, with the public API only.
package jobs

import (
	"github.com/flott-dev/flott"
	"github.com/flott-dev/flott/bench/workload"
)

// A Run is one run of a workload: how much, and where its sinks count.
type Run struct {
	Records int64
	workload.Options
	Tally *workload.Tally
	Print bool // each subtask of the sink prints what it has counted: on a cluster it is in another process than the tally
}

// Jobs is every workload by name: each adds its operators to env.
var Jobs = map[string]func(env *flott.Environment, r Run){
	"gen": gen, "chain": chain, "chain-batch": chainBatch, "shuffle": shuffle, "shuffle-hash": shuffleHash,
	"keyed-count": keyedCount, "window": window, "window-sparse": windowSparse, "wordcount": wordcount,
	"nexmark-q0": q0, "nexmark-q1": q1, "nexmark-q2": q2,
	"tasks": tasks,
}

// count ends a stream in the run's tally; sum is what a record adds to the checksum.
func count[T any](s flott.Stream[T], r Run, sum func(T) int64) {
	countBatches(s, r, func(vs []T) (total int64) {
		for i := range vs {
			total += sum(vs[i])
		}
		return total
	})
}

// countBatches is count for hot loops.
func countBatches[T any](s flott.Stream[T], r Run, sum func([]T) int64) {
	s.To(counting[T]{r, sum}).Name("count")
}
