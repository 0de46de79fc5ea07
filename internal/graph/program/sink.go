package program

// A Sink is what surrounds a new-style sink's writer, which is the transformation's Operator. The topologies add steps to the
// program that they are given, behind the given stream, and return the last step; a nil one is absent.
type Sink struct {
	Committer    any // the operator that commits; see HasCommitter
	HasCommitter bool
	Committable  Type // what the writer hands to the committer
	PreWrite     Topology
	PreCommit    Topology
	PostCommit   Topology
}

// A Topology adds steps behind a stream while the sink is translated.
type Topology func(p *Program, in *Transformation) *Transformation

// Sink adds a new-style sink. It has its own Operator and ConcurrentAttempts, and no user hash.
func (p *Program) Sink(in *Transformation, name string, s Sink) *Transformation {
	t := p.addOperator(KindSink, name, nil, in)
	t.Sink = &s
	return t
}

// GlobalCommitter ends a PostCommit topology: one committer for all subtasks.
func (p *Program) GlobalCommitter(in *Transformation, operator any) *Transformation {
	t := p.addOperator(KindGlobalCommitter, "Global Committer", nil, in)
	t.fixParallelism(1)
	t.Operator = operator
	return t
}
