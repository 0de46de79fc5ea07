// Package program is what a user called, one Transformation a call: the untyped layer between the typed API and the graphs.
//
// A Program hands out ids, keeps the list of operators in the order of their creation, and collects what Flink would have refused
// at once, so that a user sees all mistakes of a program together. Values that only the typed layer understands (functions,
// key selectors, codecs) travel in fields of type any, which nothing below this package opens.
//
// A constructor takes what makes its transformation what it is; the caller then fills in the exported fields that describe the
// operator (Operator, Yielding, ...), and calls the Set methods for what the user asked for. Set methods check, fields do not.
package program

// A Program is a user's program while it is being written.
type Program struct {
	Config Config
	// Operators are the transformations that translation starts from, in order of creation: operators and sinks, neither
	// sources nor virtual ones. A source that nobody reads is therefore not in the graph.
	Operators []*Transformation
	// Rejections are the mistakes found so far.
	Rejections Rejections

	ids int // the last one given
}

// New starts a program and checks its settings.
func New(c Config) *Program {
	p := &Program{Config: c}
	p.checkConfig()
	return p
}

// NextID takes an id. Translation takes ids too, for virtual nodes.
func (p *Program) NextID() int {
	p.ids++
	return p.ids
}

// Fork is a program that goes on where p stands. Translation expands sinks on a fork, so that p can be compiled again.
func (p *Program) Fork() *Program {
	return &Program{Config: p.Config, Operators: append([]*Transformation(nil), p.Operators...), ids: p.ids}
}

// Reject notes a mistake. t may be nil.
func (p *Program) Reject(t *Transformation, format string, args ...any) {
	p.Rejections.Add(t, format, args...)
}
