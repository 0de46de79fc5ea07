// Package streamgraph is the first of the four graphs: the operators of a program and the edges between them, before any of
// them is chained. It is built by From out of a program's transformations, and is a plain value: nodes in order of their ids,
// edges in order of their creation.
package streamgraph

import "github.com/flott-dev/flott/internal/graph/program"

// A Graph is a compiled program: what its operators are and how records travel between them.
type Graph struct {
	JobName   string
	JobType   JobType
	Dynamic   bool // the adaptive batch scheduler decides parallelism while the job runs
	Exchanges GlobalExchange

	Chaining                     bool
	ChainDifferentMaxParallelism bool
	OneSlotSharingGroup          bool // all vertices of the default group share slots, not only those of one region
	AutoParallelism              bool
	ApproximateLocalRecovery     bool
	Checkpointing                Checkpointing
	Restart                      program.RestartStrategy
	VertexNames                  VertexNames
	Resources                    map[string]program.Resources // of slot sharing groups that have any, by name

	Nodes             []*Node // by ascending id
	VirtualPartitions []VirtualPartition
	VirtualSides      []VirtualSide
}

// JobType tells a job that may run for ever from one that ends by itself.
type JobType string

const (
	Streaming JobType = "STREAMING"
	Batch     JobType = "BATCH"
)

// VertexNames says how job vertices are described.
type VertexNames struct {
	Cascading   bool // "a -> b" instead of a tree of lines
	IndexPrefix bool // "[vertex-3]" in front of each name
}

// Checkpointing holds the settings that reach the graphs.
type Checkpointing struct {
	IntervalMs int64 // -1: off
	Unaligned  bool
}

// Enabled says whether checkpoints are on.
func (c Checkpointing) Enabled() bool { return c.IntervalMs > 0 }

// A Node is one operator.
type Node struct {
	ID          int // of its transformation, or taken while translating (sink expansion, cache)
	Name        string
	Description string
	Task        TaskClass

	Parallelism           int
	ParallelismConfigured bool
	MaxParallelism        int // -1: not set
	SlotSharingGroup      string
	CoLocation            string
	HasCoLocation         bool // an empty key is one, too
	Chaining              program.Chaining
	BufferTimeoutMs       int64 // -1: only full blocks are sent
	UID                   string
	HasUID                bool // an empty uid is an error later, so absence is not ""
	UserHash              string

	LegacySource bool
	NewSource    bool // FLIP-27
	Source       bool // in the set of sources: also cache readers
	LegacySink   bool
	Yielding     bool // its chain may not be headed by a legacy source

	InputRequirements  map[int]Requirement // by input index; absent: not set
	OperatorWeights    map[program.MemoryUse]int
	SlotUses           map[program.MemoryUse]bool
	EndOutputOnly      bool // emits only at end of stream
	InputSelectable    bool
	ConcurrentAttempts bool
	ConsumeClusterData string // id of the cached data set that this node reads; "": none
	In, Out            []*Edge
	Transformation     *program.Transformation // what made this node: of a sink's parts, one that translation made
}

// TaskClass is the kind of task that runs a vertex headed by a node.
type TaskClass string

const (
	SourceTask         TaskClass = "SourceStreamTask"
	SourceOperatorTask TaskClass = "SourceOperatorStreamTask"
	OneInputTask       TaskClass = "OneInputStreamTask"
	TwoInputTask       TaskClass = "TwoInputStreamTask"
	MultipleInputTask  TaskClass = "MultipleInputStreamTask"
)

// Requirement is what a batch operator wants of one input.
type Requirement string

const (
	Sorted      Requirement = "SORTED"
	PassThrough Requirement = "PASS_THROUGH"
)

// An Edge carries records from one node to another.
type Edge struct {
	ID              string // unique in the graph together with the tag; fixed when the edge is made
	Source, Target  *Node
	TypeNumber      int // 0 for one-input operators, 1 and 2 for two inputs, i+1 for many
	Unique          int // number of earlier edges between the same two nodes
	Partitioner     Partitioner
	Exchange        program.Exchange
	Tag             *program.Tag // nil: the main output
	Type            program.Type // of the records on this edge
	BufferTimeoutMs int64
	Unaligned       bool   // supports unaligned checkpoints
	DataSetToKeep   string // id of the cached data set that this edge produces; "": none

	InterInputsKeysCorrelated bool
	IntraInputKeyCorrelated   bool
}

// A Partitioner says which subtask of the consumer gets a record.
type Partitioner struct {
	Strategy program.Strategy
	// Unspecified marks a FORWARD that no one asked for, in a dynamic graph: it becomes RESCALE when the edge is not chained.
	Unspecified bool
	// Object tells HASH and CUSTOM partitioners apart: equal exactly when it is the same transformation's. Unused for others.
	Object any
	// Typed is what the program's typed layer needs to run this edge (key selector, function); graphs carry it unopened.
	Typed any
}

// GlobalExchange is the exchange of edges that name none themselves.
type GlobalExchange string

const (
	AllPipelined            GlobalExchange = "ALL_EDGES_PIPELINED"
	AllPipelinedApproximate GlobalExchange = "ALL_EDGES_PIPELINED_APPROXIMATE"
	AllBlocking             GlobalExchange = "ALL_EDGES_BLOCKING"
	AllHybridFull           GlobalExchange = "ALL_EDGES_HYBRID_FULL"
	AllHybridSelective      GlobalExchange = "ALL_EDGES_HYBRID_SELECTIVE"
)

// A VirtualPartition is a partitioning between two operators, folded into edges.
type VirtualPartition struct {
	ID, Original int
	Strategy     program.Strategy
	Exchange     program.Exchange
}

// A VirtualSide is a side output between two operators, folded into edges.
type VirtualSide struct {
	ID, Original int
	Tag          *program.Tag
}
