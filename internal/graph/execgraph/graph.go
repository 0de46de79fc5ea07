// Package execgraph is the third of the four graphs: the subtasks of each vertex, what they exchange, and how far each has got.
//
// From builds it out of a job graph. Edges between subtasks are never kept one by one: a Wiring of three words knows them all.
package execgraph

import "github.com/flott-dev/flott/internal/graph/jobgraph"

// A Graph is a job as it runs. It belongs to the one who schedules the job; only executions change.
type Graph struct {
	Job      *jobgraph.Graph
	Vertices []Vertex // in the order of the job graph's
}

// A Vertex is the subtasks of one job vertex.
type Vertex struct {
	Job            *jobgraph.Vertex
	Parallelism    int
	MaxParallelism int
	Inputs         []Wiring    // by input of the job vertex
	Executions     []Execution // by subtask
}

// A Subtask names one parallel instance of a vertex.
type Subtask struct{ Vertex, Index int }
