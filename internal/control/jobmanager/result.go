package jobmanager

import (
	"time"

	"github.com/flott-dev/flott/internal/control/rpc"
	"github.com/flott-dev/flott/internal/decide/schedule"
	"github.com/flott-dev/flott/internal/graph/execgraph"
	"github.com/flott-dev/flott/internal/id"
)

// A Result is what became of a job.
type Result struct {
	Job       id.Job
	Name      string
	State     schedule.State // Finished, Failed or Canceled
	RunTime   time.Duration
	Operators []OperatorResult // in the order of the job graph: by vertex, then as in the chain
}

// An OperatorResult is what all subtasks of an operator have counted together.
type OperatorResult struct {
	ID   id.Operator
	Name string
	rpc.Counters
}

// A tally keeps the metrics of each subtask's current attempt, by vertex and subtask.
type tally [][]rpc.TaskMetrics

func newTally(g *execgraph.Graph) tally {
	t := make(tally, len(g.Vertices))
	for v := range g.Vertices {
		t[v] = make([]rpc.TaskMetrics, len(g.Vertices[v].Executions))
	}
	return t
}

// count takes the last report of an attempt; it may come twice.
func (t tally) count(r *rpc.Report) { t[r.Attempt.Vertex][r.Attempt.Index] = r.Metrics }

func (t tally) operators(g *execgraph.Graph) []OperatorResult {
	var all []OperatorResult
	for v := range g.Vertices {
		chain := g.Vertices[v].Job.Chain
		for i := range chain {
			all = append(all, OperatorResult{chain[i].ID, chain[i].Name, t.sum(v, i)})
		}
	}
	return all
}

// sum adds up what the subtasks of a vertex have counted at one operator. Those that did not get so far have no counters.
func (t tally) sum(vertex, operator int) (c rpc.Counters) {
	for _, m := range t[vertex] {
		if operator < len(m.Operators) {
			c.RecordsIn += m.Operators[operator].RecordsIn
			c.RecordsOut += m.Operators[operator].RecordsOut
			c.LateRecords += m.Operators[operator].LateRecords
		}
	}
	return c
}
