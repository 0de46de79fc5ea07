package task

import (
	"github.com/flott-dev/flott/internal/data/operator"
	"github.com/flott-dev/flott/internal/data/shuffle"
	"github.com/flott-dev/flott/internal/id"
)

// Metrics are what a task has done so far. Anyone may ask for them while it runs.
type Metrics struct {
	shuffle.Times
	Operators []OperatorMetrics // as in the plan
}

// OperatorMetrics are the counters of one operator; they go on counting.
type OperatorMetrics struct {
	ID   id.Operator
	Name string
	*operator.Metrics
}

// Metrics are the metrics of the task.
func (t *Task) Metrics() Metrics {
	m := Metrics{Times: t.box.Times(), Operators: make([]OperatorMetrics, len(t.plan.Chain))}
	for i := range m.Operators {
		o := &t.plan.Chain[i]
		m.Operators[i] = OperatorMetrics{o.ID, o.Name, t.chain.Metrics(i)}
	}
	return m
}
