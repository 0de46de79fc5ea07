package jobgraph

import (
	"fmt"

	"github.com/flott-dev/flott/internal/graph/program"
	"github.com/flott-dev/flott/internal/graph/streamgraph"
	"github.com/flott-dev/flott/internal/id"
)

// check finds what no job can have, whatever its chains are.
func check(g *streamgraph.Graph, r *program.Rejections) {
	checkpoints := g.Checkpointing.Enabled()
	for _, n := range g.Nodes {
		if n.HasUID && n.UID == "" {
			r.Add(n.Transformation, "the uid is empty")
		}
		if n.Name == "" {
			r.Add(n.Transformation, "the name is empty")
		}
		if checkpoints && n.InputSelectable {
			r.Add(n.Transformation, "it chooses which input to read, so that a job with checkpoints (every %d ms) cannot have it", g.Checkpointing.IntervalMs)
		}
		for _, e := range n.Out {
			if checkpoints && g.Checkpointing.Unaligned && e.Partitioner.Strategy == program.Custom {
				r.Add(n.Transformation, "its records go to operator %q by a custom partitioner, which unaligned checkpoints cannot restore", e.Target.Name)
			}
		}
	}
}

// cachedID is the id of a cached data set that translation wrote down; zero for "".
func cachedID(s string) id.DataSet {
	if s == "" {
		return id.DataSet{}
	}
	d, err := id.ParseDataSet(s)
	if err != nil {
		panic(fmt.Sprintf("jobgraph: cached data set: %v", err)) // translation made it
	}
	return d
}
