package text

import (
	"strings"

	"github.com/flott-dev/flott/internal/graph/jobgraph"
)

// Job is the JobGraph: a vertex a paragraph, producers first, with its chain as a tree and the data sets that it reads.
func Job(g *jobgraph.Graph) string {
	p := &page{}
	p.line(0, "JobGraph %q: %s, %s", g.Name, strings.ToLower(string(g.Type)), count(len(g.Vertices), "vertex", "vertices"))
	for i := range g.Vertices {
		v := &g.Vertices[i]
		p.line(0, "")
		p.line(0, "%s %s %s%s", short(v.ID), v.Name, times(v.Parallelism), vertexSettings(g, v))
		for _, in := range v.Inputs {
			from := &g.Vertices[in.Producer]
			p.line(1, "<- %s %s %s %s", short(from.ID), from.Name, in.Partitioner, result(from.Produces[in.DataSet].Result))
		}
		for line := range strings.Lines(g.Description(i)) {
			p.line(1, "%s", strings.TrimSuffix(line, "\n"))
		}
	}
	return p.String()
}

func vertexSettings(g *jobgraph.Graph, v *jobgraph.Vertex) string {
	var s string
	if len(g.SlotSharingGroups) > 1 {
		s += ", slot sharing group " + g.SlotSharingGroups[v.SlotSharingGroup].Name
	}
	if v.CoLocationGroup >= 0 {
		s += ", co-located " + g.CoLocationGroups[v.CoLocationGroup].Key
	}
	return strings.Replace(s, ", ", "  ", 1)
}

func result(r jobgraph.ResultType) string { return strings.ToLower(string(r)) }
