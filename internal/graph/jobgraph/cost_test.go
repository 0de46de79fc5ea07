package jobgraph_test

import (
	"fmt"
	"runtime"
	"testing"
	"time"

	"github.com/flott-dev/flott/internal/cputime"
	"github.com/flott-dev/flott/internal/graph/jobgraph"
	"github.com/flott-dev/flott/internal/graph/program"
	"github.com/flott-dev/flott/internal/graph/streamgraph"
)

// pipelines is a program of n chains with m operators each, source and sink included.
func pipelines(t testing.TB, n, m int) *streamgraph.Graph {
	p := program.New(program.Defaults())
	for i := range n {
		s := p.Source(fmt.Sprintf("source %d", i), true, nil)
		for j := range m - 2 {
			s = p.OneInput(s, fmt.Sprintf("map %d", j), nil)
		}
		p.LegacySink(s, "out")
	}
	return compile(t, p)
}

// fans is a program of a source, n operators that each read a union of it and the operator before, and a sink.
func fans(t testing.TB, n int) *streamgraph.Graph {
	p := program.New(program.Defaults())
	source := p.Source("source", true, nil)
	s := source
	for i := range n {
		s = p.OneInput(p.Union(source, s), fmt.Sprintf("map %d", i), nil)
	}
	p.LegacySink(s, "out")
	return compile(t, p)
}

// wide is a program of an operator that reads a union of n sources.
func wide(t testing.TB, n int) *streamgraph.Graph {
	p := program.New(program.Defaults())
	sources := make([]*program.Transformation, n)
	for i := range sources {
		sources[i] = p.Source(fmt.Sprintf("source %d", i), true, nil)
	}
	p.LegacySink(p.Union(sources...), "out")
	return compile(t, p)
}

func compile(t testing.TB, p *program.Program) *streamgraph.Graph {
	g, err := streamgraph.From(p)
	if err != nil {
		t.Fatal(err)
	}
	return g
}

func jobOf(t testing.TB, g *streamgraph.Graph) *jobgraph.Graph {
	job, err := jobgraph.From(g)
	if err != nil {
		t.Fatal(err)
	}
	return job
}

func BenchmarkFrom(b *testing.B) {
	g := pipelines(b, 100, 100)
	b.ReportAllocs()
	for b.Loop() {
		jobOf(b, g)
	}
}

// Ten times what is wanted, 50 ms of a core; the best of three.
func TestFromIsFast(t *testing.T) {
	g := pipelines(t, 100, 100)
	best := time.Hour
	for range 3 {
		start := cputime.Used(t)
		jobOf(t, g)
		best = min(best, cputime.Used(t)-start)
	}
	if best > 500*time.Millisecond {
		t.Errorf("100 chains of 100 operators took %v", best)
	}
}

func TestCostIsLinear(t *testing.T) {
	for _, c := range []struct {
		name string
		make func(n int) *streamgraph.Graph
	}{
		{"chains", func(n int) *streamgraph.Graph { return pipelines(t, n, 50) }},
		{"operators in a chain", func(n int) *streamgraph.Graph { return pipelines(t, 2, 25*n) }},
		{"vertices in a row", func(n int) *streamgraph.Graph { return fans(t, 20*n) }},
		{"inputs of a union", func(n int) *streamgraph.Graph { return wide(t, 20*n) }},
	} {
		t.Run(c.name, func(t *testing.T) {
			one, two := cost(t, c.make(20)), cost(t, c.make(40))
			if two.allocs > 2.2*one.allocs || two.bytes > 2.5*one.bytes {
				t.Errorf("twice the program costs %.0f allocations and %.0f bytes instead of %.0f and %.0f",
					two.allocs, two.bytes, one.allocs, one.bytes)
			}
		})
	}
}

type costs struct{ allocs, bytes float64 }

// cost is what one compilation allocates.
func cost(t *testing.T, g *streamgraph.Graph) costs {
	const runs = 5
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	for range runs {
		jobOf(t, g)
	}
	runtime.ReadMemStats(&after)
	return costs{float64(after.Mallocs-before.Mallocs) / runs, float64(after.TotalAlloc-before.TotalAlloc) / runs}
}
