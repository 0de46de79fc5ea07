package streamgraph

import (
	"slices"

	"github.com/flott-dev/flott/internal/graph/program"
)

// From compiles a program. It leaves the program as it is, so that it can be compiled again; the error, if any, is a
// program.Rejections with every mistake found.
//
// The operators of the program are translated in the order of their creation, each after its inputs. What is virtual leaves no
// node: it only shapes the outlets to which its readers connect.
func From(p *program.Program) (*Graph, error) {
	b := &builder{program: p.Fork(), outlets: map[*program.Transformation][]outlet{}}
	b.configure()
	for _, t := range p.Operators {
		b.translate(t)
	}
	if err := b.rejections.Err(); err != nil {
		return nil, err
	}
	slices.SortFunc(b.graph.Nodes, func(x, y *Node) int { return x.ID - y.ID })
	b.alignInputs()
	return b.graph, nil
}

// A builder is a graph half done.
type builder struct {
	program    *program.Program // a fork: the parts of expanded sinks are added to it, and ids are taken from it
	graph      *Graph
	batch      bool
	outlets    map[*program.Transformation][]outlet // of what is translated already
	rejections program.Rejections
}

// An outlet is where a reader connects to: the node that emits, and what stands between the two.
type outlet struct {
	id        int // of the node, or of the last virtual node
	node      *Node
	tag       *program.Tag
	partition *program.Transformation // the last partitioning, which wins; nil: none
	exchange  program.Exchange        // of the first partitioning, which wins
}

// translate returns the outlets of t, translating what it needs first.
func (b *builder) translate(t *program.Transformation) []outlet {
	if out, done := b.outlets[t]; done {
		return out
	}
	inputs := b.inputs(t)
	out := b.translateOne(t, slotSharingGroup(t, inputs), inputs)
	b.outlets[t] = out
	return out
}

func (b *builder) inputs(t *program.Transformation) [][]outlet {
	if t.Kind == program.KindCache && t.Cache.Exists {
		return nil // it is read instead of computed
	}
	inputs := make([][]outlet, len(t.Inputs))
	for i, in := range t.Inputs {
		inputs[i] = b.translate(in)
	}
	return inputs
}

// slotSharingGroup is the one that the user chose, else the one on which all inputs agree.
func slotSharingGroup(t *program.Transformation, inputs [][]outlet) string {
	const fallback = "default"
	if t.SlotSharingGroup.Set {
		return t.SlotSharingGroup.Value
	}
	group, found := fallback, false
	for _, in := range inputs {
		for _, o := range in {
			g := o.node.SlotSharingGroup
			if found && g != group {
				return fallback
			}
			group, found = g, true
		}
	}
	return group
}

func (b *builder) translateOne(t *program.Transformation, group string, inputs [][]outlet) []outlet {
	switch t.Kind {
	case program.KindSource:
		return b.source(t, group)
	case program.KindLegacySource:
		return b.legacySource(t, group)
	case program.KindOneInput, program.KindReduce, program.KindTimestamps:
		return b.oneInput(t, group, inputs[0])
	case program.KindTwoInput, program.KindBroadcastState:
		return b.twoInput(t, group, inputs[0], inputs[1])
	case program.KindMultiInput:
		return b.multiInput(t, group, inputs)
	case program.KindLegacySink:
		return b.legacySink(t, group, inputs[0])
	case program.KindSink:
		return b.sink(t)
	case program.KindGlobalCommitter:
		return b.globalCommitter(t)
	case program.KindPartition:
		return b.partition(t, inputs[0])
	case program.KindSideOutput:
		return b.sideOutput(t, inputs[0])
	case program.KindUnion:
		return slices.Concat(inputs...)
	case program.KindCache:
		return b.cache(t, group, inputs)
	}
	panic("streamgraph: unknown kind of transformation")
}
