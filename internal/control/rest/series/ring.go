// Package series keeps what was measured of jobs in the last hour: a number every ten seconds of each figure and subtask, in float32, so
// that a subtask costs 1.4 kB a figure. It does not grow beyond a bound: see Store.
//
// It has no clock and no lock. Times are milliseconds since the epoch.
package series

import "math"

const (
	// Step is how far apart two rows of a ring are.
	Step = 10_000
	// Length is how many there are: an hour.
	Length = 360
)

// Unknown is a number that was not measured.
var Unknown = float32(math.NaN())

// A Ring is the newest rows of numbers, one a step at most. The row of a step has its place by the step's number, so that steps in which
// nothing was measured need no filling.
type Ring struct {
	last int64 // number of the newest step; 0: there is none
	rows [Length]dated
}

type dated struct {
	step    int64
	numbers []float32
}

// Wants says that there is no row yet of the step of a time, nor a newer one.
func (r *Ring) Wants(at int64) bool { return at/Step > r.last }

// Put adds a row, if it is wanted. All rows of a ring have the same length.
func (r *Ring) Put(at int64, numbers []float32) {
	if !r.Wants(at) {
		return
	}
	r.last = at / Step
	place := &r.rows[r.last%Length]
	place.step = r.last
	place.numbers = append(place.numbers[:0], numbers...)
}

// Last is the time of the newest row; 0: there is none.
func (r *Ring) Last() int64 { return r.last * Step }

// From is the time of the oldest row that there is; 0: there is none.
func (r *Ring) From() int64 {
	first := r.last
	for i := range r.rows {
		if s := r.rows[i].step; s > r.last-Length && s != 0 {
			first = min(first, s)
		}
	}
	return first * Step
}

// Column is one number of each row from a time on, step by step until the newest.
func (r *Ring) Column(number int, from int64) []float32 {
	column := []float32{}
	for step := max(1, from/Step, r.last-Length+1); step <= r.last; step++ {
		v := Unknown
		if at := &r.rows[step%Length]; at.step == step {
			v = at.numbers[number]
		}
		column = append(column, v)
	}
	return column
}
