package jobgraph_test

import (
	"slices"
	"testing"

	"github.com/flott-dev/flott/internal/graph/graphtest"
	"github.com/flott-dev/flott/internal/graph/jobgraph"
)

func job(t *testing.T, text string) *jobgraph.Graph {
	t.Helper()
	g, err := graphtest.Job(text)
	if err != nil {
		t.Fatal(err)
	}
	return g
}

// Two side outputs of one operator meet again in a union: each edge has a data set of its own, for its own tag, also where data
// sets are shared.
func TestScenario_A1(t *testing.T) {
	const program = `
		s = source
		p = map s
		p.A = side p
		p.B = side p
		u = union p.A p.B
		o = print u`
	for _, mode := range []string{"STREAMING", "BATCH"} {
		g := job(t, "mode "+mode+program)
		produced := g.Vertices[0].Produces
		if len(produced) != 2 || produced[0].Tag != "A" || produced[1].Tag != "B" || produced[0].ID == produced[1].ID {
			t.Fatalf("%s: data sets are not one of A and one of B: %+v", mode, produced)
		}
		for i, in := range g.Vertices[1].Inputs {
			if in.DataSet != i || in.Number() != 0 || in.Index != i {
				t.Errorf("%s: input %d is %+v", mode, i, in)
			}
		}
		if g.Vertices[1].Inputs[0].Edge == g.Vertices[1].Inputs[1].Edge {
			t.Errorf("%s: the two edges are one", mode)
		}
	}
}

// A source before a slow committer of parallelism 1: whether they share a task depends on the source's parallelism, which the
// failed conditions say; an explicit new chain makes it the same at any.
func TestScenario_A4(t *testing.T) {
	const free = "\ns = source\nc = map s p=1"
	if n := len(job(t, "parallelism 1"+free).Vertices); n != 1 {
		t.Errorf("parallelism 1: %d vertices", n)
	}
	if n := len(job(t, "parallelism 2"+free).Vertices); n != 2 {
		t.Errorf("parallelism 2: %d vertices", n)
	}
	g, err := graphtest.Stream("parallelism 2" + free)
	if err != nil {
		t.Fatal(err)
	}
	reasons := jobgraph.ChainingOf(g).Unchained(g.Nodes[1].In[0])
	if !slices.Contains(reasons, jobgraph.OtherParallelism) {
		t.Errorf("the edge is not chained because of %q, not its parallelism", reasons)
	}
	for _, p := range []string{"parallelism 1", "parallelism 2"} {
		if n := len(job(t, p+free+" chain=HEAD").Vertices); n != 2 {
			t.Errorf("%s with a new chain: %d vertices", p, n)
		}
	}
}
