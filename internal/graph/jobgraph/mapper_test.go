package jobgraph_test

import (
	"testing"

	"github.com/flott-dev/flott/internal/graph/jobgraph"
	"github.com/flott-dev/flott/internal/graph/program"
)

func TestStateMappers(t *testing.T) {
	for s, want := range map[program.Strategy][2]jobgraph.StateMapper{
		program.Rebalance: {"ROUND_ROBIN", "ARBITRARY"},
		program.Shuffle:   {"ROUND_ROBIN", "ARBITRARY"},
		program.Hash:      {"RANGE", "ARBITRARY"},
		program.Global:    {"FIRST", "ARBITRARY"},
		program.Custom:    {"FULL", "ARBITRARY"},
		program.Broadcast: {"UNSUPPORTED", "UNSUPPORTED"},
		program.Forward:   {"UNSUPPORTED", "UNSUPPORTED"},
		program.Rescale:   {"UNSUPPORTED", "UNSUPPORTED"},
	} {
		in := jobgraph.Input{Partitioner: s}
		if down, up := in.StateMappers(); [2]jobgraph.StateMapper{down, up} != want {
			t.Errorf("%s: %s and %s instead of %v", s, down, up, want)
		}
	}
}
