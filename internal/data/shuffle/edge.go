package shuffle

import (
	"fmt"
	"sync/atomic"

	"github.com/flott-dev/flott/internal/halt"
	"github.com/flott-dev/flott/internal/id"
)

// ByKey is the typed half of a HASH edge: what streamgraph.Partitioner.Typed holds. hash is the raw 64-bit hash of a key (id.HashOf).
func ByKey[T any, K comparable](key func(T) K, hash func(K) uint64) any {
	return keyed[T](&byKey[T, K]{key, hash})
}

// keyed fills the H column. It fails only when the producer is cancelled.
type keyed[T any] interface {
	place(halted *halt.Flag, h []uint64, v []T, groups id.KeyGroups) error
}

type byKey[T any, K comparable] struct {
	key  func(T) K
	hash func(K) uint64
}

func (e *byKey[T, K]) place(halted *halt.Flag, h []uint64, v []T, groups id.KeyGroups) error {
	h = h[:len(v)]
	for i, r := range v {
		if atomic.LoadUint32(&halted.Up) != 0 {
			return halted.Err()
		}
		h[i] = e.hash(e.key(r))
	}
	groups.PlaceAll(h)
	return nil
}

// ByFunc is the typed half of a CUSTOM edge: f says to which of n subtasks v goes, from 0.
func ByFunc[T any](f func(v T, n int) int) any { return partitionFunc[T](f) }

type partitionFunc[T any] func(v T, n int) int

// hashed is HASH: it fills the H column, and gives each part a range of key groups.
type hashed[T any] struct {
	by     keyed[T]
	halted *halt.Flag
	groups id.KeyGroups
	partOf []uint16 // by key group
}

func newHashed[T any](r Route, by keyed[T]) *hashed[T] {
	d := &hashed[T]{by, r.Halted, id.KeyGroupsOf(r.MaxParallelism), make([]uint16, r.MaxParallelism)}
	for group := range d.partOf {
		d.partOf[group] = uint16(d.groups.Subtask(group, r.parts()))
	}
	return d
}

func (d *hashed[T]) assign(stage *columns[T], from, to int, part []uint16) error {
	h := stage.h[from:to]
	if err := d.by.place(d.halted, h, stage.v[from:to], d.groups); err != nil {
		return err
	}
	for i, place := range h {
		part[i] = d.partOf[d.groups.OfPlace(place)]
	}
	return nil
}

// hashedWhole is HASH to a single consumer, who still wants the H column.
type hashedWhole[T any] struct {
	whole[T]
	by     keyed[T]
	halted *halt.Flag
	groups id.KeyGroups
}

func (d *hashedWhole[T]) note(stage *columns[T], from, to int) error {
	return d.by.place(d.halted, stage.h[from:to], stage.v[from:to], d.groups)
}

func typedEdge[E any](typed any, elements fmt.Stringer) (E, error) {
	e, ok := typed.(E)
	if !ok {
		return e, fmt.Errorf("an edge of %s records has %T in place of a %T", elements, typed, e)
	}
	return e, nil
}
