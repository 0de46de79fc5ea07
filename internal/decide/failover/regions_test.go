package failover_test

import (
	"fmt"
	"testing"

	. "github.com/flott-dev/flott/internal/decide/failover"
	"github.com/flott-dev/flott/internal/graph/execgraph"
	"github.com/flott-dev/flott/internal/graph/graphtest"
)

func TestRegions(t *testing.T) {
	for _, c := range []struct {
		name, text string
		want       string // sizes of the regions
	}{
		{"forward", "parallelism 3\ns = source\no = print s", "[1 1 1]"},
		{"forward, not chained", "parallelism 3\ns = source\nr = rescale s\no = print r", "[2 2 2]"},
		{"all to all", "parallelism 3\ns = source\nr = rebalance s\no = print r", "[6]"},
		{"apart", "parallelism 1\ns = source\nr = rebalance s\no = print r\nu = source\nv = print u", "[2 1]"},
	} {
		job, err := graphtest.Job(c.text)
		if err != nil {
			t.Fatal(err)
		}
		g, err := execgraph.From(job)
		if err != nil {
			t.Fatal(err)
		}
		r := RegionsOf(g)
		seen := map[int]bool{}
		var sizes []int
		total := 0
		for v := range g.Vertices {
			for i := range g.Vertices[v].Parallelism {
				of := r.Of(execgraph.Subtask{Vertex: v, Index: i})
				if !seen[of] {
					seen[of] = true
					sizes = append(sizes, len(r.Members(of)))
					total += len(r.Members(of))
				}
				for _, m := range r.Members(of) {
					if r.Of(m) != of {
						t.Errorf("%s: %v is in region %d, and among the members of %d", c.name, m, r.Of(m), of)
					}
				}
			}
		}
		if got := fmt.Sprint(sizes); got != c.want || total != g.Subtasks() {
			t.Errorf("%s: regions of %s subtasks, want %s", c.name, got, c.want)
		}
	}
}
