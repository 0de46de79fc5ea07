package jobs

import (
	"github.com/flott-dev/flott"
	"github.com/flott-dev/flott/bench/workload"
)

func chain(env *flott.Environment, r Run) {
	s := env.From(flott.Sequence(1, r.Records)).Name("source").
		Map(workload.ChainMap).
		Filter(workload.ChainKeep).
		Map(workload.ChainFold)
	count(s, r, flott.Identity)
}

// chainBatch is chain with the forms for hot loops.
func chainBatch(env *flott.Environment, r Run) {
	s := env.From(flott.Sequence(1, r.Records)).Name("source").
		MapBatch(func(in, out []int64) {
			for i, x := range in {
				out[i] = workload.ChainMap(x)
			}
		}).
		FilterBatch(func(in []int64, keep []bool) {
			for i, x := range in {
				keep[i] = workload.ChainKeep(x)
			}
		}).
		MapBatch(func(in, out []int64) {
			for i, x := range in {
				out[i] = workload.ChainFold(x)
			}
		})
	countBatches(s, r, func(vs []int64) (sum int64) {
		for _, v := range vs {
			sum += v
		}
		return sum
	})
}

func rows(env *flott.Environment, r Run) flott.Stream[workload.Row] {
	return env.From(flott.Generate(r.Records, 0, workload.RowOf)).Name("source")
}

func shuffle(env *flott.Environment, r Run) {
	count(rows(env, r).Rebalance().Map(workload.Row.Next), r, workload.Row.Sum)
}

func shuffleHash(env *flott.Environment, r Run) {
	byValue := rows(env, r).KeyBy(func(row workload.Row) int64 { return row.Value })
	count(byValue.Map(workload.Row.Next), r, workload.Row.Sum)
}

func keyedCount(env *flott.Environment, r Run) {
	keys := r.KeysOr(100_000)
	source := flott.Generate(r.Records, 0, func(n int64) int64 { return workload.Below(n, 0, keys) })
	counts := env.From(source).Name("source").
		KeyBy(flott.Identity).
		ProcessFunc(runningCount).Name("running count")
	count(counts, r, workload.Keyed.Sum)
}

func runningCount(rt *flott.KeyedRuntime[int64]) func(*flott.KeyedContext[int64, workload.Keyed], int64) error {
	count := rt.Value[int64]("count")
	return func(c *flott.KeyedContext[int64, workload.Keyed], k int64) error {
		n, _ := count.Get()
		count.Set(n + 1)
		c.Emit(workload.Keyed{Key: k, Count: n + 1})
		return nil
	}
}
