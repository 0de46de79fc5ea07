package program

import (
	"maps"
	"slices"
)

// MaxParallelismLimit is the largest maximum parallelism, and so the largest number of key groups.
const MaxParallelismLimit = 1 << 15

// Unset is a parallelism, maximum parallelism or timeout that nobody chose.
const Unset = -1

// A Config holds the settings of a whole program. Start from Defaults.
type Config struct {
	JobName        string // "": Flink's default
	Parallelism    int    // of operators that choose none
	MaxParallelism int    // of operators that choose none; Unset: computed from the parallelism
	Mode           Mode

	AdaptiveBatch   bool // batch jobs only: parallelism is decided while the job runs
	AutoParallelism bool // with AdaptiveBatch: even of operators that nobody configured
	BatchShuffle    BatchShuffle
	SortedInputs    bool // batch jobs only: keyed operators get their input sorted
	BatchState      bool // batch jobs only: state for one key at a time, needs SortedInputs

	Chaining                     bool
	ChainDifferentMaxParallelism bool
	BufferTimeoutMs              int64 // Unset: only full buffers are sent
	CheckpointIntervalMs         int64 // Unset: no checkpoints
	Unaligned                    bool
	ApproximateLocalRecovery     bool
	GenerateUIDs                 bool // false: each operator must have a uid
	CascadingDescriptions        bool // "a -> b" instead of a tree of lines
	VertexIndexPrefix            bool // "[vertex-3]" before each vertex name

	Restart RestartStrategy

	Resources map[string]Resources // of the slot sharing groups that have some
}

// Defaults are Flink's.
func Defaults() Config {
	return Config{
		Parallelism:                  1,
		MaxParallelism:               Unset,
		Mode:                         StreamingMode,
		AdaptiveBatch:                true,
		AutoParallelism:              true,
		BatchShuffle:                 ShuffleBlocking,
		SortedInputs:                 true,
		BatchState:                   true,
		Chaining:                     true,
		ChainDifferentMaxParallelism: true,
		BufferTimeoutMs:              100,
		CheckpointIntervalMs:         Unset,
		GenerateUIDs:                 true,
		Restart:                      DefaultRestart(),
	}
}

// Mode says whether a program is run as a stream or as a batch.
type Mode string

const (
	StreamingMode Mode = "STREAMING"
	BatchMode     Mode = "BATCH"
	AutomaticMode Mode = "AUTOMATIC" // batch if all sources are bounded
)

// BatchShuffle is how batch jobs exchange data where an edge does not say.
type BatchShuffle string

const (
	ShuffleBlocking        BatchShuffle = "ALL_EXCHANGES_BLOCKING"
	ShufflePipelined       BatchShuffle = "ALL_EXCHANGES_PIPELINED"
	ShuffleHybridFull      BatchShuffle = "ALL_EXCHANGES_HYBRID_FULL"
	ShuffleHybridSelective BatchShuffle = "ALL_EXCHANGES_HYBRID_SELECTIVE"
)

// leastCPU is the least part of a core that counts: cores have 8 decimals.
const leastCPU = 0.5e-8

func (p *Program) checkConfig() {
	c := p.Config
	if c.Parallelism < 1 && c.Parallelism != Unset {
		p.Reject(nil, "the default parallelism is %d; it must be at least 1", c.Parallelism)
	}
	if c.MaxParallelism != Unset && (c.MaxParallelism < 1 || c.MaxParallelism > MaxParallelismLimit) {
		p.Reject(nil, "the default max parallelism is %d; it must be between 1 and %d", c.MaxParallelism, MaxParallelismLimit)
	}
	if c.BufferTimeoutMs < Unset {
		p.Reject(nil, "the buffer timeout is %d ms; it must not be negative, or be -1 for none", c.BufferTimeoutMs)
	}
	if c.CheckpointIntervalMs != Unset && c.CheckpointIntervalMs < 10 {
		p.Reject(nil, "the checkpoint interval is %d ms; it must be at least 10 ms", c.CheckpointIntervalMs)
	}
	for _, name := range slices.Sorted(maps.Keys(c.Resources)) {
		if r := c.Resources[name]; r.CPU < leastCPU || r.HeapMB <= 0 || r.ManagedMB < 0 {
			p.Reject(nil, "slot sharing group %q asks for %v CPU cores, %d MB of heap and %d MB of managed memory; the first two must be positive, the third not negative",
				name, r.CPU, r.HeapMB, r.ManagedMB)
		}
	}
}
