package jobgraph_test

import (
	"fmt"
	"sort"
	"strings"
	"testing"

	"github.com/cockroachdb/datadriven"
	"github.com/flott-dev/flott/internal/graph/graphtest"
	"github.com/flott-dev/flott/internal/graph/jobgraph"
)

// TestScripts compiles the programs in testdata, written as graphtest describes. The commands:
//
//	job      the job graph
//	names    names and descriptions of its vertices
//	json     Flink's JSON plan
//	edges    which edges are chained, and why the others are not
func TestScripts(t *testing.T) {
	datadriven.Walk(t, "testdata", func(t *testing.T, path string) {
		datadriven.RunTest(t, path, func(t *testing.T, d *datadriven.TestData) string {
			if d.Cmd == "edges" {
				return edges(t, d.Input)
			}
			g, err := graphtest.Job(d.Input)
			if err != nil {
				return err.Error() + "\n"
			}
			switch d.Cmd {
			case "job":
				return dump(g)
			case "names":
				return names(g)
			case "json":
				return g.JSON() + "\n"
			}
			d.Fatalf(t, "no command %q", d.Cmd)
			return ""
		})
	})
}

func edges(t *testing.T, text string) string {
	g, err := graphtest.Stream(text)
	if err != nil {
		t.Fatal(err)
	}
	c := jobgraph.ChainingOf(g)
	var b strings.Builder
	for _, n := range g.Nodes {
		for _, e := range n.In {
			fmt.Fprintf(&b, "%s -> %s: ", e.Source.Name, e.Target.Name)
			if c.Chained(e) {
				b.WriteString("chained\n")
			}
			for i, r := range c.Unchained(e) {
				if i > 0 {
					b.WriteString("; ")
				}
				b.WriteString(string(r))
			}
			if !c.Chained(e) {
				b.WriteString("\n")
			}
		}
	}
	return b.String()
}

func names(g *jobgraph.Graph) string {
	var b strings.Builder
	for i := range g.Vertices {
		fmt.Fprintf(&b, "%s\n", g.Vertices[i].Name)
		for line := range strings.Lines(g.Description(i)) {
			fmt.Fprintf(&b, "  | %s\n", strings.TrimSuffix(line, "\n"))
		}
	}
	return b.String()
}

func dump(g *jobgraph.Graph) string {
	var b strings.Builder
	for i := range g.Vertices {
		v := &g.Vertices[i]
		fmt.Fprintf(&b, "%d %s  %s\n", i, v.Name, vertexFacts(v))
		for k := range v.Chain {
			fmt.Fprintf(&b, "    %s%s\n", v.Chain[k].Name, operatorFacts(v, k))
		}
		for k, in := range v.Inputs {
			fmt.Fprintf(&b, "  in %d: %s of %d.%d, type %d index %d\n", k, in.Partitioner, in.Producer, in.DataSet, in.TypeNumber, in.Index)
		}
		for k := range v.Produces {
			d := &v.Produces[k]
			fmt.Fprintf(&b, "  out %d: %s by %s to %v\n", k, d.Result, v.Chain[d.Operator].Name+mark(d.Tag), d.Consumers)
		}
	}
	fmt.Fprintf(&b, "created %v, regions %v, slots %d\n", g.Created, g.Regions(), g.Slots())
	for _, s := range g.SlotSharingGroups {
		fmt.Fprintf(&b, "slot sharing group %s %v\n", s.Name, s.Vertices)
	}
	for _, c := range g.CoLocationGroups {
		fmt.Fprintf(&b, "co-location group %s %v\n", c.Key, c.Vertices)
	}
	return b.String()
}

func vertexFacts(v *jobgraph.Vertex) string {
	facts := []string{fmt.Sprintf("p=%d", v.Parallelism)}
	if v.MaxParallelism != -1 {
		facts = append(facts, fmt.Sprintf("max=%d", v.MaxParallelism))
	}
	if v.ParallelismConfigured {
		facts = append(facts, "configured")
	}
	return strings.Join(facts, " ")
}

func operatorFacts(v *jobgraph.Vertex, k int) string {
	o := &v.Chain[k]
	var facts []string
	for i, in := range o.Inputs {
		switch {
		case in.Kind == jobgraph.ChainedInput:
			facts = append(facts, fmt.Sprintf("input %d of %s%s", i, v.Chain[in.Source].Name, mark(in.Tag)))
		case in.Kind == jobgraph.Network && o.Head():
			facts = append(facts, fmt.Sprintf("input %d of gate %d", i, in.Gate))
		}
	}
	for _, c := range o.Chained {
		facts = append(facts, "to "+v.Chain[c.Target].Name+mark(c.Tag))
	}
	if o.NoOutputUntilEnd {
		facts = append(facts, "silent")
	}
	var uses []string
	for use, f := range o.MemoryFractions {
		uses = append(uses, fmt.Sprintf("%s %v", use, f))
	}
	sort.Strings(uses)
	if facts = append(facts, uses...); len(facts) == 0 {
		return ""
	}
	return ": " + strings.Join(facts, ", ")
}

func mark(tag string) string {
	if tag == "" {
		return ""
	}
	return "." + tag
}
