package streamgraph

import "github.com/flott-dev/flott/internal/graph/program"

// add makes the node of an operator, without edges. It is finished as far as edges copy from it.
func (b *builder) add(t *program.Transformation, task TaskClass, name, group string) *Node {
	n := &Node{
		ID:                    t.ID,
		Name:                  name,
		Description:           t.Description.Or(name),
		Task:                  task,
		Parallelism:           b.parallelism(t),
		ParallelismConfigured: t.ParallelismConfigured,
		MaxParallelism:        b.maxParallelism(t),
		SlotSharingGroup:      group,
		CoLocation:            t.CoLocation.Value,
		HasCoLocation:         t.CoLocation.Set,
		Chaining:              t.Chaining.Or(program.ChainAlways),
		BufferTimeoutMs:       b.bufferTimeout(t),
		UID:                   t.UID.Value,
		HasUID:                t.UID.Set,
		UserHash:              t.UserHash.Value,
		Yielding:              t.Yielding,
		EndOutputOnly:         t.EndOutputOnly,
		InputSelectable:       t.InputSelectable,
		ConcurrentAttempts:    t.ConcurrentAttempts,
		Transformation:        t,
	}
	b.claimMemory(n, t)
	b.checkUID(t)
	b.graph.Nodes = append(b.graph.Nodes, n)
	return n
}

func (b *builder) claimMemory(n *Node, t *program.Transformation) {
	if t.OperatorMemory > 0 {
		n.OperatorWeights = map[program.MemoryUse]int{program.MemoryOperator: t.OperatorMemory}
	}
	if t.Keyed() {
		n.SlotUses = map[program.MemoryUse]bool{program.MemoryStateBackend: true}
	}
}

func (b *builder) checkUID(t *program.Transformation) {
	if !b.program.Config.GenerateUIDs && !t.Kind.Virtual() && !t.UID.Set && !t.UserHash.Set {
		b.reject(t, "it has neither uid nor uid hash, and automatic uids are disabled")
	}
}

func (b *builder) parallelism(t *program.Transformation) int {
	if t.Parallelism == program.Unset {
		return b.program.Config.Parallelism
	}
	return t.Parallelism
}

func (b *builder) maxParallelism(t *program.Transformation) int {
	if t.MaxParallelism == program.Unset {
		return b.program.Config.MaxParallelism
	}
	return t.MaxParallelism
}

// bufferTimeout of a batch job is never: its buffers are sent when they are full.
func (b *builder) bufferTimeout(t *program.Transformation) int64 {
	switch {
	case t.BufferTimeoutMs >= 0:
		return t.BufferTimeoutMs
	case b.batch:
		return program.Unset
	}
	return b.program.Config.BufferTimeoutMs
}

// at is the outlet of the main output.
func (n *Node) at() []outlet { return []outlet{{id: n.ID, node: n}} }
