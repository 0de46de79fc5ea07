package task

import (
	"fmt"

	"github.com/flott-dev/flott/internal/data/chain"
	"github.com/flott-dev/flott/internal/data/operator"
	"github.com/flott-dev/flott/internal/data/shuffle"
	"github.com/flott-dev/flott/internal/graph/taskplan"
	"github.com/flott-dev/flott/internal/halt"
	"github.com/flott-dev/flott/internal/id"
)

// newChain is the task's chain, with no operators yet.
func (t *Task) newChain() *chain.Chain {
	return chain.New(chain.Config{
		Plan:     t.plan,
		Operator: t.program.Operator,
		Kind:     func(e taskplan.EdgeID) (chain.Kind, error) { return t.kind(e) },
		Context:  t.context,
		Labels:   t.labels(),
		Logger:   t.logger,
		Clock:    t.clock,
		Mails:    mails{t.box},
		Blocked:  func() int64 { return t.box.Times().BackPressured.Milliseconds() },
		Pace:     t.newPace,
		Splits:   func(source id.Operator) operator.Splits { return t.host.Splits(source, t.plan.Subtask) },
	})
}

// build makes all else that a task consists of, from the way out to the way in: operators need the writers, and the gates the
// operators.
func (t *Task) build() error {
	writers, err := t.writers()
	if err != nil {
		return err
	}
	if err := t.chain.Make(writers); err != nil {
		return err
	}
	t.pulling = t.chain.Pulls()
	return t.gates()
}

// writers makes the outputs and returns their inputs.
func (t *Task) writers() ([]any, error) {
	var writers []any
	for i := range t.plan.Partitions {
		p := &t.plan.Partitions[i]
		edge, err := t.edge(p.Targets[0].Edge)
		if err != nil {
			return nil, err
		}
		route := shuffle.RouteOf(p, t.plan.Subtask, t.host.Directory, t.place, t.box)
		route.Codecs, route.Halted = t.host.Codecs, halt.Of(t.context)
		w, err := edge.kind.Writer(route, edge.typed)
		if err != nil {
			return nil, err
		}
		t.outputs = append(t.outputs, newOutput(w, p.BufferTimeoutMs, t.host.FlushGap, t.clock))
		writers = append(writers, w.Input())
	}
	return writers, nil
}

// place says where a subtask runs.
func (t *Task) place(vertex, subtask int) shuffle.Place {
	if t.host.Place == nil {
		return shuffle.Place{Attempt: t.plan.Attempt}
	}
	return t.host.Place(vertex, subtask)
}

func (t *Task) gates() error {
	for i := range t.plan.Gates {
		g := &t.plan.Gates[i]
		kind, err := t.kind(g.Edges[0].ID)
		if err != nil {
			return err
		}
		end := func() error {
			t.open--
			return t.chain.EndInput(g.Input)
		}
		gate := kind.Gate(t.chain.Input(g.Input), t.host.Codecs)
		t.inputs = append(t.inputs, newInput(gate, g.Channels(t.plan.Subtask), &t.times[i], t.newPace(), end))
	}
	t.open = len(t.inputs)
	return nil
}

// A typedEdge is what the plan leaves to the program: the type of the records of an edge, and what partitions them.
type typedEdge struct {
	kind  shuffle.Kind
	typed any
}

func (t *Task) edge(e taskplan.EdgeID) (typedEdge, error) {
	found := t.program.Edge(e.Consumer, e.Input, e.Index)
	if found == nil {
		return typedEdge{}, fmt.Errorf("the program has no edge %d to input %d of operator %s", e.Index, e.Input, e.Consumer)
	}
	kind, ok := found.Type.(shuffle.Kind)
	if !ok {
		return typedEdge{}, fmt.Errorf("the edge from %q to %q has no element type", found.Source.Name, found.Target.Name)
	}
	return typedEdge{kind, found.Partitioner.Typed}, nil
}

func (t *Task) kind(e taskplan.EdgeID) (shuffle.Kind, error) {
	edge, err := t.edge(e)
	return edge.kind, err
}

// mails is the task's mailbox as operators see it.
type mails struct{ box *shuffle.Mailbox }

func (m mails) Send(f func() error) { m.box.Mail(f) }
func (m mails) Wake()               { m.box.Nudge() }
