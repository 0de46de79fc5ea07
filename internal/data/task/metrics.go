package task

import (
	"github.com/flott-dev/flott/internal/data/operator"
	"github.com/flott-dev/flott/internal/data/shuffle"
)

// Metrics are what a task has done so far. Anyone may ask for them while it runs.
type Metrics struct {
	shuffle.Times
	BytesIn   int64               // from tasks in other processes; within a process no bytes are made
	BytesOut  int64               // to such tasks
	Operators []*operator.Metrics // as in the plan; they go on counting
	Inputs    []InputTime         // by gate
}

// Metrics are the metrics of the task.
func (t *Task) Metrics() Metrics {
	m := Metrics{Times: t.box.Times(), Operators: make([]*operator.Metrics, len(t.plan.Chain))}
	m.BytesIn, m.BytesOut = t.box.Traffic()
	for i := range m.Operators {
		m.Operators[i] = t.chain.Metrics(i)
	}
	for i := range t.times {
		m.Inputs = append(m.Inputs, t.times[i].read(&t.plan.Gates[i], t.plan.Subtask))
	}
	return m
}
