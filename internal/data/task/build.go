package task

import (
	"fmt"

	"github.com/flott-dev/flott/internal/data/chain"
	"github.com/flott-dev/flott/internal/data/operator"
	"github.com/flott-dev/flott/internal/data/shuffle"
	"github.com/flott-dev/flott/internal/graph/jobgraph"
	"github.com/flott-dev/flott/internal/graph/taskplan"
	"github.com/flott-dev/flott/internal/id"
)

// builder makes what a task consists of, from the way out to the way in: the chain needs the writers, and the gates the chain.
type builder struct {
	*Task
	program *jobgraph.Binding
}

func (b builder) build() error {
	writers, err := b.writers()
	if err != nil {
		return err
	}
	b.chain, err = chain.New(chain.Config{
		Plan:     b.plan,
		Operator: b.program.Operator,
		Kind:     func(e taskplan.EdgeID) (chain.Kind, error) { return b.kind(e) },
		Writers:  writers,
		Context:  b.context,
		Logger:   b.logger,
		Clock:    b.clock,
		Mails:    mails{b.box},
		Blocked:  func() int64 { return b.box.Times().BackPressured.Milliseconds() },
		Splits:   func(source id.Operator) operator.Splits { return b.host.Splits(source, b.plan.Subtask) },
	})
	if err != nil {
		return err
	}
	b.pulling = b.chain.Pulls()
	return b.gates()
}

// writers makes the outputs and returns their inputs.
func (b builder) writers() ([]any, error) {
	var writers []any
	for i := range b.plan.Partitions {
		p := &b.plan.Partitions[i]
		edge, err := b.edge(p.Targets[0].Edge)
		if err != nil {
			return nil, err
		}
		route := shuffle.RouteOf(p, b.plan.Subtask, b.host.Directory, b.box)
		w, err := edge.kind.Writer(route, edge.typed)
		if err != nil {
			return nil, err
		}
		b.outputs = append(b.outputs, newOutput(w, p.BufferTimeoutMs, b.host.FlushGap, b.clock))
		writers = append(writers, w.Input())
	}
	return writers, nil
}

func (b builder) gates() error {
	for i := range b.plan.Gates {
		g := &b.plan.Gates[i]
		kind, err := b.kind(g.Edges[0].ID)
		if err != nil {
			return err
		}
		end := func() error {
			b.open--
			return b.chain.EndInput(g.Input)
		}
		b.inputs = append(b.inputs, newInput(kind.Gate(b.chain.Input(g.Input)), g.Channels(b.plan.Subtask), end))
	}
	b.open = len(b.inputs)
	return nil
}

// A typedEdge is what the plan leaves to the program: the type of the records of an edge, and what partitions them.
type typedEdge struct {
	kind  shuffle.Kind
	typed any
}

func (b builder) edge(e taskplan.EdgeID) (typedEdge, error) {
	found := b.program.Edge(e.Consumer, e.Input, e.Index)
	if found == nil {
		return typedEdge{}, fmt.Errorf("the program has no edge %d to input %d of operator %s", e.Index, e.Input, e.Consumer)
	}
	kind, ok := found.Type.(shuffle.Kind)
	if !ok {
		return typedEdge{}, fmt.Errorf("the edge from %q to %q has no element type", found.Source.Name, found.Target.Name)
	}
	return typedEdge{kind, found.Partitioner.Typed}, nil
}

func (b builder) kind(e taskplan.EdgeID) (shuffle.Kind, error) {
	edge, err := b.edge(e)
	return edge.kind, err
}

// mails is the task's mailbox as operators see it.
type mails struct{ box *shuffle.Mailbox }

func (m mails) Send(f func() error) { m.box.Mail(f) }
func (m mails) Wake()               { m.box.Nudge() }
