package golden

import "github.com/flott-dev/flott/internal/graph/program"

var boundedness = map[string]bool{"bounded": true, "unbounded": false} // bounded?

func (b *builder) newSource(s *Step, _ []*program.Transformation) (*program.Transformation, error) {
	bounded, err := word("boundedness", s.Boundedness, true, boundedness)
	return b.Source(or(s.SourceName, "src"), bounded, typed(s, nil)), err
}

func (b *builder) fromSequence(*Step, []*program.Transformation) (*program.Transformation, error) {
	return b.Source("Sequence Source", true, Long), nil
}

func (b *builder) fromData(*Step, []*program.Transformation) (*program.Transformation, error) {
	t := b.Source("Collection Source", true, Long)
	t.SetParallelism(1)
	return t, nil
}

func (b *builder) oldSource(s *Step, _ []*program.Transformation) (*program.Transformation, error) {
	bounded, err := word("boundedness", s.Boundedness, false, boundedness)
	return b.LegacySource(or(s.SourceName, "Custom Source"), s.Parallel, bounded, typed(s, nil)), err
}

func (b *builder) socketSource(*Step, []*program.Transformation) (*program.Transformation, error) {
	return b.LegacySource("Socket Stream", false, false, String), nil
}

func (b *builder) fromCollection(*Step, []*program.Transformation) (*program.Transformation, error) {
	return b.LegacySource("Collection Source", false, true, Long), nil
}
