package streamgraph

import "github.com/flott-dev/flott/internal/graph/program"

func (b *builder) source(t *program.Transformation, group string) []outlet {
	n := b.add(t, SourceOperatorTask, "Source: "+t.Name, group)
	n.Source, n.NewSource = true, true
	return n.at()
}

func (b *builder) legacySource(t *program.Transformation, group string) []outlet {
	n := b.add(t, SourceTask, "Source: "+t.Name, group)
	n.Source, n.LegacySource = true, true
	return n.at()
}
