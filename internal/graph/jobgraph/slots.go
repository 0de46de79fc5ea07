package jobgraph

import (
	"github.com/flott-dev/flott/internal/graph/program"
	"github.com/flott-dev/flott/internal/graph/streamgraph"
)

// defaultGroup is the slot sharing group of operators that are in no other.
const defaultGroup = "default"

// shareSlots makes a group for each name, in topological order. In a batch job, where the pipelined regions run one after the
// other, each region has its own default group.
func (g *Graph) shareSlots(o order, from *streamgraph.Graph, r *program.Rejections) {
	groups := map[slotKey]int{}
	regions := g.RegionOf()
	hybrid := g.hybrid()
	for i, c := range o {
		k := slotKey{name: c.start.SlotSharingGroup}
		if k.name == defaultGroup && !from.OneSlotSharingGroup {
			k.region = 1 + regions[i]
		}
		if k.name != defaultGroup && hybrid {
			r.Add(c.start.Transformation, "slot sharing group %q: a job with hybrid exchanges can only have the default one", k.name)
		}
		n, ok := groups[k]
		if !ok {
			n = len(g.SlotSharingGroups)
			groups[k] = n
			g.SlotSharingGroups = append(g.SlotSharingGroups, SlotSharingGroup{Name: k.name, Resources: resources(from, k.name)})
		}
		g.SlotSharingGroups[n].Vertices = append(g.SlotSharingGroups[n].Vertices, i)
		g.Vertices[i].SlotSharingGroup = n
	}
}

// A slotKey tells slot sharing groups apart.
type slotKey struct {
	name   string
	region int // of the default group, if regions have their own: 1 + index; else 0
}

func resources(g *streamgraph.Graph, group string) *program.Resources {
	if r, ok := g.Resources[group]; ok {
		return &r
	}
	return nil
}

// hybrid says that some data set may be read before it is complete, or after.
func (g *Graph) hybrid() bool {
	for i := range g.Vertices {
		for k := range g.Vertices[i].Produces {
			if g.Vertices[i].Produces[k].Result.Hybrid() {
				return true
			}
		}
	}
	return false
}

// Slots is how many slots are enough to run all vertices at once: those of the largest vertex of each slot sharing group.
func (g *Graph) Slots() int {
	n := 0
	for i := range g.SlotSharingGroups {
		n += max(1, g.SlotSharingGroups[i].MaxVertexParallelism(g))
	}
	return n
}

// MaxVertexParallelism is the parallelism of the group's largest vertex; 0: not known for any.
func (s *SlotSharingGroup) MaxVertexParallelism(g *Graph) int {
	p := 0
	for _, v := range s.Vertices {
		p = max(p, g.Vertices[v].Parallelism)
	}
	return p
}

// MaximumParallelism is the parallelism of the largest vertex; -1: not known for any.
func (g *Graph) MaximumParallelism() int {
	p := -1
	for i := range g.Vertices {
		p = max(p, g.Vertices[i].Parallelism)
	}
	return p
}
