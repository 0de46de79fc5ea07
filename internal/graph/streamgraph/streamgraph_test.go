package streamgraph_test

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/cockroachdb/datadriven"
	"github.com/flott-dev/flott/internal/graph/graphtest"
	"github.com/flott-dev/flott/internal/graph/program"
	"github.com/flott-dev/flott/internal/graph/streamgraph"
)

// TestScripts compiles the programs in testdata, written as graphtest describes. The commands:
//
//	graph    nodes with what is not the default, their in-edges, and virtual nodes
//	json     Flink's streaming plan
func TestScripts(t *testing.T) {
	datadriven.Walk(t, "testdata", func(t *testing.T, path string) {
		datadriven.RunTest(t, path, func(t *testing.T, d *datadriven.TestData) string {
			g, err := graphtest.Stream(d.Input)
			if err != nil {
				return err.Error() + "\n"
			}
			switch d.Cmd {
			case "graph":
				return dump(g)
			case "json":
				return g.JSON() + "\n"
			}
			d.Fatalf(t, "no command %q", d.Cmd)
			return ""
		})
	})
}

func dump(g *streamgraph.Graph) string {
	var b strings.Builder
	for _, n := range g.Nodes {
		fmt.Fprintf(&b, "%d %s%s\n", n.ID, n.Name, traits(n))
		for _, e := range n.In {
			fmt.Fprintf(&b, "    <- %s\n", edge(e))
		}
	}
	for _, v := range g.VirtualPartitions {
		fmt.Fprintf(&b, "%d = %s of %d%s\n", v.ID, v.Strategy, v.Original, unless(v.Exchange, program.ExchangeUndefined))
	}
	for _, v := range g.VirtualSides {
		fmt.Fprintf(&b, "%d = side output %s of %d\n", v.ID, v.Tag.Name, v.Original)
	}
	return b.String()
}

func traits(n *streamgraph.Node) string {
	var b strings.Builder
	say := func(condition bool, format string, args ...any) {
		if condition {
			fmt.Fprintf(&b, " "+format, args...)
		}
	}
	say(n.Parallelism != 1 || n.ParallelismConfigured, "p=%d", n.Parallelism)
	say(n.ParallelismConfigured, "(set)")
	say(n.MaxParallelism != program.Unset, "max=%d", n.MaxParallelism)
	say(n.SlotSharingGroup != "default", "slot=%s", n.SlotSharingGroup)
	say(n.HasCoLocation, "beside=%s", n.CoLocation)
	say(n.Chaining != program.ChainAlways, "%s", n.Chaining)
	say(n.HasUID, "uid=%q", n.UID)
	say(n.Description != n.Name, "desc=%q", n.Description)
	say(n.Yielding, "yields")
	for _, i := range slices.Sorted(maps.Keys(n.InputRequirements)) {
		say(true, "input%d=%s", i, n.InputRequirements[i])
	}
	say(len(n.OperatorWeights) > 0, "weights=%v", n.OperatorWeights)
	say(len(n.SlotUses) > 0, "state")
	say(n.ConsumeClusterData != "", "reads=%s", n.ConsumeClusterData)
	return b.String()
}

func edge(e *streamgraph.Edge) string {
	s := fmt.Sprintf("%d input %d %s", e.Source.ID, e.TypeNumber, e.Partitioner.Strategy)
	if e.Tag != nil {
		s += " tag=" + e.Tag.Name
	}
	if e.Unique > 0 {
		s += fmt.Sprintf(" unique=%d", e.Unique)
	}
	if e.DataSetToKeep != "" {
		s += " keeps=" + e.DataSetToKeep
	}
	if !e.Unaligned {
		s += " aligned"
	}
	return s + unless(e.Exchange, program.ExchangeUndefined)
}

func unless[T ~string](s, usual T) string {
	if s == usual {
		return ""
	}
	return " " + string(s)
}
