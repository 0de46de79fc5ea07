package jobgraph

import (
	"github.com/flott-dev/flott/internal/graph/program"
	"github.com/flott-dev/flott/internal/graph/streamgraph"
	"github.com/flott-dev/flott/internal/id"
)

// A dataSet is a DataSet while it is being made. Its first edge decides what it is.
type dataSet struct {
	id              id.DataSet
	result          ResultType
	edge            *streamgraph.Edge
	to              *chain // the first consumer
	bufferTimeoutMs int64
	kept            string // id of the cached data set that it is; "": gone after the job
	consumers       []consumer
}

// A consumer is an input of a chain.
type consumer struct {
	chain *chain
	input int
}

// connect turns the edges that leave chains into data sets and inputs, in the order in which the chains were made.
func (cs *chains) connect(ids []id.Operator, r *program.Rejections) {
	for _, c := range cs.made {
		for _, e := range c.edges {
			d := cs.dataSetOf(e, ids[c.start.ID])
			if d.result.Blocking() && d.bufferTimeoutMs != program.Unset {
				r.Add(e.Source.Transformation, "buffer timeout %d ms on the edge to operator %q, whose records wait for the end of the producer (%s)",
					d.bufferTimeoutMs, e.Target.Name, d.result)
			}
			to, k := d.to, c.produce(d)
			c.produces[k].consumers = append(c.produces[k].consumers, consumer{to, len(to.inputs)})
			to.inputs = append(to.inputs, link{edge: e, producer: c, dataSet: k})
		}
	}
}

// dataSetOf is what an edge needs, were it alone.
func (cs *chains) dataSetOf(e *streamgraph.Edge, vertex id.Vertex) *dataSet {
	d := &dataSet{id: id.DataSetOf(vertex, e.ID), edge: e, to: cs.entries[e.Target.ID], bufferTimeoutMs: e.BufferTimeoutMs}
	switch {
	case e.Exchange == program.ExchangePipelined:
		d.result = PipelinedBounded
	case e.Exchange == program.ExchangeBatch:
		d.result = Blocking
	case cs.silent[e.Source.ID]:
		d.result, d.bufferTimeoutMs = Blocking, program.Unset
	default:
		d.result = resultOf[cs.graph.Exchanges]
	}
	switch {
	case d.result == Blocking && e.DataSetToKeep != "":
		d.result, d.kept, d.id = BlockingPersistent, e.DataSetToKeep, cachedID(e.DataSetToKeep)
	case d.result == HybridSelective && strategy(e) == program.Broadcast:
		d.result = HybridFull
	}
	return d
}

// resultOf says what edges become that name no exchange themselves.
var resultOf = map[streamgraph.GlobalExchange]ResultType{
	streamgraph.AllPipelined:            PipelinedBounded,
	streamgraph.AllPipelinedApproximate: PipelinedApproximate,
	streamgraph.AllBlocking:             Blocking,
	streamgraph.AllHybridFull:           HybridFull,
	streamgraph.AllHybridSelective:      HybridSelective,
}

// produce adds a data set, or finds an earlier one that can serve in its place. It returns its index.
func (c *chain) produce(d *dataSet) int {
	k := c.reusable(d)
	if k < 0 {
		c.produces = append(c.produces, d)
		return len(c.produces) - 1
	}
	if o := c.produces[k]; o.result == HybridSelective {
		o.result = HybridFull // which can be read twice
	}
	return k
}

// tag is the name of the side output that an edge carries; "": the main output.
func tag(e *streamgraph.Edge) string {
	if e.Tag == nil {
		return ""
	}
	return e.Tag.Name
}
