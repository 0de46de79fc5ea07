package execgraph_test

import (
	"fmt"
	"strings"
	"testing"

	. "github.com/flott-dev/flott/internal/graph/execgraph"
	"pgregory.net/rapid"

	"github.com/flott-dev/flott/internal/graph/graphtest"
)

// genProgram is a row of operators with random parallelism, partitioning and slot sharing groups, some co-located.
func genProgram(t *rapid.T) string {
	var b strings.Builder
	b.WriteString("s = source p=2\n")
	last := "s"
	for i := range rapid.IntRange(1, 6).Draw(t, "operators") {
		fmt.Fprintf(&b, "e%d = %s %s\n", i, rapid.SampledFrom([]string{"rebalance", "rescale", "broadcast"}).Draw(t, "partitioning"), last)
		last = fmt.Sprintf("m%d", i)
		fmt.Fprintf(&b, "%s = map e%d p=%d", last, i, rapid.IntRange(1, 9).Draw(t, "parallelism"))
		switch rapid.IntRange(0, 3).Draw(t, "group") {
		case 0:
			b.WriteString(" slot=default beside=k\n")
		case 1:
			b.WriteString(" slot=other\n")
		default:
			b.WriteString(" slot=default\n")
		}
	}
	return b.String()
}

// layOutAny passes over programs whose co-located subtasks are not in one region: they are refused, rightly.
func layOutAny(t *rapid.T, text string) *Graph {
	t.Helper()
	job, err := graphtest.Job(text)
	if err != nil {
		t.Fatal(err)
	}
	g, err := From(job)
	switch {
	case err != nil && strings.Contains(err.Error(), "are not in one pipelined region"):
		t.Skip(err)
	case err != nil:
		t.Fatal(err)
	}
	return g
}

// Every subtask has one slot, with its own slot sharing group, with no other subtask of its vertex, and beside those that it is
// co-located with. No group has more slots than its largest vertex needs.
func TestSlots(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		g := layOutAny(rt, genProgram(rt))
		at := map[Subtask]int{}
		perGroup := map[int]int{}
		for i, s := range g.Slots() {
			perGroup[s.Group]++
			for _, x := range s.Subtasks {
				if _, twice := at[x]; twice {
					rt.Fatalf("%v has two slots", x)
				}
				at[x] = i
				if g.Vertices[x.Vertex].Job.SlotSharingGroup != s.Group {
					rt.Fatalf("%v is in a slot of another group", x)
				}
			}
			for k := 1; k < len(s.Subtasks); k++ {
				if s.Subtasks[k-1].Vertex >= s.Subtasks[k].Vertex {
					rt.Fatalf("slot %v: two subtasks of a vertex, or out of order", s.Subtasks)
				}
			}
		}
		if len(at) != g.Subtasks() {
			rt.Fatalf("%d of %d subtasks have a slot", len(at), g.Subtasks())
		}
		for _, group := range g.Job.CoLocationGroups {
			for _, v := range group.Vertices {
				first := group.Vertices[0]
				for i := range min(g.Vertices[v].Parallelism, g.Vertices[first].Parallelism) {
					if at[Subtask{Vertex: v, Index: i}] != at[Subtask{Vertex: first, Index: i}] {
						rt.Fatalf("subtask %d of %d is not beside that of %d", i, v, first)
					}
				}
			}
		}
		for i := range g.Job.SlotSharingGroups {
			if most := g.Job.SlotSharingGroups[i].MaxVertexParallelism(g.Job); perGroup[i] != most {
				rt.Fatalf("group %d has %d slots for at most %d subtasks of a vertex", i, perGroup[i], most)
			}
		}
	})
}
