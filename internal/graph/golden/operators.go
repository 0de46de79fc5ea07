package golden

import (
	"fmt"

	"github.com/flott-dev/flott/internal/graph/program"
)

var strategies = map[string]program.Chaining{
	"ALWAYS":            program.ChainAlways,
	"HEAD":              program.ChainHead,
	"NEVER":             program.ChainNever,
	"HEAD_WITH_SOURCES": program.ChainHeadWithSources,
}

// describe sets what the step says of its operator's nature.
func (s *Step) describe(t *program.Transformation) (*program.Transformation, error) {
	c, err := word("strategy", s.Strategy, program.ChainAlways, strategies)
	t.Chaining = program.Set(c)
	t.Yielding, t.EndOutputOnly = s.Yielding, s.EndOutputOnly
	return t, err
}

func oneInput(name string, out func(*Step, *program.Transformation) Type) makeFunc {
	return func(b *builder, s *Step, in []*program.Transformation) (*program.Transformation, error) {
		return b.OneInput(in[0], name, out(s, in[0])), nil
	}
}

func reduce(name string) makeFunc {
	return func(b *builder, s *Step, in []*program.Transformation) (*program.Transformation, error) {
		return b.Reduce(in[0], name, in[0].OutputType), nil
	}
}

func assignTimestamps(b *builder, s *Step, in []*program.Transformation) (*program.Transformation, error) {
	return b.Timestamps(in[0], "Timestamps/Watermarks"), nil
}

func asyncWait(b *builder, s *Step, in []*program.Transformation) (*program.Transformation, error) {
	t := b.OneInput(in[0], "async wait operator", Long)
	t.Yielding = true
	_, err := word("mode", s.Mode, true, map[string]bool{"ordered": true, "unordered": false})
	return t, err
}

func transform(b *builder, s *Step, in []*program.Transformation) (*program.Transformation, error) {
	return s.describe(b.OneInput(in[0], or(s.OperatorName, "Custom"), typed(s, in[0])))
}

// fullWindowPartition works on all records of a subtask or a key, at end of stream.
func fullWindowPartition(b *builder, s *Step, in []*program.Transformation) (*program.Transformation, error) {
	kinds := partitionOperators
	if in[0].KeyedStream() {
		kinds = keyedPartitionOperators
	}
	kind, err := word("fn", s.Fn, kinds["mapPartition"], kinds)
	if err != nil {
		return nil, err
	}
	if kind.longs && in[0].OutputType != Long {
		return longs(1, nil)(b, s, in)
	}
	t := b.OneInput(in[0], kind.name, in[0].OutputType)
	t.EndOutputOnly = true
	if kind.window != "" {
		t.SetDescription(fmt.Sprintf("Window(GlobalWindows(trigger=EndOfStreamTrigger), EndOfStreamTrigger, %s)", kind.window))
		return t, nil
	}
	if kind.sorts {
		t.OperatorMemory, t.SortsInput = 128, in[0].KeyedStream()
	}
	t.Chaining = program.Set(kind.chaining)
	t.SetParallelism(in[0].Parallelism)
	return t, nil
}

// A partitionOperator is what fullWindowPartition becomes.
type partitionOperator struct {
	name     string
	chaining program.Chaining
	sorts    bool
	longs    bool   // its function takes elements of type Long only
	window   string // it is a window operator with this function
}

var (
	partitionOperators = map[string]partitionOperator{
		"mapPartition":  {name: "MapPartition", chaining: program.ChainNever, longs: true},
		"reduce":        {name: "PartitionReduce", chaining: program.ChainAlways},
		"aggregate":     {name: "PartitionAggregate", chaining: program.ChainAlways, longs: true},
		"sortPartition": {name: "SortPartition", chaining: program.ChainAlways, sorts: true, longs: true},
	}
	keyedPartitionOperators = map[string]partitionOperator{
		"mapPartition":  {name: "GlobalWindows", window: "KeyedMapPartitionWindowFunction", longs: true},
		"reduce":        {name: "GlobalWindows", window: functions["reduce"].text},
		"aggregate":     {name: "GlobalWindows", window: functions["aggregate"].text, longs: true},
		"sortPartition": {name: "KeyedSortPartition", chaining: program.ChainAlways, sorts: true, longs: true},
	}
)

func twoInput(name string) makeFunc {
	return func(b *builder, s *Step, in []*program.Transformation) (*program.Transformation, error) {
		return b.TwoInput(in[0], in[1], name, typed(s, nil)), nil
	}
}

func keyedCoProcess(b *builder, s *Step, in []*program.Transformation) (*program.Transformation, error) {
	if !in[0].KeyedStream() || !in[1].KeyedStream() {
		b.Reject(nil, "keyedCoProcess needs both inputs keyed")
	}
	return b.TwoInput(in[0], in[1], "Co-Keyed-Process", typed(s, nil)), nil
}

func transform2(b *builder, s *Step, in []*program.Transformation) (*program.Transformation, error) {
	t := b.TwoInput(in[0], in[1], or(s.OperatorName, "Custom2"), typed(s, nil))
	t.InputSelectable = s.InputSelectable && !s.Yielding
	return s.describe(t)
}

func broadcastConnect(b *builder, s *Step, in []*program.Transformation) (*program.Transformation, error) {
	name := "Co-Process-Broadcast"
	if in[0].KeyedStream() {
		name = "Co-Process-Broadcast-Keyed"
	}
	return b.BroadcastState(in[0], b.Repartition(in[1], program.Broadcast, nil), name, typed(s, nil)), nil
}

func intervalJoin(b *builder, s *Step, in []*program.Transformation) (*program.Transformation, error) {
	return b.TwoInput(b.KeyAgain(in[0]), b.KeyAgain(in[1]), "Interval Join", typed(s, nil)), nil
}

func multiInput(b *builder, s *Step, in []*program.Transformation) (*program.Transformation, error) {
	t := b.MultiInput(in, or(s.OperatorName, "Multi"), typed(s, nil))
	return s.describe(t)
}
