package streamgraph

import "github.com/flott-dev/flott/internal/graph/program"

// sortMemory is the weight of the managed memory in which inputs are sorted: Flink's execution.sorted-inputs.memory, in MB.
const sortMemory = 128

// sortInputs prepares a keyed operator of a job that ends: its input is sorted by key first, so that it only ever has state for
// one key. Such an operator heads its chain, since sorting happens where a task receives records.
func (b *builder) sortInputs(n *Node, t *program.Transformation) {
	if !b.wantsSortedInputs(t) {
		return
	}
	if n.Chaining == program.ChainAlways || n.Chaining == program.ChainHeadWithSources {
		n.Chaining = program.ChainHead
	}
	if !b.program.Config.SortedInputs {
		return
	}
	if n.InputSelectable {
		b.reject(t, "an operator that selects its inputs cannot have them sorted")
	}
	n.InputRequirements = make(map[int]Requirement, len(t.KeyedBy))
	for i, keyed := range t.KeyedBy {
		n.InputRequirements[i] = PassThrough
		if keyed {
			n.InputRequirements[i] = Sorted
		}
	}
	n.OperatorWeights = map[program.MemoryUse]int{program.MemoryOperator: sortMemory}
}

// wantsSortedInputs: in a streaming job only operators that emit nothing before the end, whose input must end for that.
func (b *builder) wantsSortedInputs(t *program.Transformation) bool {
	switch {
	case !t.Keyed() || t.SortsInput:
		return false
	case b.batch:
		return true
	}
	return t.EndOutputOnly
}
