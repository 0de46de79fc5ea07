package failover

import (
	"github.com/flott-dev/flott/internal/graph/execgraph"
	"github.com/flott-dev/flott/internal/graph/jobgraph"
)

// Regions are the tasks that start again together: the pipelined regions of the graph, and those between which there are other edges.
// As what a task produces is nowhere kept, one that starts again needs its producers to do so, and its consumers would see it twice.
type Regions struct {
	first   []int // number of each vertex's first subtask
	of      []int // by number of the subtask
	members [][]execgraph.Subtask
}

// RegionsOf is the regions of a graph.
func RegionsOf(g *execgraph.Graph) *Regions {
	r := &Regions{first: make([]int, len(g.Vertices)), of: make([]int, g.Subtasks())}
	for v := 1; v < len(g.Vertices); v++ {
		r.first[v] = r.first[v-1] + g.Vertices[v-1].Parallelism
	}
	pipelined := g.Regions()
	for i, region := range pipelined {
		for _, s := range region {
			r.of[r.number(s)] = i
		}
	}
	for i, set := range r.joined(g, len(pipelined)).All() {
		var members []execgraph.Subtask
		for _, p := range set {
			members = append(members, pipelined[p]...)
		}
		r.members = append(r.members, members)
		for _, s := range members {
			r.of[r.number(s)] = i
		}
	}
	return r
}

// joined is the pipelined regions, those in one set that have an edge between them.
func (r *Regions) joined(g *execgraph.Graph, regions int) *jobgraph.Sets {
	sets := jobgraph.NewSets(regions)
	for v := range g.Vertices {
		for k, w := range g.Vertices[v].Inputs {
			producer := g.Vertices[v].Job.Inputs[k].Producer
			for i := range w.Groups() {
				group := w.Group(i)
				one := r.of[r.first[v]+group.Consumers.First]
				for c := group.Consumers.First; c < group.Consumers.End; c++ {
					sets.Join(one, r.of[r.first[v]+c])
				}
				for p := group.Partitions.First; p < group.Partitions.End; p++ {
					sets.Join(one, r.of[r.first[producer]+p])
				}
			}
		}
	}
	return sets
}

func (r *Regions) number(s execgraph.Subtask) int { return r.first[s.Vertex] + s.Index }

// Of is the region of a subtask.
func (r *Regions) Of(s execgraph.Subtask) int { return r.of[r.number(s)] }

// Members is the subtasks of a region.
func (r *Regions) Members(region int) []execgraph.Subtask { return r.members[region] }
