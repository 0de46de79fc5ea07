package streamgraph

import "github.com/flott-dev/flott/internal/graph/program"

// cache keeps an intermediate result for later jobs, or reads it. Only batch jobs keep: in a streaming job the cache is not there.
func (b *builder) cache(t *program.Transformation, group string, inputs [][]outlet) []outlet {
	switch {
	case t.Cache.Exists:
		return b.cacheRead(t, group)
	case b.batch:
		return b.cacheWrite(t, group)
	}
	return inputs[0]
}

// cacheRead is a source without inputs. Its settings are those of the transformation that was cached, which is not translated for
// its sake: only if something else reads that one, it has the program's max parallelism.
func (b *builder) cacheRead(t *program.Transformation, group string) []outlet {
	n := b.add(t, OneInputTask, "CacheRead", group)
	n.Source = true
	n.ConsumeClusterData = t.Cache.DataSet
	cached := t.Inputs[0]
	n.Parallelism = cached.Parallelism
	n.MaxParallelism = cached.MaxParallelism
	if _, translated := b.outlets[cached]; translated {
		n.MaxParallelism = b.maxParallelism(cached)
	}
	return n.at()
}

// cacheWrite adds a node that drops its input, for the data set on the edge to it. Readers go on to read the operator itself.
func (b *builder) cacheWrite(t *program.Transformation, group string) []outlet {
	cached := t.Inputs[0]
	if cached.Kind == program.KindSideOutput {
		cached = cached.Inputs[0]
	}
	n := b.add(t, OneInputTask, "CacheWrite", group)
	n.Chaining = program.ChainHead
	n.Parallelism, n.ParallelismConfigured = cached.Parallelism, cached.ParallelismConfigured
	n.MaxParallelism = b.maxParallelism(cached)

	o := b.outlets[cached][0]
	if t.Inputs[0].Kind == program.KindSideOutput {
		o = b.tagged(o, &t.Inputs[0].Tag)
	}
	b.connectOne(o, n, 0).DataSetToKeep = t.Cache.DataSet
	return []outlet{o}
}
