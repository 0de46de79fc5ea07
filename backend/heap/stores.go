package heap

import (
	"iter"

	"github.com/flott-dev/flott/backend"
)

// A Value is a state.ValueStore.
type Value[K comparable, V any] struct {
	key   *backend.Key[K]
	table *Table[K, V]
}

// NewValue makes an empty store that shows the state of key.
func NewValue[K comparable, V any](key *backend.Key[K], s Span) *Value[K, V] {
	return &Value[K, V]{key, NewTable[K, V](s)}
}

// Get is the key's value.
func (v *Value[K, V]) Get() (V, bool) { return v.table.Get(v.key.Place, v.key.K) }

// Prefetch prepares for the keys at some places.
func (v *Value[K, V]) Prefetch(places []uint64) { v.table.Prefetch(places) }

// Set sets the key's value.
func (v *Value[K, V]) Set(value V) { v.table.Set(v.key.Place, v.key.K, value) }

// Ref is the key's value in place.
func (v *Value[K, V]) Ref() (*V, bool) { return v.table.Ref(v.key.Place, v.key.K) }

// Clear removes the key's value.
func (v *Value[K, V]) Clear() { v.table.Delete(v.key.Place, v.key.K) }

// Len is the number of keys with a value.
func (v *Value[K, V]) Len() int { return v.table.Len() }

// A List is a state.ListStore.
type List[K comparable, V any] struct {
	key   *backend.Key[K]
	table *Table[K, []V]
}

// NewList makes an empty store that shows the state of key.
func NewList[K comparable, V any](key *backend.Key[K], s Span) *List[K, V] {
	return &List[K, V]{key, NewTable[K, []V](s)}
}

// Add appends to the key's list. Lists that were lent end where they ended.
func (l *List[K, V]) Add(value V) {
	ref, _ := l.table.Ref(l.key.Place, l.key.K)
	*ref = append(*ref, value)
}

// Values is the key's list.
func (l *List[K, V]) Values() []V {
	values, _ := l.table.Get(l.key.Place, l.key.K)
	return values
}

// Prefetch prepares for the keys at some places.
func (l *List[K, V]) Prefetch(places []uint64) { l.table.Prefetch(places) }

// Clear removes the key's list.
func (l *List[K, V]) Clear() { l.table.Delete(l.key.Place, l.key.K) }

// Len is the number of keys with a list.
func (l *List[K, V]) Len() int { return l.table.Len() }

// A Map is a state.MapStore. A key whose map got empty has none, as if it had never had one.
type Map[K, MK comparable, V any] struct {
	key   *backend.Key[K]
	table *Table[K, map[MK]V]
}

// NewMap makes an empty store that shows the state of key.
func NewMap[K, MK comparable, V any](key *backend.Key[K], s Span) *Map[K, MK, V] {
	return &Map[K, MK, V]{key, NewTable[K, map[MK]V](s)}
}

func (m *Map[K, MK, V]) entries() map[MK]V {
	entries, _ := m.table.Get(m.key.Place, m.key.K)
	return entries
}

// Get is the value at k in the key's map.
func (m *Map[K, MK, V]) Get(k MK) (V, bool) {
	v, ok := m.entries()[k]
	return v, ok
}

// Set sets the value at k in the key's map.
func (m *Map[K, MK, V]) Set(k MK, value V) {
	ref, found := m.table.Ref(m.key.Place, m.key.K)
	if !found {
		*ref = make(map[MK]V)
	}
	(*ref)[k] = value
}

// Delete removes k from the key's map.
func (m *Map[K, MK, V]) Delete(k MK) {
	entries := m.entries()
	if _, ok := entries[k]; !ok {
		return
	}
	if delete(entries, k); len(entries) == 0 {
		m.table.Delete(m.key.Place, m.key.K)
	}
}

// All ranges over the key's map.
func (m *Map[K, MK, V]) All() iter.Seq2[MK, V] {
	entries := m.entries()
	return func(yield func(MK, V) bool) {
		for k, v := range entries {
			if !yield(k, v) {
				return
			}
		}
	}
}

// Prefetch prepares for the keys at some places.
func (m *Map[K, MK, V]) Prefetch(places []uint64) { m.table.Prefetch(places) }

// Clear removes the key's map. It empties it first, for those who range over it.
func (m *Map[K, MK, V]) Clear() {
	clear(m.entries())
	m.table.Delete(m.key.Place, m.key.K)
}

// Len is the number of keys with a map.
func (m *Map[K, MK, V]) Len() int { return m.table.Len() }
