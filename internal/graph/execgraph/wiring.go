package execgraph

import "github.com/flott-dev/flott/internal/graph/jobgraph"

// A Range is numbers from First up to, but without, End.
type Range struct{ First, End int }

// Len is how many numbers the range holds.
func (r Range) Len() int { return r.End - r.First }

// A Wiring says which partitions of a data set each subtask of a consumer reads, and which part of them.
//
// Consumers that read the same partitions form a group, and each partition belongs to exactly one group. Within its group a
// consumer reads one subpartition of every partition:
//
//	ALL_TO_ALL          one group of all
//	POINTWISE, S >= T   a group per consumer i:  partitions i*S/T ... (i+1)*S/T - 1
//	POINTWISE, S <  T   a group per partition q: consumers ceil(q*T/S) ... ceil((q+1)*T/S) - 1
//
// with S producers and T consumers. So a wiring is arithmetic and costs the same for two tasks and for two thousand.
type Wiring struct {
	Pattern   jobgraph.Pattern
	Producers int // S
	Consumers int // T
}

// A Group is consumers that read the same partitions.
type Group struct{ Partitions, Consumers Range }

// Groups is the number of groups.
func (w Wiring) Groups() int {
	if w.Pattern == jobgraph.AllToAll {
		return 1
	}
	return min(w.Producers, w.Consumers)
}

// Group is the i-th group.
func (w Wiring) Group(i int) Group {
	s, t := w.Producers, w.Consumers
	switch {
	case w.Pattern == jobgraph.AllToAll:
		return Group{Range{0, s}, Range{0, t}}
	case s >= t:
		return Group{Range{i * s / t, (i + 1) * s / t}, Range{i, i + 1}}
	default:
		return Group{Range{i, i + 1}, Range{ceil(i*t, s), ceil((i+1)*t, s)}}
	}
}

// GroupOfPartition is the index of the group that reads partition q.
func (w Wiring) GroupOfPartition(q int) int {
	switch {
	case w.Pattern == jobgraph.AllToAll:
		return 0
	case w.Producers >= w.Consumers:
		return ((q+1)*w.Consumers - 1) / w.Producers
	default:
		return q
	}
}

// GroupOfConsumer is the index of the group of consumer i.
func (w Wiring) GroupOfConsumer(i int) int {
	switch {
	case w.Pattern == jobgraph.AllToAll:
		return 0
	case w.Producers >= w.Consumers:
		return i
	default:
		return i * w.Producers / w.Consumers
	}
}

// ReadBy is the partitions that consumer i reads.
func (w Wiring) ReadBy(i int) Range { return w.Group(w.GroupOfConsumer(i)).Partitions }

// ReadersOf is the consumers that read partition q.
func (w Wiring) ReadersOf(q int) Range { return w.Group(w.GroupOfPartition(q)).Consumers }

// Subpartition is the part of each partition that consumer i reads. In a POINTWISE wiring it counts from the first consumer of
// the whole vertex, not of the group, so that it may start anywhere: for 4 -> 6, consumers 3 and 4 read parts 1 and 0 of partition 2.
func (w Wiring) Subpartition(i int) int {
	if w.Pattern == jobgraph.AllToAll {
		return i
	}
	return i % w.Group(w.GroupOfConsumer(i)).Consumers.Len()
}

// ConsumerOf is the consumer that reads subpartition sub of partition q: the inverse of Subpartition.
func (w Wiring) ConsumerOf(q, sub int) int {
	c := w.ReadersOf(q)
	n := c.Len()
	return c.First + ((sub-c.First)%n+n)%n
}

func ceil(a, b int) int { return (a + b - 1) / b }
