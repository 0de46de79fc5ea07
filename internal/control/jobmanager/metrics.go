package jobmanager

import (
	"context"
	"math"

	"github.com/flott-dev/flott/internal/control/rpc"
	"github.com/flott-dev/flott/internal/decide/schedule"
	"github.com/flott-dev/flott/internal/graph/execgraph"
	"github.com/flott-dev/flott/internal/id"
)

// OperatorMetrics is what all subtasks of an operator have counted together. A chain spends its time as one: its operators have
// the same Times.
type OperatorMetrics struct {
	ID   id.Operator
	Name string
	rpc.Times
	rpc.Counters // the watermark is the smallest of any subtask
}

// Metrics are those of the operators at this moment, or at the end of the job: in the order of the job graph, by vertex, then as
// in the chain. They have to be asked for; nothing is sent as long as nobody does.
func (m *JobMaster) Metrics(ctx context.Context) ([]OperatorMetrics, error) {
	answer := make(chan []OperatorMetrics, 1)
	m.inbox.Put(func() { m.measure(answer) })
	select {
	case all := <-answer:
		return all, nil
	case <-m.done:
		return m.result.Operators, nil
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

// measure asks the TaskManager on behalf of who waits for the answer. That need not come: the message may be lost, or the job over.
func (m *JobMaster) measure(answer chan<- []OperatorMetrics) {
	m.requests++
	m.asked[m.requests] = answer
	m.workers.Measure(rpc.MetricsRequest{Header: m.header, Number: m.requests})
}

// measured takes an answer, which may come twice.
func (m *JobMaster) measured(r rpc.MetricsReport) {
	m.inbox.Put(func() {
		for _, t := range r.Tasks {
			if m.tally.has(t.Attempt) {
				m.tally.note(t.Attempt, t.TaskMetrics)
			}
		}
		if answer := m.asked[r.Number]; answer != nil {
			answer <- m.tally.operators(m.graph)
			delete(m.asked, r.Number)
		}
	})
}

// A tally keeps the metrics of each subtask, by vertex and subtask, as they came last.
type tally [][]tallied

type tallied struct {
	rpc.TaskMetrics
	final bool // the task has ended
}

func newTally(g *execgraph.Graph) tally {
	t := make(tally, len(g.Vertices))
	for v := range g.Vertices {
		t[v] = make([]tallied, len(g.Vertices[v].Executions))
	}
	return t
}

// has says that there is such a subtask, and this is its first attempt.
func (t tally) has(a schedule.Attempt) bool {
	return a.Vertex >= 0 && a.Vertex < len(t) && a.Index >= 0 && a.Index < len(t[a.Vertex]) && a.Number == 0
}

func (t tally) at(a schedule.Attempt) *tallied { return &t[a.Vertex][a.Index] }

// last takes the metrics of an attempt that has ended. They may come twice.
func (t tally) last(a schedule.Attempt, m rpc.TaskMetrics) { *t.at(a) = tallied{m, true} }

// note takes the metrics of an attempt that goes on, unless it has ended since.
func (t tally) note(a schedule.Attempt, m rpc.TaskMetrics) {
	if at := t.at(a); !at.final {
		at.TaskMetrics = m
	}
}

func (t tally) operators(g *execgraph.Graph) []OperatorMetrics {
	var all []OperatorMetrics
	for v := range g.Vertices {
		chain := g.Vertices[v].Job.Chain
		for i := range chain {
			o := OperatorMetrics{ID: chain[i].ID, Name: chain[i].Name}
			o.Watermark = math.MaxInt64
			for _, m := range t[v] {
				o.add(m.TaskMetrics, i)
			}
			all = append(all, o)
		}
	}
	return all
}

// add adds what operator i of one task has counted. A task that did not get so far has no counters.
func (o *OperatorMetrics) add(m rpc.TaskMetrics, i int) {
	o.Busy += m.Busy
	o.Idle += m.Idle
	o.BackPressured += m.BackPressured
	if i >= len(m.Operators) {
		o.Watermark = math.MinInt64
		return
	}
	c := &m.Operators[i]
	o.RecordsIn += c.RecordsIn
	o.RecordsOut += c.RecordsOut
	o.LateRecords += c.LateRecords
	o.Watermark = min(o.Watermark, c.Watermark)
}
