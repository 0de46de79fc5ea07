package worker

import (
	"github.com/flott-dev/flott/internal/control/rpc"
	"github.com/flott-dev/flott/internal/control/view"
	"github.com/flott-dev/flott/internal/data/operator"
	"github.com/flott-dev/flott/internal/data/task"
	"github.com/flott-dev/flott/internal/graph/taskplan"
	"github.com/flott-dev/flott/internal/id"
)

// metricsOf is what a task has counted so far.
func metricsOf(t *task.Task, p *taskplan.Plan) rpc.TaskMetrics {
	counted := t.Metrics()
	m := rpc.TaskMetrics{
		Times: rpc.Times(counted.Times), BytesIn: counted.BytesIn, BytesOut: counted.BytesOut, Operators: make([]rpc.Counters, len(counted.Operators)),
	}
	for i, o := range counted.Operators {
		m.Operators[i] = rpc.Counters{
			RecordsIn: o.RecordsIn.Load(), RecordsOut: o.RecordsOut.Load(), LateRecords: o.LateRecords.Load(), Watermark: o.Watermark.Load(),
		}
		if made := o.Time.Load(); made != nil {
			time := view.EventTime(*made)
			m.Time = &time
		}
	}
	for _, in := range counted.Inputs {
		m.Inputs = append(m.Inputs, view.InputTime(in))
	}
	if p.Head < len(counted.Operators) {
		m.Keys = keysOf(counted.Operators[p.Head], p.MaxParallelism)
	}
	return m
}

func keysOf(m *operator.Metrics, maxParallelism int) view.KeyShare {
	place, share := m.Keys.Most()
	if share == 0 {
		return view.KeyShare{}
	}
	return view.KeyShare{Group: id.KeyGroupsOf(maxParallelism).OfPlace(place), Share: share}
}
