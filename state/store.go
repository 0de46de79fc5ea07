package state

import "iter"

// A ValueStore is what a Value stands on. Like the other stores it is made by a backend and knows the key at work.
type ValueStore[V any] interface {
	Get() (value V, ok bool)
	Set(value V)
	Clear()
	// Ref is the key's value in place, made from the zero value if there was none. The pointer is good until the next call of the
	// store, for any key; what is written through it by then is stored.
	Ref() (value *V, found bool)
}

// A ListStore is what a List stands on.
type ListStore[V any] interface {
	Add(value V)
	// Values is the list, to be read only. It stays as it is when values are added or cleared.
	Values() []V
	Clear()
}

// A MapStore is what a Map stands on.
type MapStore[K comparable, V any] interface {
	Get(k K) (value V, ok bool)
	Set(k K, value V)
	Delete(k K)
	All() iter.Seq2[K, V]
	Clear()
}
