package jobgraph

import (
	"slices"

	"github.com/flott-dev/flott/internal/graph/streamgraph"
)

// A chain is a vertex while it is being made: the operators that run in one task.
type chain struct {
	start   *streamgraph.Node
	sources []*streamgraph.Node // fused in front of start, by ascending id
	nodes   []*streamgraph.Node // the others: successors first, start last
	edges   []*streamgraph.Edge // that leave the chain, successors' first
	made    bool

	parallelism, maxParallelism int
	configured                  bool // some operator's parallelism is

	inputs   []link
	produces []*dataSet

	index   int // in chains.made, then in topological order
	waiting int // inputs whose producers have no place in that order yet
}

// A link is an edge between two chains, with the data set that carries it.
type link struct {
	edge     *streamgraph.Edge
	producer *chain
	dataSet  int // index in the producer's produces
}

// chains finds all chains of a graph. Each starts at an entry: a source, what fused sources read into, or the end of an edge
// that is not chained. Chains are made depth first, so that consumers come before their producers.
type chains struct {
	*Chaining
	made    []*chain // in order
	entries []*chain // by node id of the start
	depth   []int    // distance of an operator from its chain's start plus 1, by node id; 0 for fused sources
	silent  []bool   // operators that emit nothing before their input has ended, by node id
	place   []int    // of an operator in its vertex's Chain, by node id; known as soon as the vertex is made
}

func chainsOf(c *Chaining) *chains {
	n := idLimit(c.graph)
	cs := &chains{Chaining: c, entries: make([]*chain, n), depth: make([]int, n), silent: make([]bool, n), place: make([]int, n)}
	for _, n := range c.graph.Nodes {
		cs.silent[n.ID] = n.EndOutputOnly
		switch {
		case c.fused[n.ID]:
			entry := cs.entry(n.Out[0].Target)
			entry.sources = append(entry.sources, n)
		case n.Source:
			cs.entry(n)
		}
	}
	for _, entry := range slices.Clone(cs.entries) { // more come with the edges behind them
		if entry != nil {
			cs.complete(entry)
		}
	}
	return cs
}

// entry is the chain that starts at n.
func (cs *chains) entry(n *streamgraph.Node) *chain {
	if cs.entries[n.ID] == nil {
		cs.entries[n.ID] = &chain{start: n}
	}
	return cs.entries[n.ID]
}

// complete makes a chain and all chains behind it.
func (cs *chains) complete(c *chain) {
	if c.made {
		return
	}
	cs.grow(c, c.start, 1)
	c.made = true
	cs.made = append(cs.made, c)
	c.parallelism, c.maxParallelism = c.start.Parallelism, c.start.MaxParallelism
	for n := range c.operators {
		c.configured = c.configured || n.ParallelismConfigured
	}
}

// grow adds n and what is joined to it to the chain, and makes the chains that n feeds.
//
// Silence spreads along a chain in Flink's peculiar way: from an operator that was silent on entry to its successors, and from
// any silent successor back to it, but not from there on to the other successors.
func (cs *chains) grow(c *chain, n *streamgraph.Node, depth int) {
	cs.depth[n.ID] = depth
	silent := cs.silent[n.ID]
	for _, e := range n.Out {
		if next := e.Target.ID; cs.joined[next] {
			cs.silent[next] = cs.silent[next] || silent
			cs.grow(c, e.Target, depth+1)
			cs.silent[n.ID] = cs.silent[n.ID] || cs.silent[next]
		}
	}
	for _, e := range n.Out {
		if !cs.joined[e.Target.ID] {
			c.edges = append(c.edges, e)
			cs.complete(cs.entry(e.Target))
		}
	}
	c.nodes = append(c.nodes, n)
}

// operators goes through all operators of the chain.
func (c *chain) operators(yield func(*streamgraph.Node) bool) {
	for _, n := range c.sources {
		if !yield(n) {
			return
		}
	}
	for _, n := range c.nodes {
		if !yield(n) {
			return
		}
	}
}
