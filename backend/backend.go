// Package backend is the contract between the keyed state of an operator and what stores it. Functions never see it: they hold
// the handles of package state, which stand on the stores that a backend opens.
//
// A store shows the state of one key at a time. The operator writes the key at work into a Key, once per record or timer, and
// all stores of the operator read it from there; so a Get or Set is one call through an interface and carries nothing.
//
// All of it is used by one goroutine, the task's. Package backendtest holds the suite that every backend must pass.
package backend

// A Backend keeps the keyed state of one operator in one subtask.
type Backend interface {
	// Open makes the store of a state that was not opened before, with the function of the descriptor that fits the backend. Its type
	// follows from the state's kind and types.
	Open(d Descriptor) (Store, error)
}

// A Store holds one state for all keys of the subtask.
type Store interface {
	// Len is the number of keys that have something stored.
	Len() int
}

// A Prefetcher is a Store that gains by knowing which keys come next.
type Prefetcher interface {
	// Prefetch prepares for the keys at some places, those of a batch.
	Prefetch(places []uint64)
}

// A Table is a Store of operators that keep a value per key, and know the keys of a whole batch at once.
type Table[K comparable, V any] interface {
	Store
	// Update lends f the values of some keys in place, one after the other: of keys[i] at places[i]. A value that was not found is the
	// zero value, and there from now on. The pointer is good until f returns; f may not use the table. When f returns false, the rest
	// is left alone.
	Update(places []uint64, keys []K, f func(i int, v *V, found bool) (more bool))
	// Scan goes through the table, key group by key group. The table may not be used until the scan has come to its end or was given up,
	// but time may pass.
	Scan() Scan[K, V]
}

// A Scan is on its way through a table.
type Scan[K comparable, V any] interface {
	// Next is the next key and its value in place, as long as there is one.
	Next() (k K, v *V, ok bool)
}

// Windows is a Store with a Table per window: windows come and go as a whole, and one is in use at a time, so that they are kept
// apart. A window is known by its start.
type Windows[K comparable, V any] interface {
	Store
	// Window is the table of a window, made if there was none. It is good until the window is dropped.
	Window(start int64) Table[K, V]
	// Drop removes a window with all that is in it.
	Drop(start int64)
}

// A Descriptor describes a state and can build its store. A method of an interface has no type parameters, so that no backend
// can make a store for the types of a state by itself; whoever declares the state can, and gives the functions.
type Descriptor struct {
	State
	Heap func() Store // a store of Go values in memory
}
