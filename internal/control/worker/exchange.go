package worker

import (
	"github.com/flott-dev/flott/internal/control/rpc"
	"github.com/flott-dev/flott/internal/data/shuffle"
	"github.com/flott-dev/flott/internal/decide/schedule"
	"github.com/flott-dev/flott/internal/graph/execgraph"
)

// An exchange is the tasks with which those of a deployment exchange records.
type exchange struct {
	*Worker
	placement rpc.Placement
	expected  map[producers]bool
}

// producers are subtasks of a vertex.
type producers struct {
	vertex   int
	subtasks execgraph.Range
}

func newExchange(w *Worker, p rpc.Placement) *exchange {
	return &exchange{w, p, map[producers]bool{}}
}

// place says where a subtask runs.
func (x *exchange) place(vertex, subtask int) shuffle.Place {
	at := shuffle.Place{Attempt: int(x.placement.Attempt[vertex][subtask])}
	if w := x.placement.Workers[x.placement.Of[vertex][subtask]]; w.ID != x.options.ID {
		at.Link = x.options.Endpoint.To(string(w.ID), w.Data)
	}
	return at
}

// expect asks for the links over which an attempt will receive. Those over which it sends it asks for itself, and its peers do the
// same: a connection is made when both ends have asked.
func (x *exchange) expect(a schedule.Attempt) {
	if len(x.placement.Workers) == 1 {
		return
	}
	v := &x.graph.Vertices[a.Vertex]
	for k := range v.Inputs {
		from := producers{v.Job.Inputs[k].Producer, v.Inputs[k].ReadBy(a.Index)}
		if x.expected[from] {
			continue
		}
		x.expected[from] = true
		for i := from.subtasks.First; i < from.subtasks.End; i++ {
			x.place(from.vertex, i)
		}
	}
}
