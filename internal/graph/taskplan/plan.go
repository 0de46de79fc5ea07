// Package taskplan is the last of the four graphs: what one task is told to run. It is plain data, and all that the code below
// internal/data knows of a job.
//
// Of(g, vertex) is what all tasks of a vertex share, From(g) the plans of all tasks. A plan says four things:
//
//	Chain       which operators run, and how each hands records to the next
//	Gates       where the inputs of the first operator come from
//	Partitions  where the outputs go that leave the task
//	the rest    which part of the work is this task's: subtask, key groups, attempt
//
//	   gate 0  ==> channel 0 ... n-1 ==> +------+   Chained    +----------+   Outputs    +-------------+
//	                                     | head | ------------>| operator | ------------>| partition 0 | ==> targets
//	   gate 1  ==> channel 0 ... m-1 ==> +------+   (a call)   +----------+              +-------------+
//
// A plan holds no function. Operators are found in the program by their ID, and what is typed about an edge (key selector,
// partitioner, codec, element type) by its EdgeID; jobgraph.Binding does both. The edge along a Chained output is
// EdgeID{ID of the target, Input, 0}, as an input that is fed from the chain has no other.
//
// An operator emits to its main output and to side outputs, told apart by tag. A record goes to every Chained and every Output
// with the tag under which it was emitted, and nowhere if there is none. A partition has one such tag, too: its operator and the
// tag are those of the Output that names it.
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
	Gates      []Gate      // one per input of the head that other tasks feed, in the order of the head's first in-edges
	Partitions []Partition // one per data set that the vertex produces
}

// An Operator is one operator of the chain.
type Operator struct {
	ID      id.Operator
	Name    string
	Inputs  []Input   // by input index, from 0
	Chained []Chained // successors in the chain, in the order in which they get a record
	Outputs []Output  // ways out of the task, likewise

	MemoryFractions  map[program.MemoryUse]float64 // of the managed memory of the slot
	NoOutputUntilEnd bool                          // sends nothing before its input has ended
	Coordinated      bool                          // a source that asks its coordinator for splits
}

// An Input says where one input of an operator comes from. At most one of its indexes is not -1: only the head has gates and
// chained sources. The input of an operator further down the chain comes from its predecessor.
type Input struct {
	Gate   int  // index in Gates
	Source int  // index in Chain of a chained source
	Sorted bool // a batch operator wants it sorted by key
}

// A Chained output is a successor in the same chain.
type Chained struct {
	Target int    // index in Chain
	Input  int    // input index of the target; not 0 only where a chained source feeds one of several
	Tag    string // side output; "": the main output
}

// An Output is a way out of the task.
type Output struct {
	Partition int    // index in Partitions
	Tag       string // side output; "": the main output
}

// An EdgeID finds a typed edge in the program.
type EdgeID struct {
	Consumer id.Operator
	Input    int // input index, from 0
	Index    int // among the in-edges of this input, from 0
}

// A Gate is one input of the head. Its channels are numbered over its edges in order: those of the first edge's producers, then
// those of the second's, and so on. See Channels, Range and Producers.
type Gate struct {
	Input int // input index of the head
	Edges []GateEdge
}

// A GateEdge is the part of a gate that reads one data set. Two edges of a self-union may read the same one.
type GateEdge struct {
	ID            EdgeID
	Producer      id.Vertex
	ProducerIndex int // in the job
	DataSet       id.DataSet
	Partitioner   program.Strategy
	Wiring        execgraph.Wiring
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
// dealt out to its subtasks by the partitioner. A pipelined partition has one target; the targets of others have equal partitioners
// and equal parallelism, so that one division into parts serves all. See Consumers, Consumer and Channel.
type Target struct {
	Edge           EdgeID
	Vertex         id.Vertex
	VertexIndex    int // in the job
	MaxParallelism int // of the consumer: key groups are counted in it
	Gate           int // index of the gate at the consumer
	Position       int // of the edge in that gate
	Wiring         execgraph.Wiring
	Before         Before // the channels in front of this edge's in that gate
}
