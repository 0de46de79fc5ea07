package golden

import (
	"fmt"

	"github.com/flott-dev/flott/internal/graph/program"
)

func legacySink(name string, concurrent bool) makeFunc {
	return func(b *builder, s *Step, in []*program.Transformation) (*program.Transformation, error) {
		t := b.LegacySink(in[0], name)
		t.ConcurrentAttempts = concurrent
		return t, nil
	}
}

// plainSink is a new-style sink with nothing but a writer.
func plainSink(b *builder, s *Step, in []*program.Transformation) (*program.Transformation, error) {
	return b.Sink(in[0], "Sink", program.Sink{}), nil
}

func sinkV2(b *builder, s *Step, in []*program.Transformation) (*program.Transformation, error) {
	sink := program.Sink{HasCommitter: s.Committer}
	plain := !s.Committer
	for _, t := range []struct {
		steps []SubStep
		last  bool // a global committer may end it
		into  *program.Topology
	}{
		{s.PreWrite, false, &sink.PreWrite},
		{s.PreCommit, false, &sink.PreCommit},
		{s.PostCommit, true, &sink.PostCommit},
	} {
		if t.steps == nil {
			continue
		}
		plain = false
		if err := checkTopology(t.steps, t.last); err != nil {
			return nil, err
		}
		*t.into = topology(t.steps)
	}
	t := b.Sink(in[0], "Sink", sink)
	t.ConcurrentAttempts = s.Concurrent && plain
	return t, nil
}

const globalCommitter = "globalCommitter"

// checkTopology finds what a topology could not say once it is expanded.
func checkTopology(steps []SubStep, mayCommit bool) error {
	for i, s := range steps {
		_, operator := subOperators[s.Op]
		_, partition := subPartitions[s.Op]
		committer := s.Op == globalCommitter && mayCommit && i == len(steps)-1
		if !operator && !partition && !committer {
			return fmt.Errorf("step %q cannot be here in a sink's topology", s.Op)
		}
		if err := s.Properties.check(!operator); err != nil {
			return err
		}
	}
	return nil
}

var (
	subOperators  = map[string]string{"map": "Map", "filter": "Filter"}
	subPartitions = map[string]program.Strategy{
		"rebalance": program.Rebalance,
		"rescale":   program.Rescale,
		"shuffle":   program.Shuffle,
		"global":    program.Global,
		"broadcast": program.Broadcast,
		"forward":   program.Forward,
	}
)

func topology(steps []SubStep) program.Topology {
	return func(p *program.Program, in *program.Transformation) *program.Transformation {
		for _, s := range steps {
			in = s.add(p, in)
		}
		return in
	}
}

func (s *SubStep) add(p *program.Program, in *program.Transformation) *program.Transformation {
	if s.Op == globalCommitter {
		return p.GlobalCommitter(in, nil)
	}
	if strategy, ok := subPartitions[s.Op]; ok {
		return p.Repartition(in, strategy, nil)
	}
	t := p.OneInput(in, subOperators[s.Op], in.OutputType)
	s.Properties.set(t)
	return t
}
