package program

// A Partition says how records are dealt to the subtasks of the next operator.
type Partition struct {
	Strategy Strategy
	Exchange Exchange
	// Typed is what runs the partitioning: key selector or function.
	Typed any
	// Keyed says that what reads the stream has keyed state.
	Keyed bool
	// Identity tells hash and custom partitionings apart: two are equal exactly when it is the same transformation.
	Identity *Transformation
	// Aligned marks a partitioning that unaligned checkpoints may not overtake (behind a sink's writer).
	Aligned bool
}

// virtual adds a transformation with the parallelism of its first input.
func (p *Program) virtual(kind Kind, name string, inputs ...*Transformation) *Transformation {
	first := inputs[0]
	t := p.add(kind, name, first.OutputType, inputs...)
	t.fixParallelism(first.Parallelism)
	return t
}

func (p *Program) partition(in *Transformation, s Strategy, typed any) *Transformation {
	t := p.virtual(KindPartition, "Partition", in)
	t.Partition = &Partition{Strategy: s, Exchange: ExchangeUndefined, Typed: typed, Identity: t}
	return t
}

// Repartition deals records out anew. A keyed stream must keep its partitioning.
func (p *Program) Repartition(in *Transformation, s Strategy, typed any) *Transformation {
	if in.KeyedStream() {
		p.Reject(in, "a keyed stream cannot be partitioned anew (%s): its keys would lose their state", s)
	}
	return p.partition(in, s, typed)
}

// KeyBy partitions by a key.
func (p *Program) KeyBy(in *Transformation, typed any) *Transformation {
	t := p.partition(in, Hash, typed)
	t.Partition.Keyed = true
	return t
}

// KeyAgain partitions a keyed stream by the key it has.
func (p *Program) KeyAgain(in *Transformation) *Transformation {
	t := p.KeyBy(in, in.Partition.Typed)
	t.Partition.Identity = in.Partition.Identity
	return t
}

// ReinterpretAsKeyed takes a stream that is partitioned by the key already.
func (p *Program) ReinterpretAsKeyed(in *Transformation, typed any) *Transformation {
	t := p.partition(in, Forward, typed)
	t.Partition.Keyed = true
	return t
}

// SideOutput is what an operator emits under a tag.
func (p *Program) SideOutput(in *Transformation, tag Tag) *Transformation {
	in.requestSide(p, tag)
	t := p.virtual(KindSideOutput, "SideOutput", in)
	t.Tag = tag
	t.OutputType = tag.Type
	return t
}

func (t *Transformation) requestSide(p *Program, tag Tag) {
	if tag.Name == "" {
		p.Reject(t, "a side output needs a tag with a name")
	}
	for _, s := range t.sideOutputs {
		if s.Name == tag.Name && s.Type != tag.Type {
			p.Reject(t, "side output %q is read as %s and as %s", tag.Name, s.Type, tag.Type)
			return
		}
	}
	t.sideOutputs = append(t.sideOutputs, tag)
}

// Union merges one or more streams of one type.
func (p *Program) Union(inputs ...*Transformation) *Transformation {
	t := p.virtual(KindUnion, "Union", inputs...)
	for _, in := range inputs[1:] {
		if in.OutputType != t.OutputType {
			p.Reject(in, "a union of streams of different types: %s and %s", t.OutputType, in.OutputType)
			break
		}
	}
	return t
}

// A Cache keeps an intermediate result in the cluster, for later jobs to read.
type Cache struct {
	DataSet string // id of the data set
	Exists  bool   // an earlier job produced it: it is read, and nothing above it runs
}

// Cached marks the output of an operator, or a side output, to be kept.
func (p *Program) Cached(in *Transformation, c Cache) *Transformation {
	t := p.add(KindCache, "Cache: "+in.Name, in.OutputType, in)
	t.Parallelism, t.ParallelismConfigured = in.Parallelism, in.ParallelismConfigured
	t.Cache = &c
	return t
}
