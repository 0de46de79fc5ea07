package execgraph

import "github.com/flott-dev/flott/internal/graph/jobgraph"

// Regions is the pipelined regions: subtasks that have to run at the same time, because records flow between them while they are
// produced. A failure restarts regions as a whole. Regions, and the subtasks in each, are in the order of vertices and subtasks.
//
// They are looked for inside each logical region of the job graph. One that has an ALL_TO_ALL edge, of whatever result type, is
// one region. In the others subtasks are joined along the edges that must be pipelined; then, where other edges make regions wait
// for each other in a circle, these become one. Circles through another logical region do not count.
func (g *Graph) Regions() [][]Subtask {
	r := regions{g: g, first: make([]int, len(g.Vertices)), logical: g.Job.RegionOf(), whole: map[int]bool{}}
	n := 0
	for i := range g.Vertices {
		r.first[i] = n
		n += g.Vertices[i].Parallelism
	}
	r.sets = jobgraph.NewSets(n)
	r.joinWhole()
	r.joinPipelined()
	r.joinCircles()
	return r.named()
}

// regions is the search for regions. Subtasks are numbered through, vertex by vertex.
type regions struct {
	g       *Graph
	first   []int          // number of each vertex's first subtask
	logical []int          // logical region of each vertex
	whole   map[int]bool   // logical regions that are one region
	sets    *jobgraph.Sets // regions so far
}

// An edge is an input of a vertex, from the same logical region.
type edge struct {
	producer, consumer int
	wiring             Wiring
	result             jobgraph.ResultType
}

// edges goes through the edges inside of logical regions.
func (r *regions) edges(yield func(edge) bool) {
	for i := range r.g.Vertices {
		v := &r.g.Vertices[i]
		for k, in := range v.Job.Inputs {
			result := r.g.Job.Vertices[in.Producer].Produces[in.DataSet].Result
			if r.logical[in.Producer] == r.logical[i] && !yield(edge{in.Producer, i, v.Inputs[k], result}) {
				return
			}
		}
	}
}

func (r *regions) joinWhole() {
	for e := range r.edges {
		if e.wiring.Pattern == jobgraph.AllToAll {
			r.whole[r.logical[e.consumer]] = true
		}
	}
	first := map[int]int{} // subtask of each of these
	for i, v := range r.g.Vertices {
		l := r.logical[i]
		if !r.whole[l] {
			continue
		}
		if _, ok := first[l]; !ok {
			first[l] = r.first[i]
		}
		for k := range v.Parallelism {
			r.sets.Join(r.first[i]+k, first[l])
		}
	}
}

func (r *regions) joinPipelined() {
	for e := range r.edges {
		if e.result.MustBePipelined() && !r.whole[r.logical[e.consumer]] {
			r.pairs(e, r.sets.Join)
		}
	}
}

// joinCircles makes one region of those that wait for each other.
func (r *regions) joinCircles() {
	after := map[int][]int{} // the regions that wait for each region, by root
	for e := range r.edges {
		if e.result.MustBePipelined() || r.whole[r.logical[e.consumer]] {
			continue
		}
		r.pairs(e, func(producer, consumer int) {
			if from, to := r.sets.Root(producer), r.sets.Root(consumer); from != to {
				after[from] = append(after[from], to)
			}
		})
	}
	for _, circle := range circles(after) {
		for _, region := range circle {
			r.sets.Join(region, circle[0])
		}
	}
}

// pairs goes through the connected subtasks of a POINTWISE edge, which are few: each group has one producer or one consumer.
func (r *regions) pairs(e edge, do func(producer, consumer int)) {
	for k := range e.wiring.Groups() {
		group := e.wiring.Group(k)
		for q := group.Partitions.First; q < group.Partitions.End; q++ {
			for i := group.Consumers.First; i < group.Consumers.End; i++ {
				do(r.first[e.producer]+q, r.first[e.consumer]+i)
			}
		}
	}
}

// named is the regions with their subtasks by name.
func (r *regions) named() [][]Subtask {
	names := make([]Subtask, 0, r.g.Subtasks())
	for i := range r.g.Vertices {
		for k := range r.g.Vertices[i].Parallelism {
			names = append(names, Subtask{i, k})
		}
	}
	all := make([][]Subtask, 0)
	for _, set := range r.sets.All() {
		region := make([]Subtask, len(set))
		for i, k := range set {
			region[i] = names[k]
		}
		all = append(all, region)
	}
	return all
}
