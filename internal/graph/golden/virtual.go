package golden

import (
	"errors"
	"fmt"

	"github.com/flott-dev/flott/internal/graph/program"
)

func repartition(strategy program.Strategy) makeFunc {
	return func(b *builder, s *Step, in []*program.Transformation) (*program.Transformation, error) {
		return b.Repartition(in[0], strategy, nil), nil
	}
}

func keyBy(b *builder, s *Step, in []*program.Transformation) (*program.Transformation, error) {
	return b.KeyBy(in[0], nil), nil
}

func reinterpretAsKeyed(b *builder, s *Step, in []*program.Transformation) (*program.Transformation, error) {
	return b.ReinterpretAsKeyed(in[0], nil), nil
}

func union(b *builder, s *Step, in []*program.Transformation) (*program.Transformation, error) {
	return b.Union(in...), nil
}

func sideOutput(b *builder, s *Step, in []*program.Transformation) (*program.Transformation, error) {
	if in[0].Kind.Virtual() {
		return nil, errors.New("only an operator has side outputs")
	}
	if s.Tag == nil {
		return nil, errors.New("tag missing")
	}
	return b.SideOutput(in[0], program.Tag{Name: *s.Tag, Type: typed(s, nil)}), nil
}

func cache(b *builder, s *Step, in []*program.Transformation) (*program.Transformation, error) {
	if in[0].Kind.Virtual() && in[0].Kind != program.KindSideOutput {
		return nil, errors.New("only an operator and a side output can be cached")
	}
	b.caches++
	return b.Cached(in[0], program.Cache{DataSet: fmt.Sprintf("%032x", b.caches), Exists: s.AlreadyCached}), nil
}
