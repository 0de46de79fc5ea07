package streamgraph

import "github.com/flott-dev/flott/internal/graph/program"

// configure starts the graph with what the program's settings say of it as a whole.
func (b *builder) configure() {
	c := &b.program.Config
	b.batch = b.runsAsBatch()
	b.graph = &Graph{
		JobName:                      c.JobName,
		JobType:                      Streaming,
		Dynamic:                      b.batch && c.AdaptiveBatch,
		Chaining:                     c.Chaining,
		ChainDifferentMaxParallelism: c.ChainDifferentMaxParallelism,
		OneSlotSharingGroup:          !b.batch,
		AutoParallelism:              c.AutoParallelism,
		ApproximateLocalRecovery:     c.ApproximateLocalRecovery,
		Checkpointing:                Checkpointing{IntervalMs: c.CheckpointIntervalMs, Unaligned: c.Unaligned},
		VertexNames:                  VertexNames{Cascading: c.CascadingDescriptions, IndexPrefix: c.VertexIndexPrefix},
		Resources:                    c.Resources,
		Restart:                      c.Restart,
	}
	if b.batch {
		b.configureBatch()
	} else {
		b.configureStreaming()
	}
	if len(b.program.Operators) == 0 {
		b.reject(nil, "no operators defined: a program needs at least a source and a sink")
	}
}

func (b *builder) configureStreaming() {
	c := &b.program.Config
	b.jobName("Flink Streaming Job")
	b.graph.Exchanges = AllPipelined
	if c.ApproximateLocalRecovery {
		b.graph.Exchanges = AllPipelinedApproximate
		if c.Unaligned {
			b.reject(nil, "approximate local recovery does not work with unaligned checkpoints")
		}
	}
}

func (b *builder) configureBatch() {
	c := &b.program.Config
	b.jobName("Flink Batch Job")
	b.graph.JobType = Batch
	b.graph.Checkpointing.IntervalMs = program.Unset
	b.graph.Exchanges = exchangesOf(c.BatchShuffle)
	if len(c.Resources) > 0 {
		b.graph.Exchanges = AllBlocking // pipelined edges could deadlock: slots of different sizes are not interchangeable
	}
	if c.BatchState && !c.SortedInputs {
		b.reject(nil, "the batch state backend needs sorted inputs")
	}
}

func (b *builder) jobName(fallback string) {
	if b.graph.JobName == "" {
		b.graph.JobName = fallback
	}
}

func exchangesOf(s program.BatchShuffle) GlobalExchange {
	switch s {
	case program.ShufflePipelined:
		return AllPipelined
	case program.ShuffleHybridFull:
		return AllHybridFull
	case program.ShuffleHybridSelective:
		return AllHybridSelective
	}
	return AllBlocking
}

// runsAsBatch decides between the two kinds of job. A batch job ends, so it may not read a source that does not.
func (b *builder) runsAsBatch() bool {
	endless := b.endlessSource()
	switch b.program.Config.Mode {
	case program.AutomaticMode:
		return endless == nil
	case program.BatchMode:
		if endless != nil {
			b.reject(endless, "an unbounded source cannot be read in batch mode")
		}
		return true
	}
	return false
}

// endlessSource finds an unbounded source from which an operator reads; nil: there is none.
func (b *builder) endlessSource() *program.Transformation {
	seen := map[*program.Transformation]bool{}
	for _, t := range b.program.Operators {
		if s := endlessAbove(t, seen); s != nil {
			return s
		}
	}
	return nil
}

func endlessAbove(t *program.Transformation, seen map[*program.Transformation]bool) *program.Transformation {
	if seen[t] {
		return nil
	}
	seen[t] = true
	if endless(t) {
		return t
	}
	for _, in := range t.Inputs {
		if t.Kind == program.KindCache && t.Cache.Exists {
			continue // it is read instead
		}
		if t.Kind == program.KindBroadcastState && !endless(in) {
			continue // Flink does not look further, so that it may run such a program as a batch
		}
		if s := endlessAbove(in, seen); s != nil {
			return s
		}
	}
	return nil
}

func endless(t *program.Transformation) bool {
	return (t.Kind == program.KindSource || t.Kind == program.KindLegacySource) && !t.Bounded
}

func (b *builder) reject(t *program.Transformation, format string, args ...any) {
	b.rejections.Add(t, format, args...)
}
