package flott

import (
	"github.com/flott-dev/flott/internal/data/operator"
	"github.com/flott-dev/flott/internal/graph/program"
	"github.com/flott-dev/flott/watermark"
)

// Watermarks says how records get their event time, and how far event time has come. On the own stream of a source it sets the
// source's strategy, which runs for each of its splits; a second call there is a mistake. On any other stream, also that of a source
// which Flink has of old (socket lines), it is an operator of its own.
func (s Stream[T]) Watermarks(w watermark.Strategy[T]) Stream[T] {
	if s.node.Kind == program.KindSource {
		s.sourceWatermarks(w)
		return s
	}
	t := s.env.program.Timestamps(s.node, "Timestamps/Watermarks")
	t.Operator = operator.Watermarks(w)
	out := Stream[T]{s.env, s.env.add(t)}
	s.env.report(t.Site, t, w.Check())
	return out
}

func (s Stream[T]) sourceWatermarks(w watermark.Strategy[T]) {
	src := s.node.Operator.(*sourceOperator[T])
	s.require(src.watermarks == nil, "Watermarks is set twice on this source")
	s.node.Operator = &sourceOperator[T]{src.Source, &w} // not the same one: a job may be running it
	s.env.report(userSite(), s.node, w.Check())
}
