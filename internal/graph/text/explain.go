package text

import (
	"fmt"
	"strings"

	"github.com/flott-dev/flott/internal/graph/jobgraph"
	"github.com/flott-dev/flott/internal/graph/program"
	"github.com/flott-dev/flott/internal/graph/streamgraph"
)

// Explain says in words why the job graph is as it is: what each chain saves, which conditions the edges fail that are not
// chained, and what is likely a mistake.
func Explain(g *streamgraph.Graph, job *jobgraph.Graph) string {
	p := &page{}
	chaining := jobgraph.ChainingOf(g)
	p.line(0, "Chains of %q", g.JobName)
	p.chains(job)
	p.line(0, "")
	p.line(0, "Edges that are not chained")
	p.unchained(g, chaining)
	p.line(0, "")
	p.line(0, "Warnings ([n] is an operator of the StreamGraph)")
	p.list(Warnings(g, job))
	return p.String()
}

// list is a line for each text, or "none".
func (p *page) list(lines []string) {
	for _, l := range lines {
		p.line(1, "%s", l)
	}
	if len(lines) == 0 {
		p.line(1, "none")
	}
}

// chains says what each chain of more than one operator saves.
func (p *page) chains(job *jobgraph.Graph) {
	var lines []string
	for i := range job.Vertices {
		v := &job.Vertices[i]
		if calls := len(v.Chain) - 1; calls > 0 {
			lines = append(lines, fmt.Sprintf("%s: %s a function call instead of an exchange%s", v.Name, count(calls, "edge is", "edges are"), tasksSaved(calls, v.Parallelism)))
		}
	}
	p.list(lines)
}

func tasksSaved(calls, parallelism int) string {
	if parallelism < 0 {
		return ""
	}
	return ", which saves " + count(calls*parallelism, "task", "tasks")
}

// unchained is every edge between tasks with the conditions that it fails.
func (p *page) unchained(g *streamgraph.Graph, c *jobgraph.Chaining) {
	none := true
	for _, n := range g.Nodes {
		for _, e := range n.In {
			if c.Chained(e) {
				continue
			}
			none = false
			p.line(1, "%s -> %s (%s)", e.Source.Name, e.Target.Name, edgeText(e))
			for _, r := range c.Unchained(e) {
				p.line(2, "%s", because(r, e))
			}
		}
	}
	if none {
		p.line(1, "none")
	}
}

// because is a failed condition with the names and values at fault.
func because(r jobgraph.Reason, e *streamgraph.Edge) string {
	u, d := e.Source, e.Target
	switch r {
	case jobgraph.ChainingOff:
		return "chaining is switched off for the whole job"
	case jobgraph.OtherSlotSharingGroup:
		return fmt.Sprintf("%s is in slot sharing group %q, %s in %q", u.Name, u.SlotSharingGroup, d.Name, d.SlotSharingGroup)
	case jobgraph.YieldsToLegacySource:
		return fmt.Sprintf("%s yields to other work while it handles a record, which the chain of a legacy source (up to %s) cannot do", d.Name, u.Name)
	case jobgraph.ProducerNeverChains:
		return fmt.Sprintf("chaining is switched off for %s", u.Name)
	case jobgraph.ConsumerStartsChain:
		return startsChain(d)
	case jobgraph.OtherParallelism:
		return fmt.Sprintf("%s has parallelism %d, %s has %d", u.Name, u.Parallelism, d.Name, d.Parallelism)
	case jobgraph.OtherMaxParallelism:
		return fmt.Sprintf("%s has max parallelism %s, %s has %s", u.Name, maxText(u), d.Name, maxText(d))
	case jobgraph.NotForward:
		return fmt.Sprintf("records are distributed over the subtasks of %s (%s)", d.Name, e.Partitioner.Strategy)
	case jobgraph.BatchExchange:
		return fmt.Sprintf("%s starts only when %s has finished", d.Name, u.Name)
	case jobgraph.UnionOfInputs:
		return fmt.Sprintf("%s reads a union: %s", d.Name, inputs(d, e.TypeNumber))
	case jobgraph.SeveralInputs:
		return fmt.Sprintf("%s has %d inputs", d.Name, len(d.In))
	case jobgraph.SharedSource:
		return fmt.Sprintf("%s is read by others, too", u.Name)
	}
	return string(r)
}

func startsChain(d *streamgraph.Node) string {
	switch d.Chaining {
	case program.ChainNever:
		return fmt.Sprintf("chaining is switched off for %s", d.Name)
	case program.ChainHeadWithSources:
		return fmt.Sprintf("%s takes only new-style sources into its chain", d.Name)
	}
	return fmt.Sprintf("%s starts a new chain", d.Name)
}

func maxText(n *streamgraph.Node) string {
	if n.MaxParallelism < 0 {
		return "none set"
	}
	return fmt.Sprint(n.MaxParallelism)
}

// inputs names what one input of n reads.
func inputs(n *streamgraph.Node, typeNumber int) string {
	var names []string
	for _, e := range n.In {
		if e.TypeNumber == typeNumber {
			names = append(names, e.Source.Name)
		}
	}
	return strings.Join(names, ", ")
}
