package taskplan_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/cockroachdb/datadriven"
	"github.com/flott-dev/flott/internal/graph/execgraph"
	"github.com/flott-dev/flott/internal/graph/graphtest"
	"github.com/flott-dev/flott/internal/graph/taskplan"
)

// TestScripts makes the plans of the programs in testdata, written as graphtest describes, and prints one subtask of each vertex,
// the last, or all.
func TestScripts(t *testing.T) {
	datadriven.Walk(t, "testdata", func(t *testing.T, path string) {
		datadriven.RunTest(t, path, func(t *testing.T, d *datadriven.TestData) string {
			var b strings.Builder
			for _, p := range plans(t, d.Input) {
				if d.HasArg("all") || p.Subtask == p.Parallelism-1 {
					dump(&b, p)
				}
			}
			return b.String()
		})
	})
}

func plans(t *testing.T, text string) []*taskplan.Plan {
	t.Helper()
	return taskplan.From(execution(t, text))
}

func execution(t *testing.T, text string) *execgraph.Graph {
	t.Helper()
	job, err := graphtest.Job(text)
	if err != nil {
		t.Fatal(err)
	}
	g, err := execgraph.From(job)
	if err != nil {
		t.Fatal(err)
	}
	return g
}

func dump(b *strings.Builder, p *taskplan.Plan) {
	fmt.Fprintf(b, "%d %s  subtask %d of %d, key groups %v of %d\n", p.Index, p.Name, p.Subtask, p.Parallelism, p.KeyGroups, p.MaxParallelism)
	for i := range p.Gates {
		g := &p.Gates[i]
		fmt.Fprintf(b, "  gate %d: input %d, %d channels\n", i, g.Input, g.Channels(p.Subtask))
		for k := range g.Edges {
			e := &g.Edges[k]
			fmt.Fprintf(b, "    edge %d: %s from subtasks %v by channels %v\n", e.ID.Index, e.Partitioner, e.Producers(p.Subtask), g.Range(k, p.Subtask))
		}
	}
	for i := range p.Chain {
		dumpOperator(b, p, &p.Chain[i])
	}
	for i := range p.Partitions {
		out := &p.Partitions[i]
		fmt.Fprintf(b, "  partition %d of %s: %s, %s, timeout %d\n", i, p.Chain[out.Operator].Name, out.Result, out.Partitioner, out.BufferTimeoutMs)
		for k := range out.Targets {
			dumpTarget(b, p.Subtask, &out.Targets[k])
		}
	}
}

func dumpOperator(b *strings.Builder, p *taskplan.Plan, o *taskplan.Operator) {
	fmt.Fprintf(b, "  %s:", o.Name)
	for i, in := range o.Inputs {
		switch {
		case in.Gate >= 0:
			fmt.Fprintf(b, " input %d=gate %d", i, in.Gate)
		case in.Source >= 0:
			fmt.Fprintf(b, " input %d=%s", i, p.Chain[in.Source].Name)
		}
		if in.Sorted {
			b.WriteString(" sorted")
		}
	}
	for _, c := range o.Chained {
		fmt.Fprintf(b, " ->%s.%d%s", p.Chain[c.Target].Name, c.Input, tag(c.Tag))
	}
	for _, out := range o.Outputs {
		fmt.Fprintf(b, " ->partition %d%s", out.Partition, tag(out.Tag))
	}
	if o.Coordinated {
		b.WriteString(" coordinated")
	}
	b.WriteString("\n")
}

func tag(name string) string {
	if name == "" {
		return ""
	}
	return "(" + name + ")"
}

// dumpTarget writes the parts of subtask q's partition as consumer:channel.
func dumpTarget(b *strings.Builder, q int, t *taskplan.Target) {
	fmt.Fprintf(b, "    vertex %d gate %d edge %d:", t.VertexIndex, t.Gate, t.Position)
	for p := range t.Consumers(q).Len() {
		c := t.Consumer(q, p)
		fmt.Fprintf(b, " %d:%d", c, t.Channel(q, c))
	}
	b.WriteString("\n")
}
