// Package aggregate holds incremental aggregations: they keep an accumulator per key, or per key and window, and never the
// records.
package aggregate

import (
	"cmp"
	"errors"
)

// A Function folds records T into an accumulator A and reads a result V from it. One Function serves all keys and subtasks, so
// it has no state of its own. Accumulators are values: Zero makes a fresh one, and what it points to belongs to it alone. A method
// Check() error, if there is one, says before the job runs what is wrong with the Function.
type Function[T, A, V any] interface {
	// Zero is the accumulator of no records.
	Zero() A
	// Add folds one record into acc.
	Add(acc *A, v T)
	// Merge folds another accumulator into one; session windows need it when they grow together. from is not used again.
	Merge(into *A, from A)
	// Value is the result so far. Add may follow.
	Value(acc A) V
}

// A Number is what can be summed up.
type Number interface {
	~int | ~int8 | ~int16 | ~int32 | ~int64 | ~uint | ~uint8 | ~uint16 | ~uint32 | ~uint64 | ~float32 | ~float64
}

// Count is the number of records.
func Count[T any]() Function[T, int64, int64] { return count[T]{} }

type count[T any] struct{}

func (count[T]) Zero() int64                   { return 0 }
func (count[T]) Add(acc *int64, _ T)           { *acc++ }
func (count[T]) Merge(into *int64, from int64) { *into += from }
func (count[T]) Value(acc int64) int64         { return acc }

// Sum adds up a number of each record, in that number's own arithmetic: integers wrap around.
func Sum[T any, N Number](of func(T) N) Function[T, N, N] { return sum[T, N]{of} }

type sum[T any, N Number] struct{ of func(T) N }

func (sum[T, N]) Zero() N               { return 0 }
func (s sum[T, N]) Add(acc *N, v T)     { *acc += s.of(v) }
func (sum[T, N]) Merge(into *N, from N) { *into += from }
func (sum[T, N]) Value(acc N) N         { return acc }
func (s sum[T, N]) Check() error        { return given(s.of) }

// Mean is the arithmetic mean of a number of each record, computed in float64; NaN of no records.
func Mean[T any, N Number](of func(T) N) Function[T, struct{ Sum, N float64 }, float64] {
	return mean[T, N]{of}
}

type mean[T any, N Number] struct{ of func(T) N }

func (mean[T, N]) Zero() (acc struct{ Sum, N float64 }) { return acc }

func (m mean[T, N]) Add(acc *struct{ Sum, N float64 }, v T) {
	acc.Sum += float64(m.of(v))
	acc.N++
}

func (mean[T, N]) Merge(into *struct{ Sum, N float64 }, from struct{ Sum, N float64 }) {
	into.Sum += from.Sum
	into.N += from.N
}

func (mean[T, N]) Value(acc struct{ Sum, N float64 }) float64 { return acc.Sum / acc.N }

func (m mean[T, N]) Check() error { return given(m.of) }

// Best is the record with the largest (or smallest) measure so far, if any.
type Best[T any] struct {
	Set bool
	V   T
}

// MaxBy is the record with the largest measure; of equal ones, the first. A NaN is smaller than any number (cmp.Compare).
func MaxBy[T any, N cmp.Ordered](of func(T) N) Function[T, Best[T], T] { return by[T, N]{of, 1} }

// MinBy is the record with the smallest measure; of equal ones, the first.
func MinBy[T any, N cmp.Ordered](of func(T) N) Function[T, Best[T], T] { return by[T, N]{of, -1} }

// by keeps the record whose measure compares to all others as sign says.
type by[T any, N cmp.Ordered] struct {
	of   func(T) N
	sign int
}

func (by[T, N]) Zero() (acc Best[T]) { return acc }

func (b by[T, N]) Add(acc *Best[T], v T) {
	if !acc.Set || cmp.Compare(b.of(v), b.of(acc.V)) == b.sign {
		*acc = Best[T]{true, v}
	}
}

func (b by[T, N]) Merge(into *Best[T], from Best[T]) {
	if from.Set {
		b.Add(into, from.V)
	}
}

func (by[T, N]) Value(acc Best[T]) T { return acc.V }

func (b by[T, N]) Check() error { return given(b.of) }

// given says what is wrong with a measure that is none.
func given[T, N any](of func(T) N) error {
	if of == nil {
		return errors.New("the function that says what to aggregate is nil")
	}
	return nil
}
