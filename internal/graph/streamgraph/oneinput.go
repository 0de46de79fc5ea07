package streamgraph

import "github.com/flott-dev/flott/internal/graph/program"

func (b *builder) oneInput(t *program.Transformation, group string, in []outlet) []outlet {
	n := b.add(t, OneInputTask, t.Name, group)
	b.connect(in, n, 0)
	b.sortInputs(n, t)
	return n.at()
}
