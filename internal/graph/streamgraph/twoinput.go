package streamgraph

import "github.com/flott-dev/flott/internal/graph/program"

func (b *builder) twoInput(t *program.Transformation, group string, left, right []outlet) []outlet {
	n := b.add(t, TwoInputTask, t.Name, group)
	b.connect(left, n, 1)
	b.connect(right, n, 2)
	b.sortInputs(n, t)
	return n.at()
}
