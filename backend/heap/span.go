package heap

import (
	"math/bits"

	"github.com/flott-dev/flott/internal/id"
)

// A Span lays the places of one subtask's keys out on a range that starts at 0 and is as small as it can be, in order, so that
// the top bits tell pages apart.
//
// The places themselves would not: those of a subtask start at its first key group, and between two key groups there is room for
// many more than a job has. With 128 key groups a place is
//
//	ggggggg 000000000 hhhh...hhhh
//	7 bits  9 (gap)   48
//
// and a directory over its top bits would have to grow 512 times before it could part the keys of one group. So the hash moves up
// into the gap, by a multiplication, which is cheaper than a shift by a variable.
type Span struct {
	first uint64 // the place at which the subtask begins
	raise uint64 // what moves the hash up: 1<<gap - 1, as one hash is there already
	bits  uint   // of the largest number that at returns
}

// SpanOf is the span of the places of these key groups, of which there are maxParallelism in all.
func SpanOf(groups id.KeyGroupRange, maxParallelism int) Span {
	scaled := func(group int) uint64 { return uint64(group<<16/maxParallelism) << 48 }
	gap := bits.Len(uint(1<<16/maxParallelism)) - 1
	first := scaled(groups.First)
	last := scaled(groups.Last) + (1<<(48+gap) - 1)
	return Span{first, 1<<gap - 1, uint(bits.Len64(last - first))}
}

const hashBits = 1<<48 - 1

// at is where a place lies in the span.
func (s *Span) at(place uint64) uint64 {
	p := place - s.first
	return p + p&hashBits*s.raise
}
