// Package keyed is what stands behind the runtimes of package process: the subtask that they show, the key at work, and the states
// that functions declare.
package keyed

import (
	"errors"
	"fmt"
	"reflect"

	"github.com/flott-dev/flott/backend"
	"github.com/flott-dev/flott/backend/heap"
	"github.com/flott-dev/flott/internal/id"
	"github.com/flott-dev/flott/state"
)

// States are the states of one operator in one subtask. They are declared while its function is made, and only then.
type States[K comparable] struct {
	Key *backend.Key[K] // at work; the operator writes it, the stores read it

	backend backend.Backend
	span    heap.Span
	stores  []declared
	fetch   []backend.Prefetcher
	errs    []error
	sealed  bool
}

type declared struct {
	backend.State
	backend.Store
}

// NewStates opens states in b, for the keys of these groups of maxParallelism.
func NewStates[K comparable](b backend.Backend, groups id.KeyGroupRange, maxParallelism int) *States[K] {
	return &States[K]{Key: new(backend.Key[K]), backend: b, span: heap.SpanOf(groups, maxParallelism)}
}

// Value opens a value per key.
func (s *States[K]) Value[V any](name string) state.ValueStore[V] {
	return s.open(backend.Descriptor{
		State: backend.State{Name: name, Kind: backend.KindValue, Key: reflect.TypeFor[K](), Value: reflect.TypeFor[V]()},
		Heap:  func() backend.Store { return heap.NewValue[K, V](s.Key, s.span) },
	}).(state.ValueStore[V])
}

// List opens a list per key.
func (s *States[K]) List[V any](name string) state.ListStore[V] {
	return s.open(backend.Descriptor{
		State: backend.State{Name: name, Kind: backend.KindList, Key: reflect.TypeFor[K](), Value: reflect.TypeFor[V]()},
		Heap:  func() backend.Store { return heap.NewList[K, V](s.Key, s.span) },
	}).(state.ListStore[V])
}

// Map opens a map per key.
func (s *States[K]) Map[MK comparable, V any](name string) state.MapStore[MK, V] {
	return s.open(backend.Descriptor{
		State: backend.State{
			Name: name, Kind: backend.KindMap, Key: reflect.TypeFor[K](), MapKey: reflect.TypeFor[MK](), Value: reflect.TypeFor[V](),
		},
		Heap: func() backend.Store { return heap.NewMap[K, MK, V](s.Key, s.span) },
	}).(state.MapStore[MK, V])
}

// Table opens a value per key, for an operator that handles whole batches.
func (s *States[K]) Table[V any](name string) backend.Table[K, V] {
	return s.open(backend.Descriptor{
		State: backend.State{Name: name, Kind: backend.KindTable, Key: reflect.TypeFor[K](), Value: reflect.TypeFor[V]()},
		Heap:  func() backend.Store { return heap.NewTable[K, V](s.span) },
	}).(backend.Table[K, V])
}

// Windows opens a value per key and window.
func (s *States[K]) Windows[V any](name string) backend.Windows[K, V] {
	return s.open(backend.Descriptor{
		State: backend.State{Name: name, Kind: backend.KindWindows, Key: reflect.TypeFor[K](), Value: reflect.TypeFor[V]()},
		Heap:  func() backend.Store { return heap.NewWindows[K, V](s.span) },
	}).(backend.Windows[K, V])
}

// open opens a state. What is wrong comes out at the end, by Seal, so that all mistakes are found; until then there is a store to
// go on with.
func (s *States[K]) open(d backend.Descriptor) backend.Store {
	if s.sealed {
		panic(fmt.Sprintf("%v is declared while the job runs: declare it in open", d.State))
	}
	if d.Name == "" {
		s.errs = append(s.errs, fmt.Errorf("%v has no name: give it one, by which its values are found again", d.State))
	}
	for _, other := range s.stores {
		if other.Name == d.Name {
			s.errs = append(s.errs, fmt.Errorf("the state name %q is used twice: by %v and %v", d.Name, other.State, d.State))
		}
	}
	store, err := s.backend.Open(d)
	if err != nil {
		s.errs = append(s.errs, fmt.Errorf("%v: %w", d.State, err))
		store = d.Heap()
	}
	s.stores = append(s.stores, declared{d.State, store})
	if p, ok := store.(backend.Prefetcher); ok {
		s.fetch = append(s.fetch, p)
	}
	return store
}

// Seal ends the declarations and says what was wrong with them.
func (s *States[K]) Seal() error {
	s.sealed = true
	for _, d := range s.stores {
		if d.Len() > 0 {
			s.errs = append(s.errs, fmt.Errorf("%v is written in open, where there is no key to write it for", d.State))
		}
	}
	return errors.Join(s.errs...)
}

// Prefetch says that the keys at these places come next, each once or more.
func (s *States[K]) Prefetch(places []uint64) {
	for _, p := range s.fetch {
		p.Prefetch(places)
	}
}

// Declared is all states, in the order in which they were declared.
func (s *States[K]) Declared() []backend.State {
	var all []backend.State
	for _, d := range s.stores {
		all = append(all, d.State)
	}
	return all
}
