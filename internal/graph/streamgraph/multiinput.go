package streamgraph

import "github.com/flott-dev/flott/internal/graph/program"

// maxInputs is how many inputs an operator can choose between, with a bit for each in a word.
const maxInputs = 63

func (b *builder) multiInput(t *program.Transformation, group string, inputs [][]outlet) []outlet {
	if len(inputs) == 0 || len(inputs) > maxInputs {
		b.reject(t, "it has %d inputs; it must have between 1 and %d", len(inputs), maxInputs)
	}
	n := b.add(t, MultipleInputTask, t.Name, group)
	for i, in := range inputs {
		b.connect(in, n, i+1)
	}
	b.sortInputs(n, t)
	return n.at()
}
