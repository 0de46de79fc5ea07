// Package execgraph is the third of the four graphs: the subtasks of each vertex, what they exchange, and how far each has got.
//
// From builds it out of a job graph. Edges between subtasks are never kept one by one: a Wiring of three words knows them all.
// What only some callers need and costs more, regions and slots, is computed when it is asked for.
package execgraph

import (
	"github.com/flott-dev/flott/internal/graph/jobgraph"
	"github.com/flott-dev/flott/internal/graph/program"
	"github.com/flott-dev/flott/internal/id"
)

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

// From lays out the subtasks of a job. The error is a program.Rejections.
func From(job *jobgraph.Graph) (*Graph, error) {
	g := &Graph{Job: job, Vertices: make([]Vertex, len(job.Vertices))}
	var r program.Rejections
	for i := range job.Vertices {
		v := &job.Vertices[i]
		p := parallelism(job, v)
		check(v, p, &r)
		g.Vertices[i] = Vertex{Job: v, Parallelism: p, MaxParallelism: maxParallelism(v, p)}
	}
	if err := r.Err(); err != nil {
		return nil, err
	}
	for i := range g.Vertices {
		v := &g.Vertices[i]
		v.Executions = make([]Execution, v.Parallelism)
		v.Inputs = make([]Wiring, len(v.Job.Inputs))
		for k := range v.Inputs {
			in := &v.Job.Inputs[k]
			v.Inputs[k] = Wiring{Pattern: in.Pattern(), Producers: g.Vertices[in.Producer].Parallelism, Consumers: v.Parallelism}
		}
	}
	g.checkCoLocation(&r)
	if err := r.Err(); err != nil {
		return nil, err
	}
	return g, nil
}

// parallelism of a program that leaves it open is 1, unless the job is one that decides it while it runs.
func parallelism(job *jobgraph.Graph, v *jobgraph.Vertex) int {
	if v.Parallelism == program.Unset && !job.Dynamic {
		return 1
	}
	return v.Parallelism
}

func check(v *jobgraph.Vertex, parallelism int, r *program.Rejections) {
	switch most := maxParallelism(v, parallelism); {
	case parallelism < 1:
		r.Add(nil, "vertex %q: its parallelism is decided while the job runs, so that its subtasks are not known yet", v.Name)
	case parallelism > most:
		r.Add(nil, "vertex %q: parallelism %d is above max parallelism %d", v.Name, parallelism, most)
	}
}

func maxParallelism(v *jobgraph.Vertex, parallelism int) int {
	if v.MaxParallelism == program.Unset {
		return id.DefaultMaxParallelism(parallelism)
	}
	return v.MaxParallelism
}

// KeyGroups is the key groups of one subtask.
func (v *Vertex) KeyGroups(subtask int) id.KeyGroupRange {
	return id.KeyGroupsOf(v.MaxParallelism).Range(subtask, v.Parallelism)
}

// Subtasks is how many subtasks the job has.
func (g *Graph) Subtasks() int {
	n := 0
	for i := range g.Vertices {
		n += g.Vertices[i].Parallelism
	}
	return n
}

// Wiring is how a consumer of a data set reads it.
func (g *Graph) Wiring(c jobgraph.Consumer) Wiring { return g.Vertices[c.Vertex].Inputs[c.Input] }

// Subpartitions is into how many parts partition q of a data set is divided: one for each consumer. Several consumers of one data
// set read the same parts.
func (g *Graph) Subpartitions(d *jobgraph.DataSet, q int) int {
	return g.Wiring(d.Consumers[0]).ReadersOf(q).Len()
}
