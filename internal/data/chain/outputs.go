package chain

import (
	"fmt"
	"sync/atomic"

	"github.com/flott-dev/flott/internal/data/record"
	"github.com/flott-dev/flott/internal/graph/taskplan"
)

// A reader is one of those that get what an operator emits under a tag.
type reader struct {
	kind   Kind
	writer any               // nil: an operator of the chain
	to     *taskplan.Chained // nil: a writer
}

// readers are the readers of member i by tag, writers first. tags are the tags of side outputs, as they come.
func (c *Chain) readers(i int) (byTag map[string][]reader, tags []string, err error) {
	byTag = map[string][]reader{}
	add := func(tag string, e taskplan.EdgeID, r reader) error {
		if r.kind, err = c.config.Kind(e); err != nil {
			return err
		}
		if byTag[tag] == nil && tag != "" {
			tags = append(tags, tag)
		}
		byTag[tag] = append(byTag[tag], r)
		return nil
	}
	plan := c.config.Plan
	for _, o := range plan.Chain[i].Outputs {
		if err := add(o.Tag, plan.Partitions[o.Partition].Targets[0].Edge, reader{writer: c.writers[o.Partition]}); err != nil {
			return nil, nil, err
		}
	}
	for k := range plan.Chain[i].Chained {
		to := &plan.Chain[i].Chained[k]
		edge := taskplan.EdgeID{Consumer: plan.Chain[to.Target].ID, Input: to.Input}
		if err := add(to.Tag, edge, reader{to: to}); err != nil {
			return nil, nil, err
		}
	}
	return byTag, tags, nil
}

// output is the record.Input[T] in front of readers of member i.
func (c *Chain) output(i int, readers []reader) any {
	m := &c.members[i]
	counted := m.link
	counted.Out = &m.metrics.RecordsOut
	if len(readers) == 1 {
		r := readers[0]
		if r.to != nil {
			return c.link(r.kind, r.to.Target, r.to.Input, counted.Out, nil)
		}
		return r.kind.Link(r.writer, &counted)
	}
	all := make([]any, len(readers))
	for k, r := range readers {
		all[k] = r.writer
		if r.to != nil {
			all[k] = c.link(r.kind, r.to.Target, r.to.Input, nil, nil)
		}
	}
	kind := readers[0].kind
	return kind.Link(kind.Fan(all), &counted)
}

// link is the link in front of an input of a member. out counts the records, too, and keys notes whose they are.
func (c *Chain) link(kind Kind, target, input int, out *atomic.Int64, keys *record.Keys) any {
	m := &c.members[target]
	l := m.link
	l.In, l.Out, l.Keys = &m.metrics.RecordsIn, out, keys
	if len(m.plan.Inputs) == 1 {
		l.Watermark = &m.metrics.Watermark
	}
	return kind.Link(m.Input(input), &l)
}

// connectGates makes the links in front of the head.
func (c *Chain) connectGates() error {
	plan := c.config.Plan
	head := &c.members[plan.Head].link
	c.inputs = make([]any, len(plan.Chain[plan.Head].Inputs))
	for _, g := range plan.Gates {
		kind, err := c.config.Kind(g.Edges[0].ID)
		if err != nil {
			return head.Run(func() error { return fmt.Errorf("input %d: %w", g.Input, err) })
		}
		c.inputs[g.Input] = c.link(kind, plan.Head, g.Input, nil, &c.members[plan.Head].metrics.Keys)
	}
	return nil
}
