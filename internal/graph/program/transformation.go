package program

// A Transformation is one step of a program: an operator, or something virtual between operators.
type Transformation struct {
	ID        int
	Kind      Kind
	Name      string
	Operation string // what it does, in a word or two: its name while the user gives it none
	Inputs    []*Transformation
	// KeyedBy says of each input whether it is keyed, so that the operator has keyed state. Operators only.
	KeyedBy []bool

	OutputType Type
	Operator   any    // what runs it, for the data plane; of a sink: its writer
	Site       string // where the user's code made it: "main.go:12"
	Hidden     bool   // made inside of another operator's call: the user has no way to set its properties

	// What the user may set: see the Set methods.
	Description           Setting[string]
	UID                   Setting[string]
	UserHash              Setting[string]
	SlotSharingGroup      Setting[string]
	CoLocation            Setting[string]
	Parallelism           int // Unset: the program's
	ParallelismConfigured bool
	MaxParallelism        int   // Unset: the program's
	BufferTimeoutMs       int64 // Unset: the program's
	Chaining              Setting[Chaining]

	// What the operator's author says of it.
	Bounded            bool // sources
	Yielding           bool // may give way to other mails while it processes a record
	EndOutputOnly      bool // emits only at end of stream
	InputSelectable    bool // chooses which input to read
	SortsInput         bool // a keyed operator that needs no sorted input in batch jobs
	OperatorMemory     int  // weight of its managed memory; 0: none
	ConcurrentAttempts bool // two attempts of one subtask may run at once

	// Exactly one kind has each of these.
	Partition *Partition
	Tag       Tag
	Sink      *Sink
	Cache     *Cache

	program     *Program
	oneSubtask  bool  // parallelism is 1 for good
	oneKeyGroup bool  // max parallelism, too
	sideOutputs []Tag // requested so far
}

// Kind tells what a transformation is, and so how it is translated.
type Kind int

const (
	KindSource       Kind = iota // new-style (FLIP-27)
	KindLegacySource             // a function that runs by itself
	KindOneInput
	KindReduce     // a keyed rolling aggregation
	KindTimestamps // assigns timestamps and watermarks
	KindTwoInput
	KindMultiInput
	KindBroadcastState // two inputs, the second one broadcast
	KindLegacySink
	KindSink            // new-style: expands into writer, committer and what surrounds them
	KindGlobalCommitter // a sink topology's last step, before it expands
	KindPartition
	KindSideOutput
	KindUnion
	KindCache
)

// Virtual says that no operator stands behind the transformation: it only shapes edges.
func (k Kind) Virtual() bool { return k >= KindPartition }

// A Setting is a property that a user may leave alone.
type Setting[T any] struct {
	Value T
	Set   bool
}

// Set is a setting that was made.
func Set[T any](v T) Setting[T] { return Setting[T]{v, true} }

// Or is the value, or d where there is none.
func (s Setting[T]) Or(d T) T {
	if s.Set {
		return s.Value
	}
	return d
}

// Keyed says that at least one input is keyed.
func (t *Transformation) Keyed() bool {
	for _, k := range t.KeyedBy {
		if k {
			return true
		}
	}
	return false
}

// KeyedStream says that records leave t with a key: what reads it has keyed state.
func (t *Transformation) KeyedStream() bool { return t.Partition != nil && t.Partition.Keyed }

// add makes a transformation with the program's parallelism.
func (p *Program) add(kind Kind, name string, out Type, inputs ...*Transformation) *Transformation {
	return &Transformation{
		ID:                 p.NextID(),
		Kind:               kind,
		Name:               name,
		Operation:          name,
		Inputs:             inputs,
		OutputType:         out,
		Parallelism:        p.Config.Parallelism,
		MaxParallelism:     Unset,
		BufferTimeoutMs:    Unset,
		ConcurrentAttempts: true,
		program:            p,
	}
}

// addOperator makes a transformation from which translation starts.
func (p *Program) addOperator(kind Kind, name string, out Type, inputs ...*Transformation) *Transformation {
	t := p.add(kind, name, out, inputs...)
	p.Operators = append(p.Operators, t)
	for _, in := range inputs {
		t.KeyedBy = append(t.KeyedBy, in.KeyedStream())
	}
	return t
}
