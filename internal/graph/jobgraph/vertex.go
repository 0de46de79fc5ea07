package jobgraph

import (
	"cmp"
	"slices"
	"strings"

	"github.com/flott-dev/flott/internal/graph/streamgraph"
	"github.com/flott-dev/flott/internal/id"
)

// vertex is a chain as plain data.
func (cs *chains) vertex(c *chain, ids []id.Operator) Vertex {
	v := Vertex{
		ID:                    ids[c.start.ID],
		Task:                  c.start.Task,
		Parallelism:           c.parallelism,
		ParallelismConfigured: c.configured,
		MaxParallelism:        c.maxParallelism,
		ConcurrentAttempts:    true,
		Listed:                make([]int, len(c.nodes)),
		Inputs:                inputs(c),
		Produces:              make([]DataSet, len(c.produces)),
		CoLocationGroup:       -1,
	}
	nodes := cs.placed(c)
	v.Chain = make([]Operator, len(nodes))
	for i, n := range nodes {
		v.Chain[i] = cs.operator(n, ids[n.ID])
		v.ConcurrentAttempts = v.ConcurrentAttempts && n.ConcurrentAttempts
		if n.NewSource {
			v.Coordinators++
		}
	}
	for i, n := range c.nodes {
		v.Listed[i] = cs.place[n.ID]
	}
	for k, d := range c.produces {
		from := cs.place[d.edge.Source.ID]
		v.Produces[k] = d.plain(from)
		v.Chain[from].Outputs = append(v.Chain[from].Outputs, k)
	}
	return v
}

// placed is the operators of a chain by chain index, then node. It notes the place of each.
func (cs *chains) placed(c *chain) []*streamgraph.Node {
	nodes := slices.Collect(c.operators)
	slices.SortFunc(nodes, func(a, b *streamgraph.Node) int {
		return cmp.Or(cmp.Compare(cs.depth[a.ID], cs.depth[b.ID]), cmp.Compare(a.ID, b.ID))
	})
	for i, n := range nodes {
		cs.place[n.ID] = i
	}
	return nodes
}

// operator is a node as plain data, less its outputs to other chains.
func (cs *chains) operator(n *streamgraph.Node, id id.Operator) Operator {
	o := Operator{
		ID:          id,
		UserHash:    strings.ToLower(n.UserHash),
		UID:         n.UID,
		HasUID:      n.HasUID,
		Node:        n.ID,
		Name:        n.Name,
		Description: n.Description,
		ChainIndex:  cs.depth[n.ID],
		Inputs:      cs.operatorInputs(n),
		Coordinated: n.NewSource,
		Cached:      cachedID(n.ConsumeClusterData),
	}
	if o.ChainedSource() {
		return o
	}
	o.NoOutputUntilEnd = cs.silent[n.ID]
	for _, e := range n.Out {
		if cs.joined[e.Target.ID] {
			o.Chained = append(o.Chained, ChainedOutput{Edge: e.ID, Target: cs.place[e.Target.ID], Tag: tag(e)})
		}
	}
	return o
}

// operatorInputs is where the inputs of n come from. Gates are counted by first in-edges; several edges of a union share one.
func (cs *chains) operatorInputs(n *streamgraph.Node) []OperatorInput {
	in := make([]OperatorInput, inputCount(n))
	gates := 0
	for _, e := range n.In {
		switch i := InputNumber(e.TypeNumber); {
		case cs.fused[e.Source.ID]:
			in[i] = OperatorInput{Kind: ChainedInput, Source: cs.place[e.Source.ID], Edge: e.ID, Tag: tag(e)}
		case in[i].Kind == Unset:
			in[i] = OperatorInput{Kind: Network, Gate: gates, Requirement: requirement(n, i)}
			gates++
		}
	}
	if n.ConsumeClusterData != "" {
		in[0] = OperatorInput{Kind: Network, Requirement: streamgraph.PassThrough}
	}
	return in
}

// inputCount is how many inputs an operator has, whether or not somebody feeds them.
func inputCount(n *streamgraph.Node) int {
	switch {
	case n.Source && n.ConsumeClusterData == "":
		return 0
	case n.Task == streamgraph.OneInputTask:
		return 1
	case n.Task == streamgraph.TwoInputTask:
		return 2
	}
	most := 0
	for _, e := range n.In {
		most = max(most, e.TypeNumber)
	}
	return most
}

func requirement(n *streamgraph.Node, input int) streamgraph.Requirement {
	if r, ok := n.InputRequirements[input]; ok {
		return r
	}
	return streamgraph.PassThrough
}

func inputs(c *chain) []Input {
	in := make([]Input, len(c.inputs))
	index := indexes(c.start)
	for i, l := range c.inputs {
		in[i] = Input{
			Producer:                  l.producer.index,
			DataSet:                   l.dataSet,
			Edge:                      l.edge.ID,
			Partitioner:               strategy(l.edge),
			TypeNumber:                l.edge.TypeNumber,
			Index:                     index[l.edge],
			InterInputsKeysCorrelated: l.edge.InterInputsKeysCorrelated,
			IntraInputKeyCorrelated:   l.edge.IntraInputKeyCorrelated,
		}
	}
	return in
}

// indexes counts the in-edges of an operator, those of each type number for themselves.
func indexes(n *streamgraph.Node) map[*streamgraph.Edge]int {
	index := make(map[*streamgraph.Edge]int, len(n.In))
	next := make(map[int]int, 1)
	for _, e := range n.In {
		index[e] = next[e.TypeNumber]
		next[e.TypeNumber]++
	}
	return index
}

// plain is d as it ends up in the graph, made by the operator at a place of its chain.
func (d *dataSet) plain(operator int) DataSet {
	p := DataSet{
		ID:                     d.id,
		Result:                 d.result,
		Operator:               operator,
		Tag:                    tag(d.edge),
		Partitioner:            strategy(d.edge),
		BufferTimeoutMs:        d.bufferTimeoutMs,
		Unaligned:              d.edge.Unaligned,
		Consumers:              make([]Consumer, len(d.consumers)),
		ConsumerParallelism:    d.to.parallelism,
		ConsumerMaxParallelism: d.to.maxParallelism,
	}
	for i, to := range d.consumers {
		p.Consumers[i] = Consumer{Vertex: to.chain.index, Input: to.input}
	}
	return p
}
