package operator

import (
	"iter"

	"github.com/flott-dev/flott/aggregate"
	"github.com/flott-dev/flott/internal/data/keyed"
	"github.com/flott-dev/flott/internal/data/record"
	"github.com/flott-dev/flott/state"
	"github.com/flott-dev/flott/window"
)

// Windows is what the forms of the window operator have in common.
type Windows[K comparable, T any] struct {
	Key      func(T) K
	Assigner window.Assigner
	Lateness int64   // allowed lateness in milliseconds; of event time only
	LateTag  *string // where late records go; nil: nowhere
}

// A pane is what belongs to a key and a window, known by its start.
type pane[K comparable] struct {
	k     K
	start int64
}

// contents is what an operator keeps of the records of its panes: of the pane at work.
type contents[K comparable, T, R any] interface {
	// add takes a record in and says whether it is the pane's first.
	add(v T) (first bool)
	// result emits what comes of the pane.
	result(k K, w window.Window, to *record.Emitter[R], ts int64)
	clear()
}

// WindowReduce emits, for each key and window, its records folded by f.
func WindowReduce[K comparable, T any](w Windows[K, T], f func(a, b T) T) Constructor {
	return WindowReduceTo(w, f, func(_ K, _ window.Window, v T) T { return v })
}

// WindowReduceTo emits, for each key and window, out of its records folded by f.
func WindowReduceTo[K comparable, T, R any](
	w Windows[K, T], f func(a, b T) T, out func(K, window.Window, T) R,
) Constructor {
	return folding(w, func(acc *T, first bool, v T) {
		if !first {
			v = f(*acc, v)
		}
		*acc = v
	}, func(k K, w window.Window, acc *T) R { return out(k, w, *acc) })
}

// WindowAggregate emits, for each key and window, out of the aggregate of its records.
func WindowAggregate[K comparable, T, A, V, R any](
	w Windows[K, T], a aggregate.Function[T, A, V], out func(K, window.Window, V) R,
) Constructor {
	return folding(w, func(acc *A, first bool, v T) {
		if first {
			*acc = a.Zero()
		}
		a.Add(acc, v)
	}, func(k K, w window.Window, acc *A) R { return out(k, w, a.Value(*acc)) })
}

// folding keeps an accumulator per pane.
func folding[K comparable, T, A, R any](
	w Windows[K, T], fold func(acc *A, first bool, v T), out func(K, window.Window, *A) R,
) Constructor {
	return windowing(w, func(s *keyed.States[pane[K]]) contents[K, T, R] {
		return &folded[K, T, A, R]{s.Value[A]("window-contents"), fold, out}
	})
}

type folded[K comparable, T, A, R any] struct {
	state.ValueStore[A]
	fold func(acc *A, first bool, v T)
	out  func(K, window.Window, *A) R
}

func (f *folded[K, T, A, R]) add(v T) (first bool) {
	acc, found := f.Ref()
	f.fold(acc, !found, v)
	return !found
}

func (f *folded[K, T, A, R]) result(k K, w window.Window, to *record.Emitter[R], ts int64) {
	acc, _ := f.Ref()
	to.Emit(f.out(k, w, acc), ts)
}

// WindowApply emits, for each key and window, what f makes of all its records, in the order in which they came. The sequence that f
// gets is good until the one that it returns has come to its end.
func WindowApply[K comparable, T, R any](
	w Windows[K, T], f func(K, window.Window, iter.Seq[T]) iter.Seq[R],
) Constructor {
	return windowing(w, func(s *keyed.States[pane[K]]) contents[K, T, R] {
		l := &listed[K, T, R]{ListStore: s.List[T]("window-contents"), f: f}
		l.all, l.yield = l.each, l.emit
		return l
	})
}

type listed[K comparable, T, R any] struct {
	state.ListStore[T]
	f func(K, window.Window, iter.Seq[T]) iter.Seq[R]

	records []T // of the pane that fires
	to      *record.Emitter[R]
	ts      int64
	all     iter.Seq[T]  // each, bound once, and
	yield   func(R) bool // emit, so that firing a pane allocates nothing
}

func (l *listed[K, T, R]) add(v T) (first bool) {
	first = len(l.Values()) == 0
	l.Add(v)
	return first
}

func (l *listed[K, T, R]) result(k K, w window.Window, to *record.Emitter[R], ts int64) {
	l.records, l.to, l.ts = l.Values(), to, ts
	if results := l.f(k, w, l.all); results != nil {
		results(l.yield)
	}
}

func (l *listed[K, T, R]) each(yield func(T) bool) {
	for _, v := range l.records {
		if !yield(v) {
			return
		}
	}
}

func (l *listed[K, T, R]) emit(r R) bool {
	l.to.Emit(r, l.ts)
	return l.to.Err() == nil
}

func (f *folded[K, T, A, R]) clear() { f.Clear() }
func (l *listed[K, T, R]) clear()    { l.Clear() }
