package execgraph

import (
	"github.com/flott-dev/flott/internal/graph/jobgraph"
	"github.com/flott-dev/flott/internal/graph/program"
)

// checkCoLocation: tasks that are to share a slot must start and restart together, so equal subtasks of a co-location group have to
// be in one pipelined region.
func (g *Graph) checkCoLocation(r *program.Rejections) {
	if len(g.Job.CoLocationGroups) == 0 {
		return
	}
	region := map[Subtask]int{}
	for i, subtasks := range g.Regions() {
		for _, s := range subtasks {
			region[s] = i
		}
	}
	for _, group := range g.Job.CoLocationGroups {
		g.checkGroup(group, region, r)
	}
}

// checkGroup compares every subtask with that of the first vertex which has one of this number.
func (g *Graph) checkGroup(group jobgraph.CoLocationGroup, region map[Subtask]int, r *program.Rejections) {
	var first []int // vertices, by subtask
	for _, v := range group.Vertices {
		for i := range g.Vertices[v].Parallelism {
			if i == len(first) {
				first = append(first, v)
			}
			if u := first[i]; region[Subtask{u, i}] != region[Subtask{v, i}] {
				r.Add(nil, "vertices %q and %q: their co-location key is %q, but subtasks %d are not in one pipelined region",
					g.Vertices[u].Job.Name, g.Vertices[v].Job.Name, group.Key, i)
				break
			}
		}
	}
}
