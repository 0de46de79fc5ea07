// Package jobgraph is the second of the four graphs: operators joined into chains, and the data sets between them. A chain is a
// vertex, the unit that is deployed; what travels inside of it is a call.
//
// From builds it out of a stream graph. It is plain data with indexes instead of pointers, and is what a client ships to a
// cluster. What cannot be shipped (functions, key selectors, types) stays in the stream graph; Bind finds it again.
package jobgraph

import (
	"github.com/flott-dev/flott/internal/graph/program"
	"github.com/flott-dev/flott/internal/graph/streamgraph"
	"github.com/flott-dev/flott/internal/id"
)

// A Graph is one job. Vertices refer to each other by their index in Vertices.
type Graph struct {
	ID                       id.Job
	Name                     string
	Type                     streamgraph.JobType
	Dynamic                  bool // parallelism of some vertices may be decided while the job runs
	ApproximateLocalRecovery bool
	Checkpointing            Checkpointing
	Restart                  program.RestartStrategy
	VertexNames              streamgraph.VertexNames

	Vertices          []Vertex // in topological order: producers before consumers
	Created           []int    // the vertices in the order in which Flink creates them, consumers first; its JSON plan has this order
	SlotSharingGroups []SlotSharingGroup
	CoLocationGroups  []CoLocationGroup
}

// Checkpointing says when and how checkpoints are taken.
type Checkpointing struct {
	IntervalMs    int64 // NoCheckpoints when they are off
	TimeoutMs     int64
	MinPauseMs    int64
	MaxConcurrent int
	ExactlyOnce   bool
	Unaligned     bool
}

// NoCheckpoints is the interval of a job without checkpoints, Flink's largest number.
const NoCheckpoints int64 = 1<<63 - 1

// A Vertex is one chain of operators, run by Parallelism tasks.
type Vertex struct {
	ID                    id.Vertex // of the operator at the head
	Name                  string    // of its operators, as `a -> (b, c)`
	Task                  streamgraph.TaskClass
	Parallelism           int // -1: decided while a dynamic job runs
	ParallelismConfigured bool
	MaxParallelism        int // -1: not set
	ConcurrentAttempts    bool
	Coordinators          int // operators with a part that runs beside the tasks: one per source with splits

	Chain    []Operator // by chain index, then node: chained sources, the head, its successors by distance from the head
	Listed   []int      // the chain without chained sources, in Flink's order of operator ids: successors first, head last
	Inputs   []Input    // edges from other vertices, by creation of the producers
	Produces []DataSet

	SlotSharingGroup int // index
	CoLocationGroup  int // index; -1: none
}

// An Operator is one operator of a chain.
type Operator struct {
	ID          id.Operator
	UserHash    string // set by the user instead of the generated id, lower case; "": none
	UID         string
	HasUID      bool
	Node        int // id in the stream graph
	Name        string
	Description string

	ChainIndex       int             // 1: the head; 0: a source chained in front of it; else distance from the head plus 1
	Inputs           []OperatorInput // by input index
	Chained          []ChainedOutput
	Outputs          []int                         // data sets, as indexes in the vertex's Produces
	MemoryFractions  map[program.MemoryUse]float64 // of the managed memory of its slot
	NoOutputUntilEnd bool                          // sends nothing before its input has ended
	Coordinated      bool                          // has a coordinator: a source with splits
	Cached           id.DataSet                    // the data set of an earlier job that it reads; zero: none
}

// Head says that the operator is the first of its chain.
func (o *Operator) Head() bool { return o.ChainIndex == 1 }

// Source says that the operator makes its records itself.
func (o *Operator) Source() bool { return len(o.Inputs) == 0 }

// ChainedSource says that the operator is a source in front of the head.
func (o *Operator) ChainedSource() bool { return o.ChainIndex == 0 }

// An OperatorInput says where one input of an operator comes from.
type OperatorInput struct {
	Kind        InputKind
	Gate        int                     // Network: gates of a vertex count by the head's inputs, in the order of its first in-edges
	Requirement streamgraph.Requirement // Network
	Source      int                     // ChainedInput: index of the chained source in the chain
	Edge        string                  // ChainedInput: id of its edge
	Tag         string                  // ChainedInput: of a side output; "": the main output
}

// InputKind tells inputs that come over the network from those that a source in the same chain feeds.
type InputKind string

// The kinds of inputs.
const (
	Unset        InputKind = ""        // nobody feeds it
	Network      InputKind = "network" // a gate, or for an operator further down the chain its predecessor, as Flink has it
	ChainedInput InputKind = "source"  // a source in front of it
)

// A ChainedOutput is an edge to a successor in the same chain.
type ChainedOutput struct {
	Edge   string // id
	Target int    // index in the chain
	Tag    string // of a side output; "": the main output
}

// A DataSet is what one operator of a vertex sends to one or more consumers; each of the vertex's tasks makes one partition of it.
// Edges that can read the same data set share it; what is said here of the edge is the same for all of them.
type DataSet struct {
	ID              id.DataSet
	Result          ResultType
	Operator        int    // index in the chain
	Tag             string // of a side output; "": the main output
	Partitioner     program.Strategy
	BufferTimeoutMs int64 // -1: only full blocks are sent
	Unaligned       bool  // supports unaligned checkpoints
	Consumers       []Consumer

	ConsumerParallelism    int // -1: decided while a dynamic job runs
	ConsumerMaxParallelism int // -1: not set
}

// A Consumer is an input of another vertex.
type Consumer struct{ Vertex, Input int }

// Pattern says which subtasks of a data set's producer and consumer are connected.
func (d *DataSet) Pattern() Pattern { return PatternOf(d.Partitioner) }

// An Input is one edge from another vertex to the head of this one.
type Input struct {
	Producer    int    // vertex
	DataSet     int    // index in the producer's Produces
	Edge        string // id of the edge in the stream graph
	Partitioner program.Strategy
	TypeNumber  int // the head's input: 0, or 1 and 2 for two inputs, i+1 for many
	Index       int // among the head's in-edges of the same type number, in the order of the stream graph

	InterInputsKeysCorrelated bool
	IntraInputKeyCorrelated   bool
}

// Pattern says which subtasks of producer and consumer are connected.
func (i *Input) Pattern() Pattern { return PatternOf(i.Partitioner) }

// Number is the index of the head's input that the edge feeds, from 0.
func (i *Input) Number() int { return InputNumber(i.TypeNumber) }

// InputNumber is the index of an operator's input, from 0, given the type number of an edge.
func InputNumber(typeNumber int) int { return max(0, typeNumber-1) }

// Pattern says which subtasks of producer and consumer are connected.
type Pattern string

// The patterns.
const (
	AllToAll  Pattern = "ALL_TO_ALL" // everybody with everybody
	Pointwise Pattern = "POINTWISE"  // each with a few, or one
)

// PatternOf is the pattern that a partitioner needs.
func PatternOf(s program.Strategy) Pattern {
	if s.Pointwise() {
		return Pointwise
	}
	return AllToAll
}

// ResultType says how a data set is kept and when it can be read.
type ResultType string

// The result types.
const (
	PipelinedBounded     ResultType = "PIPELINED_BOUNDED"     // read while it is made, in bounded memory
	PipelinedApproximate ResultType = "PIPELINED_APPROXIMATE" // likewise, but a consumer may start again in the middle
	Blocking             ResultType = "BLOCKING"              // read when it is complete
	BlockingPersistent   ResultType = "BLOCKING_PERSISTENT"   // kept for later jobs
	HybridFull           ResultType = "HYBRID_FULL"           // read while it is made or later, as often as wanted
	HybridSelective      ResultType = "HYBRID_SELECTIVE"      // likewise, but kept only as far as nobody has read it yet
)

// MustBePipelined says that consumers have to run together with the producer.
func (r ResultType) MustBePipelined() bool { return r == PipelinedBounded }

// Blocking says that consumers can start only when the producer has finished.
func (r ResultType) Blocking() bool { return r == Blocking || r == BlockingPersistent }

// Hybrid says that consumers may start before the producer has finished, or later.
func (r ResultType) Hybrid() bool { return r == HybridFull || r == HybridSelective }

// Reconsumable says that more than one consumer can read the data.
func (r ResultType) Reconsumable() bool { return r.Blocking() || r == HybridFull }

// A SlotSharingGroup is the vertices whose tasks may share slots.
type SlotSharingGroup struct {
	Name      string
	Vertices  []int              // in topological order
	Resources *program.Resources // nil: unknown
}

// A CoLocationGroup is the vertices whose tasks of equal subtask number must share a slot.
type CoLocationGroup struct {
	Key      string
	Vertices []int // in the order of Graph.Created
}
