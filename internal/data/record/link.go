package record

import (
	"context"
	"errors"
	"runtime/pprof"
	"sync/atomic"

	"github.com/flott-dev/flott/internal/label"
)

// A Link marks the way into an operator: it counts the records, once a batch, and knows which operator of the task is at work, so
// that an error or a panic finds its owner. It stops the records of a task that was cancelled: that is the only way to tell user code
// that emits without end. Chains put links before operators, and before outputs that need counting.
type Link struct {
	Context  context.Context // the task's
	Running  *int            // the task's: the index of the operator at work; -1: none is
	Labels   Labels          // the task's; nil: none
	Operator int             // the index of the operator behind the link, or before it if that is an output
	Name     string          // of the operator

	In, Out   *atomic.Int64 // records into the operator behind, and out of the one before; nil: not counted here
	Watermark *atomic.Int64 // the last one that came by; nil: not noted here
	Keys      *Keys         // of the records that have a key; nil: not noted here
}

// Labels are those of a task's goroutine in profiles, while none of its operators is at work and while each of them is. They change
// with the operator at work, once a batch and not at all where an operator calls itself, so that they cost nothing that could be
// measured, and a profile says which operator burns the time.
type Labels []context.Context

// LabelsOf are the labels of a task, and beside them the name of each operator.
func LabelsOf(task pprof.LabelSet, operators []string) Labels {
	all := Labels{pprof.WithLabels(context.Background(), task)}
	for _, name := range operators {
		all = append(all, pprof.WithLabels(all[0], pprof.Labels(label.Operator, name)))
	}
	return all
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
	if before != l.Operator {
		l.shift(l.Operator)
	}
	return before
}

// shift puts an operator to work.
func (l *Link) shift(operator int) {
	*l.Running = operator
	if l.Labels != nil {
		pprof.SetGoroutineLabels(l.Labels[operator+1])
	}
}

// Leave puts the operator back to work that was before, and gives err its owner. The innermost link that an error passes owns it.
func (l *Link) Leave(before int, err error) error {
	if before != l.Operator {
		l.shift(before)
	}
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
	if l.Keys != nil && len(b.H) > 0 {
		l.Keys.Note(b.H)
	}
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
