package jobgraph

import (
	"github.com/flott-dev/flott/internal/graph/program"
	"github.com/flott-dev/flott/internal/graph/streamgraph"
	"github.com/flott-dev/flott/internal/id"
)

// OperatorIDs gives each operator its id, Flink's to the bit, so that state of a Flink job would find its operator: the hash of the
// uid, where the user chose one, else a hash of the operator's place in the graph. The result is by node id. It is complete even
// if the error, of type program.Rejections, says that uids are not unique.
//
// The place is the number of operators that have an id already, the number of operators chained behind, and the ids of the
// inputs; operators are visited breadth first, each with its inputs done. A uid needs nothing of that, so that an operator with a
// uid shields what comes before it, though not the count.
func (c *Chaining) OperatorIDs() ([]id.Operator, error) {
	var r program.Rejections
	return c.operatorIDs(&r), r.Err()
}

func (c *Chaining) operatorIDs(r *program.Rejections) []id.Operator {
	h := hasher{
		Chaining: c,
		ids:      make([]id.Operator, idLimit(c.graph)),
		known:    make([]bool, idLimit(c.graph)),
		queued:   make([]bool, idLimit(c.graph)),
		used:     make(map[id.Operator]*streamgraph.Node, len(c.graph.Nodes)),
		r:        r,
	}
	for _, n := range c.graph.Nodes {
		if n.Source {
			h.enqueue(n)
		}
	}
	for i := 0; i < len(h.queue); i++ {
		h.visit(h.queue[i])
	}
	return h.ids
}

// A hasher is the ids as they are given out.
type hasher struct {
	*Chaining
	ids           []id.Operator // by node id
	known, queued []bool        // by node id
	used          map[id.Operator]*streamgraph.Node
	count         int // ids given
	queue         []*streamgraph.Node
	inputs        []id.Operator // of one operator, reused
	r             *program.Rejections
}

func (h *hasher) enqueue(n *streamgraph.Node) {
	if !h.queued[n.ID] {
		h.queued[n.ID] = true
		h.queue = append(h.queue, n)
	}
}

// visit gives n its id and goes on to its consumers, or drops it until its last input is done.
func (h *hasher) visit(n *streamgraph.Node) {
	if !n.HasUID && !h.ready(n) {
		h.queued[n.ID] = false
		return
	}
	h.ids[n.ID] = h.idOf(n)
	h.known[n.ID] = true
	h.count++
	h.claim(n)
	for _, e := range n.Out {
		h.enqueue(e.Target)
	}
}

func (h *hasher) ready(n *streamgraph.Node) bool {
	for _, e := range n.In {
		if !h.known[e.Source.ID] {
			return false
		}
	}
	return true
}

func (h *hasher) idOf(n *streamgraph.Node) id.Operator {
	if n.HasUID {
		return id.OperatorWithUID(n.UID)
	}
	chained := 0
	for _, e := range n.Out {
		if h.joined[e.Target.ID] {
			chained++
		}
	}
	h.inputs = h.inputs[:0]
	for _, e := range n.In {
		h.inputs = append(h.inputs, h.ids[e.Source.ID])
	}
	return id.OperatorAt(h.count, chained, h.inputs)
}

// claim makes sure that no two operators have one id.
func (h *hasher) claim(n *streamgraph.Node) {
	o := h.ids[n.ID]
	if first := h.used[o]; first != nil {
		h.r.Add(n.Transformation, "uid %q is taken by operator %q; uids must be unique", n.UID, first.Name)
		return
	}
	h.used[o] = n
}
