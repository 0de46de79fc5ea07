package jobdoc

import (
	"fmt"

	"github.com/flott-dev/flott/internal/graph/jobgraph"
	"github.com/flott-dev/flott/internal/graph/program"
	"github.com/flott-dev/flott/internal/id"
)

// mostSubtasks bounds what a job graph makes of memory. It is more than a cluster can run.
const mostSubtasks = 1 << 20

// A checker looks at a graph that came from another process: who reads it may then follow every index in it.
type checker struct {
	graph *jobgraph.Graph
	err   error
}

// check wants what holds for each graph that is compiled.
func check(g *jobgraph.Graph) error {
	c := &checker{graph: g}
	c.indexes("vertices in order of creation", g.Created, len(g.Vertices))
	for _, s := range g.SlotSharingGroups {
		c.indexes("vertices of a slot sharing group", s.Vertices, len(g.Vertices))
	}
	for _, l := range g.CoLocationGroups {
		c.indexes("vertices of a co-location group", l.Vertices, len(g.Vertices))
	}
	subtasks := 0
	for i := range g.Vertices {
		c.vertex(i)
		subtasks += max(0, g.Vertices[i].Parallelism)
		c.want(subtasks <= mostSubtasks, "it has more than %d subtasks", mostSubtasks)
	}
	if c.err != nil {
		return fmt.Errorf("job graph: %w", c.err)
	}
	return nil
}

func (c *checker) want(holds bool, format string, args ...any) {
	if !holds && c.err == nil {
		c.err = fmt.Errorf(format, args...)
	}
}

func (c *checker) index(what string, i, n int) {
	c.want(i >= 0 && i < n, "%s: there is no number %d of %d", what, i, n)
}

func (c *checker) indexes(what string, all []int, n int) {
	for _, i := range all {
		c.index(what, i, n)
	}
}

func (c *checker) vertex(i int) {
	g := c.graph
	v := &g.Vertices[i]
	c.want(v.Parallelism == program.Unset || v.Parallelism > 0, "vertex %q has parallelism %d", v.Name, v.Parallelism)
	c.want(v.MaxParallelism == program.Unset || v.MaxParallelism > 0 && v.MaxParallelism <= id.MaxKeyGroups, "vertex %q has max parallelism %d", v.Name, v.MaxParallelism)
	c.want(len(v.Chain) > 0, "vertex %q has no operators", v.Name)
	c.indexes("operators of a vertex", v.Listed, len(v.Chain))
	c.index("slot sharing group", v.SlotSharingGroup, len(g.SlotSharingGroups))
	if v.CoLocationGroup != program.Unset {
		c.index("co-location group", v.CoLocationGroup, len(g.CoLocationGroups))
	}
	for k := range v.Chain {
		c.operator(v, &v.Chain[k])
	}
	for k := range v.Inputs {
		c.input(i, &v.Inputs[k])
	}
	for k := range v.Produces {
		c.dataSet(v, &v.Produces[k])
	}
}

func (c *checker) operator(v *jobgraph.Vertex, o *jobgraph.Operator) {
	c.indexes("data sets of an operator", o.Outputs, len(v.Produces))
	for _, in := range o.Inputs {
		if in.Kind == jobgraph.ChainedInput {
			c.index("chained source", in.Source, len(v.Chain))
		}
	}
	for _, out := range o.Chained {
		c.index("chained operator", out.Target, len(v.Chain))
	}
}

// input wants producers before consumers, so that there is no cycle.
func (c *checker) input(consumer int, in *jobgraph.Input) {
	c.index("producer", in.Producer, consumer)
	if c.err == nil {
		c.index("data set", in.DataSet, len(c.graph.Vertices[in.Producer].Produces))
	}
}

func (c *checker) dataSet(v *jobgraph.Vertex, d *jobgraph.DataSet) {
	c.index("operator of a data set", d.Operator, len(v.Chain))
	for _, to := range d.Consumers {
		c.index("consumer", to.Vertex, len(c.graph.Vertices))
		if c.err == nil {
			c.index("input of a consumer", to.Input, len(c.graph.Vertices[to.Vertex].Inputs))
		}
	}
}
