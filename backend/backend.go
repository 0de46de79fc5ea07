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
	// Open makes the store of a state that was not opened before, with the function of the descriptor that fits the backend. It is a
	// state.ValueStore, ListStore or MapStore of the state's types.
	Open(d Descriptor) (Store, error)
}

// A Store holds one state for all keys of the subtask.
type Store interface {
	// Len is the number of keys that have something stored.
	Len() int
}

// A Descriptor describes a state and can build its store. A method of an interface has no type parameters, so that no backend
// can make a store for the types of a state by itself; whoever declares the state can, and gives the functions.
type Descriptor struct {
	State
	Heap func() Store // a store of Go values in memory
}
