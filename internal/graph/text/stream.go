package text

import (
	"fmt"
	"strings"

	"github.com/flott-dev/flott/internal/graph/program"
	"github.com/flott-dev/flott/internal/graph/streamgraph"
)

// Stream is the StreamGraph: an operator a paragraph, with its in-edges.
func Stream(g *streamgraph.Graph) string {
	p := &page{}
	p.line(0, "StreamGraph %q: %s, %s", g.JobName, strings.ToLower(string(g.JobType)), count(len(g.Nodes), "operator", "operators"))
	for _, n := range g.Nodes {
		p.line(0, "")
		p.line(0, "[%d] %s %s%s", n.ID, n.Name, times(n.Parallelism), nodeSettings(n))
		if n.Description != n.Name {
			p.line(1, "%s", n.Description)
		}
		for _, e := range n.In {
			p.line(1, "<- [%d] %s", e.Source.ID, edgeText(e))
		}
	}
	return p.String()
}

// nodeSettings is what differs from an operator that nobody configured.
func nodeSettings(n *streamgraph.Node) string {
	var s []string
	if n.SlotUses[program.MemoryStateBackend] {
		s = append(s, "keyed state")
	}
	if n.HasUID {
		s = append(s, fmt.Sprintf("uid %q", n.UID))
	}
	if n.UserHash != "" {
		s = append(s, "uid hash "+n.UserHash)
	}
	if n.MaxParallelism > 0 {
		s = append(s, fmt.Sprintf("max parallelism %d", n.MaxParallelism))
	}
	if n.SlotSharingGroup != "default" {
		s = append(s, fmt.Sprintf("slot sharing group %q", n.SlotSharingGroup))
	}
	if n.HasCoLocation {
		s = append(s, fmt.Sprintf("co-located %q", n.CoLocation))
	}
	if n.Chaining != program.ChainAlways {
		s = append(s, "chaining "+string(n.Chaining))
	}
	if len(s) == 0 {
		return ""
	}
	return "  " + strings.Join(s, ", ")
}

func edgeText(e *streamgraph.Edge) string {
	s := string(e.Partitioner.Strategy)
	if e.Tag != nil {
		s += fmt.Sprintf(" side output %q", e.Tag.Name)
	}
	if e.TypeNumber > 0 {
		s += fmt.Sprintf(" input %d", e.TypeNumber)
	}
	if e.Exchange != program.ExchangeUndefined {
		s += " " + strings.ToLower(string(e.Exchange))
	}
	return s
}
