package execgraph_test

import (
	"fmt"
	"runtime"
	"testing"
	"time"

	"github.com/flott-dev/flott/internal/cputime"
	. "github.com/flott-dev/flott/internal/graph/execgraph"
	"github.com/flott-dev/flott/internal/graph/graphtest"
	"github.com/flott-dev/flott/internal/graph/jobgraph"
)

// pair is two vertices, all to all.
func pair(t testing.TB, parallelism int) *jobgraph.Graph {
	job, err := graphtest.Job(fmt.Sprintf("parallelism %d\ns = source\nr = rebalance s\no = print r", parallelism))
	if err != nil {
		t.Fatal(err)
	}
	return job
}

func from(t testing.TB, job *jobgraph.Graph) *Graph {
	g, err := From(job)
	if err != nil {
		t.Fatal(err)
	}
	return g
}

func BenchmarkFrom(b *testing.B) {
	job := pair(b, 2000)
	b.ReportAllocs()
	for b.Loop() {
		from(b, job)
	}
}

func BenchmarkRegions(b *testing.B) {
	g := from(b, pair(b, 2000))
	b.ReportAllocs()
	for b.Loop() {
		g.Regions()
	}
}

func BenchmarkSlots(b *testing.B) {
	g := from(b, pair(b, 2000))
	b.ReportAllocs()
	for b.Loop() {
		g.Slots()
	}
}

// Ten times what is wanted, in time of a core: 5 ms for the graph, regions and slots included; the best of three. And 4 MB.
func TestTwoThousandAllToAll(t *testing.T) {
	job := pair(t, 2000)
	best := time.Hour
	lay := func(g *Graph) {
		start := cputime.Used(t)
		g = from(t, g.Job)
		regions, slots := len(g.Regions()), len(g.Slots())
		best = min(best, cputime.Used(t)-start)
		if regions != 1 || slots != 2000 {
			t.Errorf("%d regions and %d slots", regions, slots)
		}
	}
	bytes := cost(&Graph{Job: job}, lay)
	if best > 50*time.Millisecond {
		t.Errorf("took %v", best)
	}
	if bytes > 4<<20 {
		t.Errorf("took %.0f bytes", bytes)
	}
}

func TestCostIsLinear(t *testing.T) {
	for _, what := range []struct {
		name string
		do   func(*Graph)
	}{
		{"graph", func(g *Graph) { from(t, g.Job) }},
		{"regions", func(g *Graph) { g.Regions() }},
		{"slots", func(g *Graph) { g.Slots() }},
	} {
		one, two := cost(from(t, pair(t, 1000)), what.do), cost(from(t, pair(t, 2000)), what.do)
		if two > 2.5*one {
			t.Errorf("%s: twice the parallelism costs %.0f bytes instead of %.0f", what.name, two, one)
		}
	}
}

// cost is the bytes that do allocates.
func cost(g *Graph, do func(*Graph)) float64 {
	const runs = 3
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	for range runs {
		do(g)
	}
	runtime.ReadMemStats(&after)
	return float64(after.TotalAlloc-before.TotalAlloc) / runs
}
