package jobgraph

import (
	"cmp"
	"slices"

	"github.com/flott-dev/flott/internal/graph/program"
	"github.com/flott-dev/flott/internal/graph/streamgraph"
	"github.com/flott-dev/flott/internal/id"
)

// reusable is an earlier data set of the chain that can serve in d's place; -1: there is none.
func (c *chain) reusable(d *dataSet) int {
	if !d.result.Reconsumable() && !d.result.Hybrid() {
		return -1
	}
	var fit []int
	for k, o := range c.produces {
		if o.serves(d) {
			fit = append(fit, k)
		}
	}
	switch len(fit) {
	case 0:
		return -1
	case 1:
		return fit[0]
	}
	return c.firstOf(fit, d.edge.Source)
}

// serves says that the consumer of d can read o.
func (o *dataSet) serves(d *dataSet) bool {
	return o.edge.Source == d.edge.Source &&
		(o.result.Reconsumable() && o.result == d.result || o.result.Hybrid() && d.result.Hybrid()) &&
		o.to.parallelism == d.to.parallelism &&
		o.to.maxParallelism == d.to.maxParallelism &&
		tag(o.edge) == tag(d.edge) &&
		samePartitioner(o.edge, d.edge) &&
		o.kept == d.edge.DataSetToKeep
}

func samePartitioner(a, b *streamgraph.Edge) bool {
	if strategy(a) != strategy(b) {
		return false
	}
	keyed := strategy(a) == program.Hash || strategy(a) == program.Custom
	return !keyed || a.Partitioner.Object == b.Partitioner.Object
}

// firstOf chooses between data sets that would all serve. It happens only where a hybrid result is cached, too, since the edge to the
// cache shares nothing but what it makes can be shared. Flink takes the first it meets in a Java HashMap of the node's edges, and
// so the order of that map is part of its plans: by bucket, then by age.
func (c *chain) firstOf(fit []int, node *streamgraph.Node) int {
	buckets := 16
	for 4*c.connected(node) > 3*buckets {
		buckets *= 2
	}
	type entry struct{ bucket, age, dataSet int }
	var entries []entry
	for _, k := range fit {
		for _, to := range c.produces[k].consumers {
			e := to.chain.inputs[to.input].edge
			entries = append(entries, entry{bucket(e, buckets), slices.Index(c.edges, e), k})
		}
	}
	return slices.MinFunc(entries, func(a, b entry) int {
		return cmp.Or(cmp.Compare(a.bucket, b.bucket), cmp.Compare(a.age, b.age))
	}).dataSet
}

// connected is how many edges of a node have their data set.
func (c *chain) connected(node *streamgraph.Node) int {
	n := 0
	for _, o := range c.produces {
		if o.edge.Source == node {
			n += len(o.consumers)
		}
	}
	return n
}

// bucket is where a Java HashMap puts an edge.
func bucket(e *streamgraph.Edge, buckets int) int {
	h := 31 * (31 + id.JavaHash(e.ID))
	if e.Tag != nil {
		h += id.JavaHash(e.Tag.Name)
	}
	u := uint32(h)
	return int(u^u>>16) & (buckets - 1)
}
