package streamgraph

import "github.com/flott-dev/flott/internal/graph/program"

// partition makes a virtual node for each outlet of its input.
func (b *builder) partition(t *program.Transformation, in []outlet) []outlet {
	exchange := t.Partition.Exchange
	if exchange == program.ExchangeBatch && !b.batch {
		exchange = program.ExchangeUndefined
	}
	out := make([]outlet, len(in))
	for i, o := range in {
		out[i] = outlet{id: b.program.NextID(), node: o.node, tag: o.tag, partition: t, exchange: o.exchange}
		if o.exchange == "" {
			out[i].exchange = exchange
		}
		b.graph.VirtualPartitions = append(b.graph.VirtualPartitions,
			VirtualPartition{ID: out[i].id, Original: o.id, Strategy: t.Partition.Strategy, Exchange: exchange})
	}
	return out
}

// sideOutput makes a virtual node for each outlet of its input.
func (b *builder) sideOutput(t *program.Transformation, in []outlet) []outlet {
	out := make([]outlet, len(in))
	for i, o := range in {
		out[i] = b.tagged(o, &t.Tag)
	}
	return out
}

func (b *builder) tagged(o outlet, tag *program.Tag) outlet {
	side := o
	side.id = b.program.NextID()
	side.tag = tag
	b.graph.VirtualSides = append(b.graph.VirtualSides, VirtualSide{ID: side.id, Original: o.id, Tag: tag})
	return side
}
