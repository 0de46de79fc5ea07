package shuffle

import (
	"fmt"
	"math/rand/v2"
	"sync/atomic"

	"github.com/flott-dev/flott/internal/halt"
)

// A dealer decides which part of a partition each record goes to. Parts are numbered from 0; who reads them, the route knows.
//
// Records of one part lie together in a block, in the order in which they came. Where no record is tied to a part, the stage becomes
// the block as it is (swap); else its records are sorted into the block.
type dealer[T any] interface {
	// note looks at records [from, to) of the stage, just after they were put there.
	note(stage *columns[T], from, to int) error
	// lay moves the w.n records of the stage into b.
	lay(w *writer[T], b *block[T])
	// run is where the records of part p are in the block that was laid last.
	run(p int) (from, to int)
	// copies says that runs overlap.
	copies() bool
}

// swap is the dealing that moves nothing.
type swap[T any] struct{ n int }

func (s *swap[T]) note(*columns[T], int, int) error { return nil }
func (s *swap[T]) copies() bool                     { return false }

func (s *swap[T]) lay(w *writer[T], b *block[T]) {
	b.columns, w.stage = w.stage, b.columns
	s.n = w.n
}

// whole gives everything to the first part: FORWARD, GLOBAL, and whatever has one part only.
type whole[T any] struct{ swap[T] }

func (d *whole[T]) run(p int) (from, to int) {
	if p > 0 {
		return 0, 0
	}
	return 0, d.n
}

// all gives everything to every part: BROADCAST.
type all[T any] struct{ swap[T] }

func (d *all[T]) run(int) (from, to int) { return 0, d.n }
func (d *all[T]) copies() bool           { return true }

// turns deals each block out in runs of equal length: REBALANCE and RESCALE. Runs that are one longer go around, so that no part
// ever is more than one record ahead of another.
type turns[T any] struct {
	swap[T]
	parts       int
	first, next int // the parts from first up to next, going around, have the longer runs
}

func (d *turns[T]) lay(w *writer[T], b *block[T]) {
	d.swap.lay(w, b)
	d.first, d.next = d.next, (d.next+d.n)%d.parts
}

func (d *turns[T]) run(p int) (from, to int) {
	turn := p - d.first
	if turn < 0 {
		turn += d.parts
	}
	short, longer := d.n/d.parts, d.n%d.parts
	from = turn*short + min(turn, longer)
	if turn < longer {
		short++
	}
	return from, from + short
}

// sorted deals each record by itself: HASH, SHUFFLE, CUSTOM. The parts are noted while the records are in the cache, and a flush is
// one counting sort.
type sorted[T any] struct {
	assign assigner[T]
	part   []uint16 // of each staged record; while laying: its place in the block
	ends   []int32  // by part p: in [p] where its run starts, in [p+1] where it ends
}

func (d *sorted[T]) copies() bool             { return false }
func (d *sorted[T]) run(p int) (from, to int) { return int(d.ends[p]), int(d.ends[p+1]) }

func (d *sorted[T]) note(stage *columns[T], from, to int) error {
	d.part = fit(d.part, len(stage.v), from)
	return d.assign.assign(stage, from, to, d.part[from:to])
}

func (d *sorted[T]) lay(w *writer[T], b *block[T]) {
	places := d.part[:w.n]
	d.sort(places)
	b.fit(len(w.stage.v), 0, w.timed, w.keyed)
	scatter(b.v, w.stage.v, places)
	if w.timed {
		scatter(b.ts, w.stage.ts, places)
	}
	if w.keyed {
		scatter(b.h, w.stage.h, places)
	}
}

// sort makes places out of parts, and fills ends.
func (d *sorted[T]) sort(parts []uint16) {
	// Counting for part p in [p+2] makes [p+1] the start of p once they are summed up, and its end once all places are given.
	clear(d.ends)
	next := d.ends[1:]
	for _, p := range parts {
		next[p+1]++
	}
	for p := 1; p < len(next); p++ {
		next[p] += next[p-1]
	}
	for i, p := range parts {
		at := next[p]
		next[p] = at + 1
		parts[i] = uint16(at)
	}
}

func scatter[E any](to, from []E, places []uint16) {
	from = from[:len(places)]
	for i, at := range places {
		to[at] = from[i]
	}
}

// An assigner says to which part each record of a stage goes.
type assigner[T any] interface {
	assign(stage *columns[T], from, to int, part []uint16) error
}

// random is SHUFFLE.
type random[T any] struct {
	parts uint64
	pcg   rand.PCG
}

func (r *random[T]) assign(_ *columns[T], _, _ int, part []uint16) error {
	for i := range part {
		part[i] = uint16(r.pcg.Uint64() >> 32 * r.parts >> 32)
	}
	return nil
}

// custom is CUSTOM: the user's own function.
type custom[T any] struct {
	parts  int
	f      func(v T, n int) int
	halted *halt.Flag
}

func (c *custom[T]) assign(stage *columns[T], from, to int, part []uint16) error {
	for i, v := range stage.v[from:to] {
		if atomic.LoadUint32(&c.halted.Up) != 0 {
			return c.halted.Err()
		}
		p := c.f(v, c.parts)
		if uint(p) >= uint(c.parts) {
			return fmt.Errorf("the partitioner returned %d; there are %d subtasks", p, c.parts)
		}
		part[i] = uint16(p)
	}
	return nil
}
