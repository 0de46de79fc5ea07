package execgraph_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/cockroachdb/datadriven"
	. "github.com/flott-dev/flott/internal/graph/execgraph"
	"github.com/flott-dev/flott/internal/graph/graphtest"
)

// TestScripts lays out the programs in testdata, written as graphtest describes.
func TestScripts(t *testing.T) {
	datadriven.Walk(t, "testdata", func(t *testing.T, path string) {
		datadriven.RunTest(t, path, func(t *testing.T, d *datadriven.TestData) string {
			job, err := graphtest.Job(d.Input)
			if err != nil {
				t.Fatal(err)
			}
			g, err := From(job)
			if err != nil {
				return err.Error() + "\n"
			}
			return dump(g)
		})
	})
}

func dump(g *Graph) string {
	var b strings.Builder
	for i := range g.Vertices {
		v := &g.Vertices[i]
		fmt.Fprintf(&b, "%d %s  p=%d max=%d, subtask 0 has %v\n", i, v.Job.Name, v.Parallelism, v.MaxParallelism, v.KeyGroups(0))
	}
	for _, r := range g.Regions() {
		fmt.Fprintf(&b, "region%s\n", subtasks(r))
	}
	for _, s := range g.Slots() {
		fmt.Fprintf(&b, "slot of %s%s\n", g.Job.SlotSharingGroups[s.Group].Name, subtasks(s.Subtasks))
	}
	return b.String()
}

func subtasks(l []Subtask) string {
	var b strings.Builder
	for _, s := range l {
		fmt.Fprintf(&b, " %d:%d", s.Vertex, s.Index)
	}
	return b.String()
}

func layOut(t testing.TB, text string) *Graph {
	t.Helper()
	job, err := graphtest.Job(text)
	if err != nil {
		t.Fatal(err)
	}
	g, err := From(job)
	if err != nil {
		t.Fatal(err)
	}
	return g
}
