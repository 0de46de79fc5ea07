// Package taskplan is the last of the four graphs: what one task is told to run. It is plain data, and all that code below
// data knows of a job. Operators are named by their ids; the binary that runs the task finds their constructors by these, and
// the typed edges (key selector, partitioner, element type) by Edge.
package taskplan

import (
	"github.com/flott-dev/flott/internal/graph/execgraph"
	"github.com/flott-dev/flott/internal/graph/jobgraph"
	"github.com/flott-dev/flott/internal/graph/program"
	"github.com/flott-dev/flott/internal/graph/streamgraph"
	"github.com/flott-dev/flott/internal/id"
)

// A Plan is what one task gets. Vertex is shared by all subtasks of a vertex and must not be changed; the rest is the task's own.
type Plan struct {
	*Vertex
	Subtask   int
	Attempt   int
	KeyGroups id.KeyGroupRange
}

// A Vertex is what all tasks of a job vertex have in common.
type Vertex struct {
	Job            id.Job
	JobName        string
	ID             id.Vertex
	Index          int // in the job
	Name           string
	Task           streamgraph.TaskClass
	Parallelism    int
	MaxParallelism int

	Chain      []Operator  // operators before their successors: chained sources, then the head, then by distance from the head
	Head       int         // index in Chain: the number of chained sources
	Gates      []Gate      // one per input of the head that other tasks feed
	Partitions []Partition // one per data set that the task produces
}

// An Operator is one operator of the chain.
type Operator struct {
	ID      id.Operator
	Name    string
	Inputs  []Input   // by input index
	Chained []Chained // successors in the chain, in order
	Outputs []Output  // ways out of the task, in order

	MemoryFractions  map[program.MemoryUse]float64
	NoOutputUntilEnd bool
}

// An Input says where one input of an operator comes from. Exactly one of its indexes is set.
//
// The one input of a chained operator that is no head comes from its predecessor's Chained; both are -1 then, as they are for the
// input that a source has in name only.
type Input struct {
	Gate   int    // index in Gates; -1: not a gate
	Source int    // index in Chain of a chained source; -1: none
	Sorted bool   // a batch operator wants it sorted by key
	Edge   EdgeID // of an input that comes from the chain: how to find its typed edge
}

// A Chained output is a successor in the same chain. What an operator emits goes to all its outputs with the tag.
type Chained struct {
	Target int    // index in Chain
	Input  int    // input index of the target
	Tag    string // side output; "": the main output
}

// An Output is a way out of the task. What an operator emits goes to all its outputs with the tag.
type Output struct {
	Partition int    // index in Partitions
	Tag       string // side output; "": the main output
}

// An EdgeID finds a typed edge in the program: the Index-th in-edge, from 0, of an operator's input.
type EdgeID struct {
	Consumer id.Operator
	Input    int // input index, from 0
	Index    int // among the edges of this input
}

// A Gate is one input of the head. Its channels are numbered over its edges in order: the first edge's producers, the second's ...
type Gate struct {
	Input int // input index of the head
	Edges []GateEdge
}

// A GateEdge is the channels of a gate that come from one data set.
type GateEdge struct {
	ID          EdgeID
	Producer    id.Vertex
	DataSet     id.DataSet
	Partitioner program.Strategy
	Wiring      execgraph.Wiring
}

// A Partition is the part of a data set that one task produces.
type Partition struct {
	DataSet         id.DataSet
	Operator        int // index in Chain of the one that fills it
	Result          jobgraph.ResultType
	Partitioner     program.Strategy
	BufferTimeoutMs int64 // -1: only full blocks are sent
	Targets         []Target
}

// A Target is one reader of a partition: an edge to an input of another vertex. Every target gets all records of the partition,
// distributed over its subtasks by the partitioner.
type Target struct {
	Edge           EdgeID
	Vertex         id.Vertex
	VertexIndex    int // in the job
	MaxParallelism int // of the consumer: key groups are counted in it
	Gate           int // gate of the consumer
	Position       int // of the edge in that gate
	Wiring         execgraph.Wiring
	Before         []execgraph.Wiring // the edges of the gate before this one
}
