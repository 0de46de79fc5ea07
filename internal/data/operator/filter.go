package operator

import (
	"sync/atomic"

	"github.com/flott-dev/flott/internal/data/record"
	"github.com/flott-dev/flott/internal/halt"
)

// Filter keeps the records for which f is true.
func Filter[T any](f func(T) bool) Constructor {
	return filtering(func(halted *halt.Flag, in []T, keep []bool) error {
		keep = keep[:len(in)]
		for i := range in {
			if atomic.LoadUint32(&halted.Up) != 0 {
				return halted.Err()
			}
			keep[i] = f(in[i])
		}
		return nil
	})
}

// FilterBatch keeps the records for which choose sets keep[i]; it comes all false.
func FilterBatch[T any](choose func(in []T, keep []bool)) Constructor {
	return filtering(func(_ *halt.Flag, in []T, keep []bool) error {
		choose(in, keep)
		return nil
	})
}

// A choice is keep[i] set for the in[i] to keep; it comes all false.
type choice[T any] func(halted *halt.Flag, in []T, keep []bool) error

func filtering[T any](choose choice[T]) Constructor {
	return Func(func(env *Env) (Operator, error) {
		return &filter[T]{Through: NewThrough[T](env), choose: choose}, nil
	})
}

// filter first lists the places of the records to keep, then moves these together. Neither step branches on a record: what is kept
// is not predictable, and a branch that is guessed wrong costs more than both.
type filter[T any] struct {
	Through[T]
	choose choice[T]
	keep   [record.Size]bool
	places [record.Size]uint8
	v      []T // where to move to when the columns of the batch are shared; made on first use
	ts     []int64
}

func (f *filter[T]) Input(int) any { return record.Input[T](f) }

func (f *filter[T]) Receive(b *record.Batch[T]) error {
	keep := f.keep[:len(b.V)]
	clear(keep)
	if err := f.choose(f.halted, b.V, keep); err != nil {
		return err
	}
	n := list(keep, &f.places)
	if n == 0 {
		return nil
	}
	b.H = nil
	if n < len(b.V) {
		f.compact(b, f.places[:n])
	}
	return f.Out.Receive(b)
}

// list writes down where keep is true, and says how often.
func list(keep []bool, places *[record.Size]uint8) int {
	n := 0
	for i, k := range keep {
		places[uint8(n)] = uint8(i)
		if k {
			n++
		}
	}
	return n
}

// compact moves the records at these places to the front, in place unless others read the columns.
func (f *filter[T]) compact(b *record.Batch[T], places []uint8) {
	v, ts := b.V, b.TS
	if b.Shared {
		v, ts = f.columns(b.TS != nil)
	}
	b.V = gather(v, b.V, places)
	if b.TS != nil {
		b.TS = gather(ts, b.TS, places)
	}
	b.Shared = false
}

func gather[E any](to, from []E, places []uint8) []E {
	to = to[:len(places)]
	for i, p := range places {
		to[i] = from[p]
	}
	return to
}

// columns are the filter's own.
func (f *filter[T]) columns(timed bool) (v []T, ts []int64) {
	if f.v == nil {
		f.v = make([]T, record.Size)
	}
	if timed && f.ts == nil {
		f.ts = make([]int64, record.Size)
	}
	return f.v, f.ts
}
