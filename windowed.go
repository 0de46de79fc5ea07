package flott

import (
	"fmt"
	"iter"
	"time"

	"github.com/flott-dev/flott/aggregate"
	"github.com/flott-dev/flott/internal/data/operator"
	"github.com/flott-dev/flott/window"
)

// A WindowedStream is a keyed stream cut into windows of time. Its methods Reduce, ReduceTo, Aggregate and Apply make of each window
// of each key one result, or with Apply any number, when event or processing time has come to the window's end. The result has the
// last millisecond of the window as its timestamp.
type WindowedStream[K comparable, T any] struct {
	in       Stream[T] // partitioned by the key
	key      func(T) K
	assigner window.Assigner
	all      bool // windows of the whole stream, by one subtask
	lateness time.Duration
	late     *string // tag of the side output; nil: none
	reduce   func(w operator.Windows[K, T], f func(a, b T) T) operator.Constructor
}

// Window cuts the stream into windows, key by key.
func (s KeyedStream[K, T]) Window(a window.Assigner) WindowedStream[K, T] {
	return WindowedStream[K, T]{in: s.Stream, key: s.key, assigner: s.env.assigner(a), reduce: operator.WindowReduce[K, T]}
}

// WindowAll cuts the whole stream into windows, which one subtask handles.
func (s Stream[T]) WindowAll(a window.Assigner) WindowedStream[struct{}, T] {
	key := func(T) struct{} { return struct{}{} }
	whole := partitionByKey(s, key)
	return WindowedStream[struct{}, T]{in: whole, key: key, assigner: s.env.assigner(a), all: true, reduce: reduceWhole[T]}
}

// reduceWhole is operator.WindowReduce with what it keeps behind a pointer. Go compiles all that WindowAll needs for every type of
// stream in a program, whether it is called or not; state of pointers is compiled once for all of them.
func reduceWhole[T any](w operator.Windows[struct{}, T], f func(a, b T) T) operator.Constructor {
	value := func(_ struct{}, _ window.Window, reduced *T) T { return *reduced }
	return operator.WindowAggregate(w, behindPointer[T](f), value)
}

// behindPointer is a reducing function as an aggregate function.
type behindPointer[T any] func(a, b T) T

func (f behindPointer[T]) Zero() *T { return nil }

func (f behindPointer[T]) Add(acc **T, v T) {
	if *acc == nil {
		first := v // only this one goes to the heap
		*acc = &first
		return
	}
	**acc = f(**acc, v)
}

func (f behindPointer[T]) Merge(into **T, from *T) {
	if from != nil {
		f.Add(into, *from)
	}
}

func (f behindPointer[T]) Value(acc *T) *T { return acc }

// assigner is a, or another one in place of one that cannot be.
func (e *Environment) assigner(a window.Assigner) window.Assigner {
	if isNil(a) {
		e.note("", nil, "the window assigner is nil")
		return window.TumblingEventTime(time.Second)
	}
	for _, err := range unjoin(a.Err()) {
		e.note("", err, "%v", err)
	}
	return a
}

// AllowedLateness keeps windows of event time for late records until event time has come this far past their end. Each late record
// makes its window emit a new result at once. A record that is later still is late for good.
func (w WindowedStream[K, T]) AllowedLateness(d time.Duration) WindowedStream[K, T] {
	if d < 0 || d%time.Millisecond != 0 {
		w.in.env.note("", nil, "the allowed lateness is %v; it must be whole milliseconds, not negative", d)
	}
	w.lateness = d
	return w
}

// LateTo sends records that are late for good to a side output of the window operator, instead of dropping them.
func (w WindowedStream[K, T]) LateTo(tag Tag[T]) WindowedStream[K, T] {
	name := tag.Name()
	w.late = &name
	return w
}

// Reduce folds the records of each window into one by f, as they come.
func (w WindowedStream[K, T]) Reduce(f func(a, b T) T) Stream[T] {
	return fire[T](w, "ReduceFn, PassThroughWindowFunction", f != nil, w.reduce(w.operator(), f))
}

// ReduceTo folds the records of each window into one by f, as they come, and emits out of it.
func (w WindowedStream[K, T]) ReduceTo[R any](f func(a, b T) T, out func(K, window.Window, T) R) Stream[R] {
	op := operator.WindowReduceTo(w.operator(), f, out)
	return fire[R](w, "ReduceFn, ProcessWindowFn", f != nil && out != nil, op)
}

// Aggregate folds the records of each window into an accumulator, as they come, and emits out of its value.
func (w WindowedStream[K, T]) Aggregate[A, V, R any](a aggregate.Function[T, A, V], out func(K, window.Window, V) R) Stream[R] {
	op := operator.WindowAggregate(w.operator(), a, out)
	r := fire[R](w, "AggregateFn, ProcessWindowFn", a != nil && out != nil, op)
	r.env.check(r.node, a)
	return r
}

// Apply keeps the records of each window and emits all that f of them yields. Where a fold will do, the others need far less memory.
func (w WindowedStream[K, T]) Apply[R any](f func(K, window.Window, iter.Seq[T]) iter.Seq[R]) Stream[R] {
	return fire[R](w, "ProcessWindowFn", f != nil, operator.WindowApply(w.operator(), f))
}

// operator is what all forms of the window operator need.
func (w WindowedStream[K, T]) operator() operator.Windows[K, T] {
	return operator.Windows[K, T]{Key: w.key, Assigner: w.assigner, Lateness: w.lateness.Milliseconds(), LateTag: w.late}
}

// fire is the stream of a window operator. Plans show it as Flink's do.
func fire[R any, K comparable, T any](w WindowedStream[K, T], functions string, complete bool, op operator.Constructor) Stream[R] {
	e := w.in.env
	t := e.program.OneInput(w.in.node, w.assigner.Name(), kindOf[R]())
	if w.all {
		t.ForceNonParallel()
		t.SetDescription(fmt.Sprintf("TriggerWindow(%v)", w.assigner))
	} else {
		t.SetDescription(fmt.Sprintf("Window(%v, %s, %s)", w.assigner, trigger(w.assigner), functions))
	}
	return run[R](e, t, complete, windowOperator{op, w.late})
}

// A windowOperator is a window operator in a program. late is its one side output, if it has one.
type windowOperator struct {
	operator.Constructor
	late *string
}

// trigger is the name of Flink's default trigger of an assigner.
func trigger(a window.Assigner) string {
	if f, ok := a.(*window.Fixed); ok && !f.EventTime() {
		return "ProcessingTimeTrigger"
	}
	return "EventTimeTrigger"
}
