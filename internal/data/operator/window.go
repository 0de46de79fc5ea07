package operator

import (
	"iter"
	"sync/atomic"

	"github.com/flott-dev/flott/aggregate"
	"github.com/flott-dev/flott/internal/data/record"
	"github.com/flott-dev/flott/internal/halt"
	"github.com/flott-dev/flott/window"
)

// Windows is what the forms of the window operator have in common.
type Windows[K comparable, T any] struct {
	Key      func(T) K
	Assigner window.Assigner
	Lateness int64   // allowed lateness in milliseconds; of event time only
	LateTag  *string // where late records go; nil: nowhere
}

// WindowReduce emits, for each key and window, its records folded by f.
func WindowReduce[K comparable, T any](w Windows[K, T], f func(a, b T) T) Constructor {
	return WindowReduceTo(w, f, func(_ K, _ window.Window, v T) T { return v })
}

// WindowReduceTo emits, for each key and window, out of its records folded by f.
func WindowReduceTo[K comparable, T, R any](w Windows[K, T], f func(a, b T) T, out func(K, window.Window, T) R) Constructor {
	return Func(func(env *Env) (Operator, error) {
		return newWindower(env, w, foldByReduce(halt.Of(env.Context), f), func(k K, w window.Window, acc *T, to *record.Emitter[R], ts int64) {
			to.Emit(out(k, w, *acc), ts)
		})
	})
}

// WindowAggregate emits, for each key and window, out of the aggregate of its records.
func WindowAggregate[K comparable, T, A, V, R any](
	w Windows[K, T], a aggregate.Function[T, A, V], out func(K, window.Window, V) R,
) Constructor {
	return Func(func(env *Env) (Operator, error) {
		return newWindower(env, w, foldByAggregate(halt.Of(env.Context), a), func(k K, w window.Window, acc *A, to *record.Emitter[R], ts int64) {
			to.Emit(out(k, w, a.Value(*acc)), ts)
		})
	})
}

// WindowApply emits, for each key and window, what f makes of all its records, in the order in which they came. The sequence that f
// gets is good until the one that it returns has come to its end.
func WindowApply[K comparable, T, R any](w Windows[K, T], f func(K, window.Window, iter.Seq[T]) iter.Seq[R]) Constructor {
	return Func(func(env *Env) (Operator, error) {
		a := &applier[K, T, R]{f: f, halted: halt.Of(env.Context)}
		a.all, a.yield = a.each, a.emit
		return newWindower(env, w, foldByAppend[T](), a.result)
	})
}

// An applier hands the records of one pane after the other to a function.
type applier[K comparable, T, R any] struct {
	f      func(K, window.Window, iter.Seq[T]) iter.Seq[R]
	halted *halt.Flag

	records []T // of the pane that fires
	to      *record.Emitter[R]
	ts      int64
	all     iter.Seq[T]  // each, bound once, and
	yield   func(R) bool // emit, so that a pane that fires allocates nothing
}

func (a *applier[K, T, R]) result(k K, w window.Window, records *[]T, to *record.Emitter[R], ts int64) {
	a.records, a.to, a.ts = *records, to, ts
	if results := a.f(k, w, a.all); results != nil {
		results(a.yield)
	}
}

func (a *applier[K, T, R]) each(yield func(T) bool) {
	for _, v := range a.records {
		if !yield(v) {
			return
		}
	}
}

func (a *applier[K, T, R]) emit(r R) bool {
	a.to.Emit(r, a.ts)
	return a.to.Err() == nil && atomic.LoadUint32(&a.halted.Up) == 0
}

// A result emits what comes of a pane.
type result[K comparable, A, R any] func(k K, w window.Window, acc *A, to *record.Emitter[R], ts int64)
