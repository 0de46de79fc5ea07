package jobgraph

import (
	"github.com/flott-dev/flott/internal/graph/program"
	"github.com/flott-dev/flott/internal/graph/streamgraph"
	"github.com/flott-dev/flott/internal/id"
)

// From joins the operators of a stream graph into a job. It changes nothing of the stream graph. The error is a
// program.Rejections with everything that is wrong, as far as it can be told at once.
func From(g *streamgraph.Graph) (*Graph, error) {
	var r program.Rejections
	c := ChainingOf(g)
	ids := c.operatorIDs(&r)
	check(g, &r)
	if err := r.Err(); err != nil {
		return nil, err
	}
	cs := chainsOf(c)
	cs.decideLater(&r)
	cs.connect(ids, &r)
	o := orderOf(cs.made)
	job := cs.job(o, ids)
	job.shareSlots(o, g, &r)
	job.locate(o, &r)
	cs.divideMemory(job, o)
	if err := r.Err(); err != nil {
		return nil, err
	}
	return job, nil
}

// job is the graph without what vertices share.
func (cs *chains) job(o order, ids []id.Operator) *Graph {
	g := cs.graph
	job := &Graph{
		Name:                     g.JobName,
		Type:                     g.JobType,
		Dynamic:                  g.Dynamic,
		ApproximateLocalRecovery: g.ApproximateLocalRecovery,
		Checkpointing:            checkpointing(g),
		Restart:                  g.Restart,
		VertexNames:              g.VertexNames,
		Vertices:                 make([]Vertex, len(o)),
		Created:                  make([]int, len(o)),
	}
	for i, c := range cs.made {
		job.Created[i] = c.index
	}
	for i, c := range o {
		job.Vertices[i] = cs.vertex(c, ids)
		job.Vertices[i].Name = job.name(i)
	}
	return job
}

func checkpointing(g *streamgraph.Graph) Checkpointing {
	c := Checkpointing{IntervalMs: NoCheckpoints, TimeoutMs: 10 * 60 * 1000, MaxConcurrent: 1}
	if g.Checkpointing.Enabled() {
		c.IntervalMs, c.ExactlyOnce, c.Unaligned = g.Checkpointing.IntervalMs, true, g.Checkpointing.Unaligned
	}
	return c
}
