package jobgraph

import (
	"fmt"

	"github.com/flott-dev/flott/internal/graph/streamgraph"
	"github.com/flott-dev/flott/internal/id"
)

// A Binding finds what a job graph cannot carry: the operators and the typed edges of the program that it was made from. It
// stands beside the job graph, in each process that runs tasks of the job.
type Binding struct {
	operators map[id.Operator]bound
}

// A bound operator stays as it was when it was bound: its transformation may get another one, for the program's next job.
type bound struct {
	node     *streamgraph.Node
	operator any
}

// Bind connects a job graph with the stream graph of the same program, perhaps compiled in another process.
func Bind(g *streamgraph.Graph, job *Graph) (*Binding, error) {
	byID := make(map[int]*streamgraph.Node, len(g.Nodes))
	for _, n := range g.Nodes {
		byID[n.ID] = n
	}
	b := &Binding{operators: make(map[id.Operator]bound, len(g.Nodes))}
	for i := range job.Vertices {
		for j := range job.Vertices[i].Chain {
			o := &job.Vertices[i].Chain[j]
			n := byID[o.Node]
			if n == nil || n.Name != o.Name {
				return nil, fmt.Errorf("flott: job %q: the program has no operator %q with id %d", job.Name, o.Name, o.Node)
			}
			b.operators[o.ID] = bound{n, n.Transformation.Operator}
		}
	}
	return b, nil
}

// Operator is what the typed layer made to run the operator; nil: nothing.
func (b *Binding) Operator(o id.Operator) any { return b.operators[o].operator }

// Edge is the index-th in-edge of one input of an operator, both counted from 0; nil: none.
func (b *Binding) Edge(consumer id.Operator, input, index int) *streamgraph.Edge {
	n := b.operators[consumer].node
	if n == nil {
		return nil
	}
	for _, e := range n.In {
		if InputNumber(e.TypeNumber) != input {
			continue
		}
		if index == 0 {
			return e
		}
		index--
	}
	return nil
}
