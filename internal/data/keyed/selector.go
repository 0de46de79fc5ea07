package keyed

import (
	"sync/atomic"

	"github.com/flott-dev/flott/internal/data/record"
	"github.com/flott-dev/flott/internal/halt"
	"github.com/flott-dev/flott/internal/id"
)

// A Selector finds the key of a record, and its place.
type Selector[T any, K comparable] struct {
	Of func(T) K

	halted *halt.Flag
	hash   func(K) uint64
	groups id.KeyGroups
	keys   []K
	places []uint64
}

// NewSelector makes the selector of an operator with this max parallelism.
func NewSelector[T any, K comparable](of func(T) K, maxParallelism int, halted *halt.Flag) (*Selector[T, K], error) {
	hash, err := id.HashOf[K]()
	if err != nil {
		return nil, err
	}
	return &Selector[T, K]{Of: of, halted: halted, hash: hash, groups: id.KeyGroupsOf(maxParallelism)}, nil
}

// Keys are the keys of the batch's records. They are good until the next call.
func (s *Selector[T, K]) Keys(b *record.Batch[T]) ([]K, error) {
	s.keys = s.keys[:0]
	for _, v := range b.V {
		if atomic.LoadUint32(&s.halted.Up) != 0 {
			return nil, s.halted.Err()
		}
		s.keys = append(s.keys, s.Of(v))
	}
	return s.keys, nil
}

// Places are the places of the batch's records: those that the exchange found, or found now if the records did not come by one.
func (s *Selector[T, K]) Places(b *record.Batch[T]) ([]uint64, error) {
	if b.H != nil {
		return b.H[:len(b.V)], nil
	}
	s.places = s.places[:0]
	for _, v := range b.V {
		if atomic.LoadUint32(&s.halted.Up) != 0 {
			return nil, s.halted.Err()
		}
		s.places = append(s.places, s.hash(s.Of(v)))
	}
	s.groups.PlaceAll(s.places)
	return s.places, nil
}
