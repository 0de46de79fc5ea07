package task

import (
	"github.com/flott-dev/flott/internal/data/operator"
	"github.com/flott-dev/flott/internal/data/shuffle"
)

// Metrics are what a task has done so far. Anyone may ask for them while it runs.
type Metrics struct {
	shuffle.Times
	Operators []*operator.Metrics // as in the plan; they go on counting
}

// Metrics are the metrics of the task.
func (t *Task) Metrics() Metrics {
	m := Metrics{Times: t.box.Times(), Operators: make([]*operator.Metrics, len(t.plan.Chain))}
	for i := range m.Operators {
		m.Operators[i] = t.chain.Metrics(i)
	}
	return m
}
