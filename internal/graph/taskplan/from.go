package taskplan

import (
	"github.com/flott-dev/flott/internal/graph/execgraph"
	"github.com/flott-dev/flott/internal/graph/jobgraph"
	"github.com/flott-dev/flott/internal/graph/streamgraph"
	"github.com/flott-dev/flott/internal/id"
)

// From is the plans of all tasks, by vertex and subtask.
func From(g *execgraph.Graph) []*Plan {
	plans := make([]*Plan, 0, g.Subtasks())
	for v := range g.Vertices {
		shared := Of(g, v)
		for i := range g.Vertices[v].Parallelism {
			plans = append(plans, shared.Plan(i, g.Vertices[v].Executions[i].Attempt))
		}
	}
	return plans
}

// Of is what all tasks of a vertex share.
func Of(g *execgraph.Graph, vertex int) *Vertex {
	v := &g.Vertices[vertex]
	return &Vertex{
		Job:            g.Job.ID,
		JobName:        g.Job.Name,
		ID:             v.Job.ID,
		Index:          vertex,
		Name:           v.Job.Name,
		Task:           v.Job.Task,
		Parallelism:    v.Parallelism,
		MaxParallelism: v.MaxParallelism,
		Chain:          chain(v.Job),
		Head:           v.Job.Head(),
		Gates:          gates(g, vertex),
		Partitions:     partitions(g, vertex),
	}
}

// Plan is the plan of one task.
func (v *Vertex) Plan(subtask, attempt int) *Plan {
	return &Plan{
		Vertex:    v,
		Subtask:   subtask,
		Attempt:   attempt,
		KeyGroups: id.KeyGroupsOf(v.MaxParallelism).Range(subtask, v.Parallelism),
	}
}

func chain(v *jobgraph.Vertex) []Operator {
	operators := make([]Operator, len(v.Chain))
	for i := range v.Chain {
		o := &v.Chain[i]
		operators[i] = Operator{
			ID:               o.ID,
			Name:             o.Name,
			Inputs:           inputs(o),
			MemoryFractions:  o.MemoryFractions,
			NoOutputUntilEnd: o.NoOutputUntilEnd,
			Coordinated:      o.Coordinated,
		}
		for _, c := range o.Chained {
			operators[i].Chained = append(operators[i].Chained, Chained{Target: c.Target, Tag: c.Tag})
		}
		for _, out := range o.Outputs {
			operators[i].Outputs = append(operators[i].Outputs, Output{Partition: out, Tag: v.Produces[out].Tag})
		}
	}
	for i, from := range v.Chain[v.Head()].Inputs {
		if from.Kind == jobgraph.ChainedInput {
			source := &operators[from.Source]
			source.Chained = append(source.Chained, Chained{Target: v.Head(), Input: i, Tag: from.Tag})
		}
	}
	return operators
}

func inputs(o *jobgraph.Operator) []Input {
	in := make([]Input, len(o.Inputs))
	for i, from := range o.Inputs {
		in[i] = Input{Gate: -1, Source: -1, Sorted: from.Requirement == streamgraph.Sorted}
		switch {
		case from.Kind == jobgraph.ChainedInput:
			in[i].Source = from.Source
		case o.Head() && fed(o, i):
			in[i].Gate = from.Gate
		}
	}
	return in
}

// fed says that other tasks feed input i of a head. What reads a cached data set has an input without a producer.
func fed(head *jobgraph.Operator, i int) bool {
	return head.Inputs[i].Kind == jobgraph.Network && head.Cached == id.DataSet{}
}

func gates(g *execgraph.Graph, vertex int) []Gate {
	v := &g.Vertices[vertex]
	head := &v.Job.Chain[v.Job.Head()]
	var gates []Gate
	for i := range head.Inputs {
		if fed(head, i) {
			gates = append(gates, Gate{})
		}
	}
	for k := range v.Job.Inputs {
		in := &v.Job.Inputs[k]
		producer := &g.Vertices[in.Producer]
		gate := &gates[gateOf(v.Job, in)]
		gate.Input = in.Number()
		gate.Edges = append(gate.Edges, GateEdge{
			ID:            EdgeID{Consumer: v.Job.ID, Input: in.Number(), Index: in.Index},
			Producer:      producer.Job.ID,
			ProducerIndex: in.Producer,
			DataSet:       producer.Job.Produces[in.DataSet].ID,
			Partitioner:   in.Partitioner,
			Wiring:        v.Inputs[k],
		})
	}
	return gates
}

// gateOf is the gate of v that an edge belongs to.
func gateOf(v *jobgraph.Vertex, in *jobgraph.Input) int {
	return v.Chain[v.Head()].Inputs[in.Number()].Gate
}

func partitions(g *execgraph.Graph, vertex int) []Partition {
	v := g.Vertices[vertex].Job
	partitions := make([]Partition, len(v.Produces))
	for k := range v.Produces {
		d := &v.Produces[k]
		partitions[k] = Partition{
			DataSet:         d.ID,
			Operator:        d.Operator,
			Result:          d.Result,
			Partitioner:     d.Partitioner,
			BufferTimeoutMs: d.BufferTimeoutMs,
			Targets:         make([]Target, len(d.Consumers)),
		}
		for i, c := range d.Consumers {
			partitions[k].Targets[i] = target(g, c)
		}
	}
	return partitions
}

// target is an input of another vertex, seen from its producer.
func target(g *execgraph.Graph, c jobgraph.Consumer) Target {
	v := &g.Vertices[c.Vertex]
	in := &v.Job.Inputs[c.Input]
	t := Target{
		Edge:           EdgeID{Consumer: v.Job.ID, Input: in.Number(), Index: in.Index},
		Vertex:         v.Job.ID,
		VertexIndex:    c.Vertex,
		MaxParallelism: v.MaxParallelism,
		Gate:           gateOf(v.Job, in),
		Wiring:         g.Wiring(c),
	}
	for k := range c.Input {
		if gateOf(v.Job, &v.Job.Inputs[k]) == t.Gate {
			t.Before.add(v.Inputs[k])
			t.Position++
		}
	}
	return t
}
