// Package state holds the handles of keyed state. A function declares its states in open, by name, and gets a handle for each:
//
//	last := rt.Value[float64]("last")
//
// A handle shows what is stored for the key of the record, or of the timer, that is being handled, and of no other key. Before
// the first record, in open, Open and EndOfInput, there is no key, and state must not be touched.
//
// What is put into state belongs to state: a slice, map or pointer that was set must not be changed except by setting it again.
package state

import (
	"iter"
	"slices"
)

// An Option changes how a state is kept.
type Option interface{ option() }

// A Value is one value per key.
type Value[V any] struct{ store ValueStore[V] }

// NewValue is the handle on a store: for backends and test kits. Functions get theirs from the runtime.
func NewValue[V any](s ValueStore[V]) Value[V] { return Value[V]{s} }

// Get is the key's value, if one was set.
func (v Value[V]) Get() (value V, ok bool) { return v.store.Get() }

// Set sets the key's value.
func (v Value[V]) Set(value V) { v.store.Set(value) }

// Clear removes the key's value.
func (v Value[V]) Clear() { v.store.Clear() }

// A List is a list of values per key.
type List[V any] struct{ store ListStore[V] }

// NewList is the handle on a store: for backends and test kits. Functions get theirs from the runtime.
func NewList[V any](s ListStore[V]) List[V] { return List[V]{s} }

// Add appends to the key's list.
func (l List[V]) Add(values ...V) {
	for _, v := range values {
		l.store.Add(v)
	}
}

// All is the key's list, in the order in which it was added. It is the list as it was when All was called: what is added or
// cleared meanwhile changes nothing about it.
func (l List[V]) All() iter.Seq[V] { return slices.Values(l.store.Values()) }

// Clear removes the key's list.
func (l List[V]) Clear() { l.store.Clear() }

// A Map is a map per key.
type Map[K comparable, V any] struct{ store MapStore[K, V] }

// NewMap is the handle on a store: for backends and test kits. Functions get theirs from the runtime.
func NewMap[K comparable, V any](s MapStore[K, V]) Map[K, V] { return Map[K, V]{s} }

// Get is the value at k in the key's map, if there is one.
func (m Map[K, V]) Get(k K) (value V, ok bool) { return m.store.Get(k) }

// Set sets the value at k in the key's map.
func (m Map[K, V]) Set(k K, value V) { m.store.Set(k, value) }

// Delete removes k from the key's map.
func (m Map[K, V]) Delete(k K) { m.store.Delete(k) }

// All is the key's map, in no order. The map may be changed meanwhile, as a Go map may while one ranges over it: an entry that is
// deleted before it was reached does not come, one that is set may come or not, and none comes twice.
func (m Map[K, V]) All() iter.Seq2[K, V] { return m.store.All() }

// Clear removes the key's map.
func (m Map[K, V]) Clear() { m.store.Clear() }
