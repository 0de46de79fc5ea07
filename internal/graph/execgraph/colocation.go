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

func (g *Graph) checkGroup(group jobgraph.CoLocationGroup, region map[Subtask]int, r *program.Rejections) {
	var first []Subtask // the first one with each index
	for _, v := range group.Vertices {
		for i := range g.Vertices[v].Parallelism {
			s := Subtask{v, i}
			if i == len(first) {
				first = append(first, s)
			}
			if region[s] != region[first[i]] {
				r.Add(nil, "vertices %q and %q: their co-location key is %q, but subtasks %d are not in one pipelined region",
					g.Vertices[first[i].Vertex].Job.Name, g.Vertices[v].Job.Name, group.Key, i)
				break
			}
		}
	}
}
