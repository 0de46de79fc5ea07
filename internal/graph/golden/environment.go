package golden

import "github.com/flott-dev/flott/internal/graph/program"

// config is the settings on top of the defaults.
func (e *Environment) config() (c program.Config, err error) {
	c = program.Defaults()
	if or(e.Parallelism, unknownParallelism) != unknownParallelism {
		c.Parallelism = *e.Parallelism
	}
	set(&c.MaxParallelism, chosen(e.MaxParallelism))
	set(&c.AutoParallelism, e.AutoParallelism)
	set(&c.SortedInputs, e.SortedInputs)
	set(&c.BatchState, e.BatchStateBackend)
	set(&c.Chaining, e.Chaining)
	set(&c.ChainDifferentMaxParallelism, e.ChainDifferentMaxParallelism)
	set(&c.BufferTimeoutMs, e.BufferTimeoutMs)
	set(&c.CheckpointIntervalMs, chosen(e.CheckpointIntervalMs))
	set(&c.Unaligned, e.Unaligned)
	set(&c.ApproximateLocalRecovery, e.ApproximateLocalRecovery)
	set(&c.GenerateUIDs, e.AutoGenerateUIDs)
	set(&c.VertexIndexPrefix, e.VertexNameIndexPrefix)
	c.Resources = e.resources()
	if c.Mode, err = word("runtimeMode", or(e.RuntimeMode, ""), c.Mode, modes); err != nil {
		return c, err
	}
	if c.AdaptiveBatch, err = word("scheduler", or(e.Scheduler, ""), true, schedulers); err != nil {
		return c, err
	}
	if c.BatchShuffle, err = word("batchShuffleMode", or(e.BatchShuffleMode, ""), c.BatchShuffle, shuffleModes); err != nil {
		return c, err
	}
	c.CascadingDescriptions, err = word("vertexDescriptionMode", or(e.VertexDescriptionMode, ""), false, descriptionModes)
	return c, err
}

// unknownParallelism is a parallelism that Flink does not listen to.
const unknownParallelism = -2

func set[T any](field *T, value *T) {
	if value != nil {
		*field = *value
	}
}

// chosen is a number that the spec chose: where it chose the one that stands for none, Flink refuses it like any negative number.
func chosen[T int | int64](n *T) *T {
	if n != nil && *n == program.Unset {
		return new(T(-2))
	}
	return n
}

// resources are those of the groups that ask for some; only they are known to the program.
func (e *Environment) resources() map[string]program.Resources {
	groups := map[string]program.Resources{}
	for _, g := range e.SlotSharingGroups {
		if g.CPU != nil || g.HeapMB != nil || g.ManagedMB != nil {
			groups[g.Name] = program.Resources{CPU: or(g.CPU, 0), HeapMB: or(g.HeapMB, 0), ManagedMB: or(g.ManagedMB, 0)}
		}
	}
	return groups
}

var (
	modes = map[string]program.Mode{
		"STREAMING": program.StreamingMode,
		"BATCH":     program.BatchMode,
		"AUTOMATIC": program.AutomaticMode,
	}
	schedulers   = map[string]bool{"Default": false, "AdaptiveBatch": true} // adaptive?
	shuffleModes = map[string]program.BatchShuffle{
		"ALL_EXCHANGES_BLOCKING":         program.ShuffleBlocking,
		"ALL_EXCHANGES_PIPELINED":        program.ShufflePipelined,
		"ALL_EXCHANGES_HYBRID_FULL":      program.ShuffleHybridFull,
		"ALL_EXCHANGES_HYBRID_SELECTIVE": program.ShuffleHybridSelective,
	}
	descriptionModes = map[string]bool{"TREE": false, "CASCADING": true} // cascading?
)
