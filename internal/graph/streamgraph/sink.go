package streamgraph

import "github.com/flott-dev/flott/internal/graph/program"

// Names that the parts of a sink have before they get the sink's name; the uids of these parts depend on them.
const (
	writerName          = "Writer"
	committerName       = "Committer"
	globalCommitterName = "Global Committer"
)

// sink expands a new-style sink and translates its parts:
//
//	preWrite ... -> Writer [ => preCommit ... -> Committer [ => postCommit ... ]]
//
// where => is an exchange that a batch job completes before what follows it starts. Parts are added to the program for as long as
// they are translated. The sink itself becomes no node.
func (b *builder) sink(t *program.Transformation) []outlet {
	before := len(b.program.Operators)
	b.checkTopologies(t)
	e := expansion{b, t}
	e.expand()
	for i := before; i < len(b.program.Operators); i++ { // a global committer adds one more
		b.translate(b.program.Operators[i])
	}
	b.program.Operators = b.program.Operators[:before]
	b.rejections = append(b.rejections, b.program.Rejections...)
	b.program.Rejections = nil
	return nil
}

func (b *builder) checkTopologies(t *program.Transformation) {
	if s := t.Sink; !s.HasCommitter && (s.PreCommit != nil || s.PostCommit != nil) {
		b.reject(t, "a sink without committer has a topology before or after it")
	}
}

// An expansion adds the parts of one sink to the program.
type expansion struct {
	*builder
	sink *program.Transformation
}

func (e expansion) expand() {
	s := e.sink.Sink
	stream := e.sink.Inputs[0]
	concurrent := e.sink.ConcurrentAttempts
	if s.PreWrite != nil {
		stream = e.custom(s.PreWrite, stream, concurrent)
	}
	writer := e.part(concurrent, func() *program.Transformation {
		return e.writer(stream)
	})
	if !s.HasCommitter {
		return
	}
	parts := len(e.program.Operators)
	stream = e.stage(writer)
	if s.PreCommit != nil {
		stream = e.custom(s.PreCommit, stream, false)
	}
	committer := e.part(false, func() *program.Transformation {
		return e.committer(stream)
	})
	if s.PostCommit != nil {
		e.custom(s.PostCommit, e.stage(committer), false)
	}
	for _, t := range e.program.Operators[parts:] {
		keepAligned(t, writer)
	}
}

func (e expansion) writer(in *program.Transformation) *program.Transformation {
	w := e.program.OneInput(in, writerName, e.sink.Sink.Committable)
	w.Operator = e.sink.Operator
	w.Yielding = true
	return w
}

func (e expansion) committer(in *program.Transformation) *program.Transformation {
	c := e.program.OneInput(in, committerName, e.sink.Sink.Committable)
	c.Operator = e.sink.Sink.Committer
	return c
}

// stage ends a stage of a batch job: what follows starts when in has finished.
func (e expansion) stage(in *program.Transformation) *program.Transformation {
	p := e.program.Repartition(in, program.Forward, nil)
	p.Partition.Exchange = program.ExchangeBatch
	return p
}

// custom adds a topology that the sink's author wrote. Uids in it are made unique with the sink's uid.
func (e expansion) custom(add program.Topology, in *program.Transformation, concurrent bool) *program.Transformation {
	return e.part(concurrent, func() *program.Transformation {
		before := len(e.program.Operators)
		last := add(e.program, in)
		for _, t := range e.program.Operators[before:] {
			if t.UID.Value != "" && e.sink.UID.Value == "" {
				e.reject(e.sink, "it needs a uid, since %q in its topology has the uid %q", t.Name, t.UID.Value)
			}
		}
		return last
	})
}

// part adds some operators, which leave their parallelism open, and gives them the settings of the sink.
func (e expansion) part(concurrent bool, add func() *program.Transformation) *program.Transformation {
	before := len(e.program.Operators)
	parallelism := e.program.Config.Parallelism
	e.program.Config.Parallelism = program.Unset
	last := add()
	e.program.Config.Parallelism = parallelism
	for _, t := range e.program.Operators[before:] {
		e.inherit(t)
		t.ConcurrentAttempts = concurrent
	}
	return last
}

// inherit gives an operator the settings of the sink, as far as it has none itself.
func (e expansion) inherit(t *program.Transformation) {
	s := e.sink
	t.UID = partUID(s.UID, t)
	t.CoLocation = prefixed(s.CoLocation, t.CoLocation)
	t.Name = s.Name + ": " + t.Name
	t.Description = prefixed(s.Description, t.Description)
	t.Site = s.Site
	if s.CoLocation.Set && !t.CoLocation.Set {
		t.CoLocation = s.CoLocation
	}
	if !t.SlotSharingGroup.Set {
		t.SlotSharingGroup = s.SlotSharingGroup
	}
	if t.Parallelism == program.Unset {
		t.Parallelism, t.ParallelismConfigured = s.Parallelism, s.ParallelismConfigured
	}
	if t.MaxParallelism == program.Unset {
		t.MaxParallelism = e.maxParallelism(s)
	}
	if s.Chaining.Set {
		t.Chaining = s.Chaining
	}
}

// partUID keeps to the words of older versions, which stored state under them.
func partUID(sink program.Setting[string], t *program.Transformation) program.Setting[string] {
	switch {
	case !sink.Set:
		return t.UID
	case t.Name == writerName:
		return sink
	case t.Name == committerName:
		return program.Set("Sink Committer: " + sink.Value)
	case t.Name == globalCommitterName:
		return program.Set("Sink " + sink.Value + " Global Committer")
	}
	return prefixed(sink, t.UID)
}

// prefixed is the sink's word and the part's, if both have one.
func prefixed(sink, part program.Setting[string]) program.Setting[string] {
	if sink.Set && part.Set {
		return program.Set(sink.Value + ": " + part.Value)
	}
	return part
}

// keepAligned marks the partitionings between t and the writer: committables must not be overtaken by the barrier of the
// checkpoint they belong to, or they would miss its commit.
func keepAligned(t, writer *program.Transformation) {
	for ; t != writer; t = t.Inputs[0] {
		if t.Partition != nil {
			t.Partition.Aligned = true
		}
	}
}

// globalCommitter puts one committer behind all subtasks of what precedes it. It is added to the program and translated next.
func (b *builder) globalCommitter(t *program.Transformation) []outlet {
	global := b.program.Repartition(t.Inputs[0], program.Global, nil)
	global.Partition.Aligned = true
	c := b.program.OneInput(global, t.Name, nil)
	c.Operator = t.Operator
	c.Site = t.Site
	c.SetParallelism(1)
	c.SetMaxParallelism(1)
	c.UID, c.UserHash = t.UID, t.UserHash
	return nil
}
