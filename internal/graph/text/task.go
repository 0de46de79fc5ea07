package text

import (
	"fmt"

	"github.com/flott-dev/flott/internal/graph/execgraph"
	"github.com/flott-dev/flott/internal/graph/taskplan"
)

// Tasks is the task plans: a task a paragraph, with the gates it reads, its chain, and the partitions it writes.
func Tasks(plans []*taskplan.Plan) string {
	p := &page{}
	if len(plans) > 0 {
		p.line(0, "Tasks %q: %s", plans[0].JobName, count(len(plans), "task", "tasks"))
	}
	names := vertexNames(plans)
	for _, t := range plans {
		p.line(0, "")
		p.line(0, "%s %s %s  key groups %d-%d", short(t.ID), t.Name, subtask(t.Subtask, t.Parallelism), t.KeyGroups.First, t.KeyGroups.Last)
		p.gates(t)
		p.operators(t)
		p.partitions(t, names)
	}
	return p.String()
}

// vertexNames is the name of every vertex by its index in the job.
func vertexNames(plans []*taskplan.Plan) map[int]string {
	names := map[int]string{}
	for _, t := range plans {
		names[t.Index] = short(t.ID) + " " + t.Name
	}
	return names
}

func (p *page) gates(t *taskplan.Plan) {
	for i := range t.Gates {
		g := &t.Gates[i]
		p.line(1, "gate %d: %s", i, count(g.Channels(t.Subtask), "channel", "channels"))
		for k := range g.Edges {
			e := &g.Edges[k]
			from, r := e.Producers(t.Subtask), g.Range(k, t.Subtask)
			p.line(2, "%s <- %s %s %s", channels(r), e.Partitioner, short(e.Producer), span(from.First, from.End, e.Wiring.Producers))
		}
	}
}

func channels(r execgraph.Range) string {
	if r.Len() == 1 {
		return fmt.Sprintf("channel %d", r.First)
	}
	return fmt.Sprintf("channels %d-%d", r.First, r.End-1)
}

func (p *page) operators(t *taskplan.Plan) {
	for i := range t.Chain {
		o := &t.Chain[i]
		calls := ""
		for _, c := range o.Chained {
			calls += fmt.Sprintf(", calls operator %d%s", c.Target, tag(c.Tag))
		}
		p.line(1, "operator %d: %s%s", i, o.Name, calls)
	}
}

func tag(name string) string {
	if name == "" {
		return ""
	}
	return " (side output " + name + ")"
}

func (p *page) partitions(t *taskplan.Plan, names map[int]string) {
	for i := range t.Partitions {
		out := &t.Partitions[i]
		p.line(1, "partition %d of operator %d: %s, %s", i, out.Operator, out.Partitioner, flush(out.BufferTimeoutMs))
		for k := range out.Targets {
			to := &out.Targets[k]
			c := to.Consumers(t.Subtask)
			p.line(2, "-> gate %d of %s %s", to.Gate, names[to.VertexIndex], span(c.First, c.End, to.Wiring.Consumers))
		}
	}
}
