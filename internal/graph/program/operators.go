package program

// Source adds a new-style source.
func (p *Program) Source(name string, bounded bool, out Type) *Transformation {
	t := p.add(KindSource, name, out)
	t.Bounded = bounded
	return t
}

// LegacySource adds a source that is a function running by itself; one that is not parallel has one subtask for good.
func (p *Program) LegacySource(name string, parallel, bounded bool, out Type) *Transformation {
	t := p.add(KindLegacySource, name, out)
	t.Bounded = bounded
	t.Chaining = Set(ChainHead)
	if !parallel {
		t.fixParallelism(1)
		t.oneSubtask = true
	}
	return t
}

// OneInput adds an operator with one input.
func (p *Program) OneInput(in *Transformation, name string, out Type) *Transformation {
	return p.addOperator(KindOneInput, name, out, in)
}

// Reduce adds a rolling aggregation of a keyed stream.
func (p *Program) Reduce(in *Transformation, name string, out Type) *Transformation {
	return p.addOperator(KindReduce, name, out, in)
}

// Timestamps adds an operator that assigns timestamps and watermarks, with the parallelism of its input. It keeps no keyed state,
// whatever its input.
func (p *Program) Timestamps(in *Transformation, name string) *Transformation {
	t := p.addOperator(KindTimestamps, name, in.OutputType, in)
	t.KeyedBy = nil
	t.Parallelism = in.Parallelism
	return t
}

// TwoInput adds an operator with two inputs.
func (p *Program) TwoInput(left, right *Transformation, name string, out Type) *Transformation {
	return p.addOperator(KindTwoInput, name, out, left, right)
}

// MultiInput adds an operator with any number of inputs.
func (p *Program) MultiInput(inputs []*Transformation, name string, out Type) *Transformation {
	return p.addOperator(KindMultiInput, name, out, inputs...)
}

// BroadcastState adds an operator whose second input goes to each of its subtasks.
func (p *Program) BroadcastState(in, broadcast *Transformation, name string, out Type) *Transformation {
	return p.addOperator(KindBroadcastState, name, out, in, broadcast)
}

// LegacySink adds a sink that is a single operator.
func (p *Program) LegacySink(in *Transformation, name string) *Transformation {
	return p.addOperator(KindLegacySink, name, nil, in)
}
