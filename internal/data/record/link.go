package record

import (
	"context"
	"errors"
	"sync/atomic"
)

// A Link marks the way into an operator: it counts the records, once a batch, and knows which operator of the task is at work, so
// that an error or a panic finds its owner. It stops the records of a task that was cancelled: that is the only way to tell user code
// that emits without end. Chains put links before operators, and before outputs that need counting.
type Link struct {
	Context  context.Context // the task's
	Running  *int            // the task's: the index of the operator at work
	Operator int             // the index of the operator behind the link, or before it if that is an output
	Name     string          // of the operator

	In, Out   *atomic.Int64 // records into the operator behind, and out of the one before; nil: not counted here
	Watermark *atomic.Int64 // the last one that came by; nil: not noted here
}

// A Failure is an error and the operator that it came from.
type Failure struct {
	Name string
	Err  error
}

// Error starts with the operator's name.
func (f *Failure) Error() string { return f.Name + ": " + f.Err.Error() }

// Unwrap is the error alone.
func (f *Failure) Unwrap() error { return f.Err }

// Run calls f on behalf of the link's operator.
func (l *Link) Run(f func() error) error {
	before := l.Enter()
	return l.Leave(before, f())
}

// Enter puts the link's operator to work and says which one was before.
func (l *Link) Enter() (before int) {
	before = *l.Running
	*l.Running = l.Operator
	return before
}

// Leave puts the operator back to work that was before, and gives err its owner. The innermost link that an error passes owns it.
func (l *Link) Leave(before int, err error) error {
	*l.Running = before
	if err == nil {
		return nil
	}
	return l.own(err)
}

func (l *Link) own(err error) error {
	if owned := (*Failure)(nil); errors.As(err, &owned) {
		return err
	}
	return &Failure{l.Name, err}
}

func (l *Link) count(n int64) {
	if l.In != nil {
		l.In.Add(n)
	}
	if l.Out != nil {
		l.Out.Add(n)
	}
}

// Linked puts a link before an input.
func Linked[T any](in Input[T], l *Link) Input[T] { return &linked[T]{*l, in} }

type linked[T any] struct {
	Link
	to Input[T]
}

func (l *linked[T]) Receive(b *Batch[T]) error {
	if l.Context.Err() != nil {
		return l.own(context.Cause(l.Context))
	}
	l.count(int64(len(b.V)))
	before := l.Enter()
	return l.Leave(before, l.to.Receive(b))
}

func (l *linked[T]) Watermark(t int64) error {
	if l.Link.Watermark != nil {
		l.Link.Watermark.Store(t)
	}
	before := l.Enter()
	return l.Leave(before, l.to.Watermark(t))
}

func (l *linked[T]) Idle(idle bool) error {
	before := l.Enter()
	return l.Leave(before, l.to.Idle(idle))
}
