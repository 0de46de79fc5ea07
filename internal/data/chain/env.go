package chain

import (
	"github.com/flott-dev/flott/connector"
	"github.com/flott-dev/flott/internal/data/operator"
	"github.com/flott-dev/flott/internal/data/record"
	"github.com/flott-dev/flott/internal/id"
)

// env is what member i knows of its task.
func (c *Chain) env(i int) (*operator.Env, error) {
	byTag, tags, err := c.readers(i)
	if err != nil {
		return nil, err
	}
	m, plan := &c.members[i], c.config.Plan
	env := &operator.Env{
		ID:             m.plan.ID,
		Name:           m.plan.Name,
		Subtask:        plan.Subtask,
		Parallelism:    plan.Parallelism,
		MaxParallelism: plan.MaxParallelism,
		KeyGroups:      plan.KeyGroups,
		Context:        c.config.Context,
		Logger:         c.config.Logger,
		Clock:          clock{c.config.Clock, &m.link},
		Mails:          mails{c.config.Mails, &m.link},
		Blocked:        c.config.Blocked,
		Pace:           c.config.Pace,
		Metrics:        &m.metrics,
	}
	if main := byTag[""]; main != nil {
		env.Out = c.output(i, main)
	}
	sides := map[string]any{}
	for _, tag := range tags {
		sides[tag] = c.output(i, byTag[tag])
		env.Events = append(env.Events, sides[tag].(record.Events))
	}
	env.Side = func(tag string) any { return sides[tag] }
	if c.config.Splits != nil {
		env.Splits = splits{c.config.Splits, m.plan.ID, &m.link}
	}
	return env, nil
}

// What runs later runs on behalf of the operator that asked for it.

type clock struct {
	operator.Clock
	link *record.Link
}

func (c clock) At(ms int64, f func() error) (stop func()) {
	return c.Clock.At(ms, func() error { return c.link.Run(f) })
}

type mails struct {
	operator.Mails
	link *record.Link
}

func (m mails) Send(f func() error) { m.Mails.Send(func() error { return m.link.Run(f) }) }

type splits struct {
	of     func(source id.Operator) operator.Splits
	source id.Operator
	link   *record.Link
}

func (s splits) Request(give func([]connector.Split, bool) error) {
	s.of(s.source).Request(func(splits []connector.Split, done bool) error {
		return s.link.Run(func() error { return give(splits, done) })
	})
}
