package text

import (
	"github.com/flott-dev/flott/internal/graph/execgraph"
)

// Execution is the ExecutionGraph: a vertex a paragraph, with its subtasks, their key groups and slots, and who reads whom. Subtasks
// that read the same partitions share a line.
func Execution(g *execgraph.Graph) string {
	p := &page{}
	slots := g.Slots()
	p.line(0, "ExecutionGraph %q: %s, %s, %s", g.Job.Name, count(g.Subtasks(), "subtask", "subtasks"),
		count(len(slots), "slot", "slots"), count(len(g.Regions()), "region", "regions"))
	of := slotOf(slots)
	for i := range g.Vertices {
		v := &g.Vertices[i]
		p.line(0, "")
		p.line(0, "%s %s %s  max parallelism %d", short(v.Job.ID), v.Job.Name, times(v.Parallelism), v.MaxParallelism)
		for k := range v.Inputs {
			p.wiring(g, v, k)
		}
		for s := range v.Executions {
			r := v.KeyGroups(s)
			p.line(1, "%s  slot %d, key groups %d-%d", subtask(s, v.Parallelism), of[execgraph.Subtask{Vertex: i, Index: s}]+1, r.First, r.Last)
		}
	}
	return p.String()
}

// wiring is the k-th input of v, a line per group of consumers.
func (p *page) wiring(g *execgraph.Graph, v *execgraph.Vertex, k int) {
	in, w := v.Job.Inputs[k], v.Inputs[k]
	from := g.Vertices[in.Producer].Job
	p.line(1, "<- %s %s %s %s", short(from.ID), from.Name, in.Partitioner, in.Pattern())
	for i := range w.Groups() {
		group := w.Group(i)
		p.line(2, "%s <- %s", span(group.Consumers.First, group.Consumers.End, w.Consumers), span(group.Partitions.First, group.Partitions.End, w.Producers))
	}
}

// slotOf is the index of each subtask's slot.
func slotOf(slots []execgraph.Slot) map[execgraph.Subtask]int {
	of := map[execgraph.Subtask]int{}
	for i := range slots {
		for _, t := range slots[i].Subtasks {
			of[t] = i
		}
	}
	return of
}
