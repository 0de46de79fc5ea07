package streamgraph

import "github.com/flott-dev/flott/internal/graph/program"

func (b *builder) legacySink(t *program.Transformation, group string, in []outlet) []outlet {
	n := b.add(t, OneInputTask, "Sink: "+t.Name, group)
	n.LegacySink = true
	b.connect(in, n, 0)
	b.sortInputs(n, t)
	return nil
}
