// Package chain runs the operators of one task: it makes them, from the last to the first, connects what each of them emits with
// what reads it, and passes the calls of the task on.
//
//	gate --> link --> head --> link --> operator --> link --> fan --+--> writer
//	                   |                                            +--> link --> operator
//	                   +-- side output ------------> link --> operator
//
// A link in front of an operator counts records and tells who is at work. An output has as many readers as the plan says: operators
// of the chain, and writers, which take records out of the task. If they are several, a fan is in front of them. The last reader of a fan
// may change what it gets, so writers, who never do, come first.
//
// Types are erased here. The pieces that know them are made by a Kind, which the program has for every edge.
package chain

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"math"
	"runtime/pprof"

	"github.com/flott-dev/flott/internal/data/operator"
	"github.com/flott-dev/flott/internal/data/record"
	"github.com/flott-dev/flott/internal/decide/pace"
	"github.com/flott-dev/flott/internal/graph/taskplan"
	"github.com/flott-dev/flott/internal/id"
)

// Config is what a chain is made of.
type Config struct {
	Plan *taskplan.Plan
	// Operator is the operator.Constructor that the program has for an operator.
	Operator func(id.Operator) any
	// Kind is the element type of an edge.
	Kind func(taskplan.EdgeID) (Kind, error)

	// What the operators find in their operator.Env. When Context ends, the chain stops taking records.
	Context context.Context
	Labels  pprof.LabelSet // of the task's goroutine in profiles
	Logger  *slog.Logger
	Clock   operator.Clock
	Mails   operator.Mails
	Blocked func() int64
	Pace    func() *pace.Pace
	Splits  func(source id.Operator) operator.Splits
}

// A Kind is an element type and makes what has to know it.
type Kind interface {
	// Fan is record.Fan over inputs of this type.
	Fan(readers []any) any
	// Link is record.Linked before an input of this type.
	Link(input any, l *record.Link) any
}

// A Chain is the operators of one task. All its methods but Metrics are for the task's goroutine.
type Chain struct {
	config   Config
	writers  []any    // by partition
	members  []member // as in the plan
	running  int      // index of the one that is at work; nobody
	inputs   []any    // of the head
	sources  sources
	yielders []yielder // the last one in the chain first
}

const nobody = -1

// A member is an operator of the chain.
type member struct {
	operator.Operator // nil: not made
	plan              *taskplan.Operator
	metrics           operator.Metrics
	link              record.Link // for calls that are not an input's
	finished          bool
}

// A yielder is a member that may be busy.
type yielder struct {
	operator.Yielder
	link *record.Link
}

// New is a chain whose operators have not been made.
func New(c Config) *Chain {
	ch := &Chain{config: c, members: make([]member, len(c.Plan.Chain)), running: nobody}
	labels := record.LabelsOf(c.Labels, names(c.Plan.Chain))
	for i := range ch.members {
		m := &ch.members[i]
		m.plan = &c.Plan.Chain[i]
		m.metrics.Watermark.Store(math.MinInt64)
		m.link = record.Link{Context: c.Context, Running: &ch.running, Labels: labels, Operator: i, Name: m.plan.Name}
	}
	return ch
}

func names(operators []taskplan.Operator) []string {
	all := make([]string, len(operators))
	for i := range operators {
		all[i] = operators[i].Name
	}
	return all
}

// Make makes the operators, the last one first. writers take what leaves the task: a record.Input[T] for each partition of the
// plan. Close must follow, also after an error.
func (c *Chain) Make(writers []any) error {
	c.writers = writers
	for i := len(c.members) - 1; i >= 0; i-- {
		m := &c.members[i]
		if err := m.link.Run(func() error { return c.makeMember(i) }); err != nil {
			return err
		}
		if y, ok := m.Operator.(operator.Yielder); ok {
			c.yielders = append(c.yielders, yielder{y, &m.link})
		}
	}
	c.sources.find(c.members[:c.config.Plan.Head+1])
	return c.connectGates()
}

func (c *Chain) makeMember(i int) error {
	m := &c.members[i]
	made := c.config.Operator(m.plan.ID)
	constructor, ok := made.(operator.Constructor)
	if !ok {
		return fmt.Errorf("the program has %T to run it, which is no constructor", made)
	}
	env, err := c.env(i)
	if err != nil {
		return err
	}
	m.Operator, err = constructor.New(env)
	return err
}

// Input is the record.Input[T] of input i of the head.
func (c *Chain) Input(i int) any { return c.inputs[i] }

// Metrics are those of operator i of the plan. Anyone may read them.
func (c *Chain) Metrics(i int) *operator.Metrics { return &c.members[i].metrics }

// Current is the name of the operator at work; "": none is.
func (c *Chain) Current() string {
	if c.running == nobody {
		return ""
	}
	return c.members[c.running].plan.Name
}

// Open opens the operators, the last one first.
func (c *Chain) Open(ctx context.Context) error {
	for i := len(c.members) - 1; i >= 0; i-- {
		m := &c.members[i]
		if err := m.link.Run(func() error { return m.Open(ctx) }); err != nil {
			return err
		}
	}
	return nil
}

// Busy says that an operator has not done all that an earlier call asked for: see operator.Yielder.
func (c *Chain) Busy() bool {
	for _, y := range c.yielders {
		if y.Busy() {
			return true
		}
	}
	return false
}

// Resume does the next part of it. Who comes later in the chain is first, so that nobody emits to one who is busy.
func (c *Chain) Resume() error {
	for _, y := range c.yielders {
		if y.Busy() {
			return y.link.Run(y.Resume)
		}
	}
	return nil
}

// EndInput says that no more records come to input i of the head.
func (c *Chain) EndInput(i int) error { return c.endInput(c.config.Plan.Head, i) }

func (c *Chain) endInput(target, i int) error {
	m := &c.members[target]
	return m.link.Run(func() error { return m.EndInput(i) })
}

// Finish finishes the operators, the first one first, when all inputs of the head and all sources have ended.
func (c *Chain) Finish() error {
	for i := range c.members {
		if err := c.finish(&c.members[i]); err != nil {
			return err
		}
	}
	return nil
}

// finish finishes an operator and ends the inputs that it alone feeds.
func (c *Chain) finish(m *member) error {
	if m.finished {
		return nil
	}
	m.finished = true
	if err := m.link.Run(m.Finish); err != nil {
		return err
	}
	for _, next := range m.plan.Chained {
		if err := c.endInput(next.Target, next.Input); err != nil {
			return err
		}
	}
	return nil
}

// Close closes all operators, whatever went wrong.
func (c *Chain) Close() error { return c.closeFrom(0) }

// closeFrom closes operator i and those behind it, even if i panics or ends the goroutine.
func (c *Chain) closeFrom(i int) (err error) {
	if i == len(c.members) {
		return nil
	}
	defer func() { err = errors.Join(err, c.closeFrom(i+1)) }()
	if m := &c.members[i]; m.Operator != nil {
		err = m.link.Run(m.Operator.Close)
	}
	return err
}
