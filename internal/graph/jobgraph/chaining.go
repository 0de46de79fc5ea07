package jobgraph

import (
	"github.com/flott-dev/flott/internal/graph/program"
	"github.com/flott-dev/flott/internal/graph/streamgraph"
)

// Chaining knows which edges of a stream graph are calls inside of a task. There are two ways to be chained:
//
//   - an operator with one in-edge is joined to the operator before it, if the edge meets all conditions;
//   - a source that nobody else reads is fused in front of an operator that asked for it (HEAD_WITH_SOURCES), which may have
//     more inputs, if the edge meets all conditions.
//
// Both are properties of one end of the edge, so that they are found once per operator.
type Chaining struct {
	graph *streamgraph.Graph
	// All by node id.
	heads  []*streamgraph.Node // the first operator of a chain, fused sources aside; nil: not yet known
	joined []bool              // the operator is joined to its only input
	fused  []bool              // the source is fused in front of its only reader
}

// ChainingOf finds the chains of a graph.
func ChainingOf(g *streamgraph.Graph) *Chaining {
	n := idLimit(g)
	c := &Chaining{graph: g, heads: make([]*streamgraph.Node, n), joined: make([]bool, n), fused: make([]bool, n)}
	for _, n := range g.Nodes {
		c.head(n)
	}
	for _, n := range g.Nodes {
		c.fused[n.ID] = c.fusible(n)
	}
	return c
}

// idLimit is above all ids of nodes.
func idLimit(g *streamgraph.Graph) int {
	if len(g.Nodes) == 0 {
		return 0
	}
	return g.Nodes[len(g.Nodes)-1].ID + 1
}

// Chained says that the edge is a call inside of a task.
func (c *Chaining) Chained(e *streamgraph.Edge) bool {
	return c.joined[e.Target.ID] || c.fused[e.Source.ID]
}

// Unchained says why an edge is not chained: every condition that it fails, in Flink's order. It is empty for a chained edge.
func (c *Chaining) Unchained(e *streamgraph.Edge) []Reason {
	if c.Chained(e) {
		return nil
	}
	var reasons []Reason
	for _, cond := range conditions {
		if cond.fails(c, e) {
			reasons = append(reasons, cond.reason)
		}
	}
	switch {
	case len(e.Target.In) == 1:
	case e.Target.Chaining != program.ChainHeadWithSources || !e.Source.NewSource:
		reasons = append(reasons, SeveralInputs)
	case len(e.Source.Out) > 1:
		reasons = append(reasons, SharedSource)
	}
	return reasons
}

// A Reason is a condition for chaining that an edge does not meet.
type Reason string

// The reasons. All but the last two hold for both ways to be chained; SeveralInputs and SharedSource say why an edge that meets
// these is neither joined nor fused.
const (
	ChainingOff           Reason = "chaining is switched off"
	OtherSlotSharingGroup Reason = "the slot sharing groups differ"
	YieldsToLegacySource  Reason = "a yielding operator cannot run in the chain of a legacy source"
	ProducerNeverChains   Reason = "the producer refuses to be chained"
	ConsumerStartsChain   Reason = "the consumer starts a chain"
	OtherParallelism      Reason = "the parallelisms differ"
	OtherMaxParallelism   Reason = "the max parallelisms differ"
	NotForward            Reason = "the records are partitioned"
	BatchExchange         Reason = "the consumer starts when the producer has finished"
	UnionOfInputs         Reason = "the input is a union"
	SeveralInputs         Reason = "the consumer has several inputs"
	SharedSource          Reason = "the source has other consumers"
)

// A condition is one thing that an edge has to meet to be chained.
type condition struct {
	reason Reason
	fails  func(*Chaining, *streamgraph.Edge) bool
}

// The conditions that hold for both ways to be chained.
var conditions = [...]condition{
	{ChainingOff, func(c *Chaining, _ *streamgraph.Edge) bool {
		return !c.graph.Chaining
	}},
	{OtherSlotSharingGroup, func(_ *Chaining, e *streamgraph.Edge) bool {
		return e.Source.SlotSharingGroup != e.Target.SlotSharingGroup
	}},
	{YieldsToLegacySource, func(c *Chaining, e *streamgraph.Edge) bool {
		return e.Target.Yielding && c.heads[e.Source.ID].LegacySource
	}},
	{ProducerNeverChains, func(_ *Chaining, e *streamgraph.Edge) bool {
		return e.Source.Chaining == program.ChainNever
	}},
	{ConsumerStartsChain, func(_ *Chaining, e *streamgraph.Edge) bool {
		return !(e.Target.Chaining == program.ChainAlways || e.Target.Chaining == program.ChainHeadWithSources && e.Source.NewSource)
	}},
	{OtherParallelism, func(_ *Chaining, e *streamgraph.Edge) bool {
		return e.Source.Parallelism != e.Target.Parallelism
	}},
	{OtherMaxParallelism, func(c *Chaining, e *streamgraph.Edge) bool {
		return !c.graph.ChainDifferentMaxParallelism && e.Source.MaxParallelism != e.Target.MaxParallelism
	}},
	{NotForward, func(_ *Chaining, e *streamgraph.Edge) bool {
		return e.Partitioner.Strategy != program.Forward
	}},
	{BatchExchange, func(_ *Chaining, e *streamgraph.Edge) bool {
		return e.Exchange == program.ExchangeBatch
	}},
	{UnionOfInputs, func(_ *Chaining, e *streamgraph.Edge) bool {
		for _, other := range e.Target.In {
			if other != e && other.TypeNumber == e.TypeNumber {
				return true
			}
		}
		return false
	}},
}

// meets says that no condition fails.
func (c *Chaining) meets(e *streamgraph.Edge) bool {
	for i := range conditions {
		if conditions[i].fails(c, e) {
			return false
		}
	}
	return true
}

// head is the first operator of n's chain. On the way it finds out which operators are joined to their input, from the sources
// down, because a condition asks for the head of the operator before.
func (c *Chaining) head(n *streamgraph.Node) *streamgraph.Node {
	if h := c.heads[n.ID]; h != nil {
		return h
	}
	h := n
	if len(n.In) == 1 {
		before := c.head(n.In[0].Source)
		if c.meets(n.In[0]) {
			c.joined[n.ID] = true
			h = before
		}
	}
	c.heads[n.ID] = h
	return h
}

// fusible says that n is a source which can run in front of its only reader.
func (c *Chaining) fusible(n *streamgraph.Node) bool {
	return n.NewSource && len(n.Out) == 1 && n.Out[0].Target.Chaining == program.ChainHeadWithSources && c.meets(n.Out[0])
}
