package program

// Chaining is an operator's wish about its neighbours, Flink's ChainingStrategy.
type Chaining string

const (
	ChainAlways          Chaining = "ALWAYS"
	ChainHead            Chaining = "HEAD"
	ChainNever           Chaining = "NEVER"
	ChainHeadWithSources Chaining = "HEAD_WITH_SOURCES"
)

// Strategy names a partitioner as plans print it.
type Strategy string

const (
	Forward   Strategy = "FORWARD"
	Rebalance Strategy = "REBALANCE"
	Shuffle   Strategy = "SHUFFLE"
	Rescale   Strategy = "RESCALE"
	Broadcast Strategy = "BROADCAST"
	Global    Strategy = "GLOBAL"
	Hash      Strategy = "HASH"
	Custom    Strategy = "CUSTOM"
)

// Pointwise says that one producer feeds only some of the consumers.
func (s Strategy) Pointwise() bool { return s == Forward || s == Rescale }

// Exchange is how an edge moves data: at once, or stage after stage.
type Exchange string

const (
	ExchangeUndefined Exchange = "UNDEFINED"
	ExchangePipelined Exchange = "PIPELINED"
	ExchangeBatch     Exchange = "BATCH"
)

// MemoryUse is a use of managed memory.
type MemoryUse string

const (
	MemoryOperator     MemoryUse = "OPERATOR"
	MemoryStateBackend MemoryUse = "STATE_BACKEND"
)

// A Type is the element type of a stream. Types are compared with ==. The typed layer puts into it what it needs to move such
// elements; graphs only compare and print it.
type Type interface{ String() string }

// A Tag names a side output.
type Tag struct {
	Name string
	Type Type
}

// Resources are what a slot sharing group asks for, as registered with the environment.
type Resources struct {
	CPU               float64
	HeapMB, ManagedMB int
}
