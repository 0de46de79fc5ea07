package streamgraph

import (
	"strconv"

	"github.com/flott-dev/flott/internal/graph/program"
)

// connect makes an edge for each outlet: a union gives several to one input.
func (b *builder) connect(from []outlet, to *Node, typeNumber int) {
	for _, o := range from {
		b.connectOne(o, to, typeNumber)
	}
}

func (b *builder) connectOne(o outlet, to *Node, typeNumber int) *Edge {
	e := &Edge{
		Source:          o.node,
		Target:          to,
		TypeNumber:      typeNumber,
		Unique:          edgesBetween(o.node, to),
		Partitioner:     b.partitioner(o, to),
		Exchange:        program.ExchangeUndefined,
		Tag:             o.tag,
		Type:            o.elementType(),
		BufferTimeoutMs: o.node.BufferTimeoutMs,
	}
	if o.exchange != "" {
		e.Exchange = o.exchange
	}
	e.ID = edgeID(e)
	e.Unaligned = e.Partitioner.supportsUnaligned() && !(o.partition != nil && o.partition.Partition.Aligned)
	e.Correlate()
	e.Source.Out = append(e.Source.Out, e)
	e.Target.In = append(e.Target.In, e)
	return e
}

func (o outlet) elementType() program.Type {
	if o.tag != nil {
		return o.tag.Type
	}
	return o.node.Transformation.OutputType
}

// partitioner is the one that stands between the two nodes, else whatever moves records least.
func (b *builder) partitioner(o outlet, to *Node) Partitioner {
	same := o.node.Parallelism == to.Parallelism
	switch {
	case o.partition != nil:
		p := o.partition.Partition
		if p.Strategy == program.Forward && !same {
			b.rejectForward(o.node, to)
		}
		return Partitioner{Strategy: p.Strategy, Object: identity(p), Typed: p.Typed}
	case same:
		return Partitioner{Strategy: program.Forward, Unspecified: b.graph.Dynamic}
	}
	return Partitioner{Strategy: program.Rebalance}
}

func identity(p *program.Partition) any {
	if p.Strategy == program.Hash || p.Strategy == program.Custom {
		return p.Identity
	}
	return nil
}

func (b *builder) rejectForward(from, to *Node) {
	b.reject(to.Transformation, "a forward edge needs equal parallelism on both sides, but %q has %d and %q has %d",
		from.Name, from.Parallelism, to.Name, to.Parallelism)
}

// edgesBetween counts at the end that has fewer edges, since the other may have thousands.
func edgesBetween(from, to *Node) int {
	edges := from.Out
	if len(to.In) < len(edges) {
		edges = to.In
	}
	n := 0
	for _, e := range edges {
		if e.Source == from && e.Target == to {
			n++
		}
	}
	return n
}

// edgeID is Flink's: data set ids are made from it.
func edgeID(e *Edge) string {
	return e.Source.Name + "-" + strconv.Itoa(e.Source.ID) +
		"_" + e.Target.Name + "-" + strconv.Itoa(e.Target.ID) +
		"_" + strconv.Itoa(e.TypeNumber) +
		"_" + string(e.Partitioner.Strategy) +
		"_" + strconv.Itoa(e.Unique)
}

// Correlate sets what the partitioner says about the keys of the edge's records; call it again when the partitioner changes.
func (e *Edge) Correlate() {
	p := e.Partitioner
	if p.Strategy.Pointwise() {
		e.InterInputsKeysCorrelated = false
		e.IntraInputKeyCorrelated = p.Strategy == program.Forward && !p.Unspecified
		return
	}
	e.InterInputsKeysCorrelated = p.Strategy != program.Rebalance
	e.IntraInputKeyCorrelated = e.InterInputsKeysCorrelated
}

// supportsUnaligned says that records in flight can be stored with a checkpoint and dealt out anew when the job restarts with
// another parallelism.
func (p Partitioner) supportsUnaligned() bool {
	return !p.Strategy.Pointwise() && p.Strategy != program.Broadcast && p.Strategy != program.Custom
}

// alignInputs: one input that cannot be unaligned keeps the others of its node from it.
func (b *builder) alignInputs() {
	for _, n := range b.graph.Nodes {
		unaligned := true
		for _, e := range n.In {
			unaligned = unaligned && e.Unaligned
		}
		for _, e := range n.In {
			e.Unaligned = unaligned
		}
	}
}
