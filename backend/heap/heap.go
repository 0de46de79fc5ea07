// Package heap is the state backend that keeps Go values in memory.
//
// A state is a Table: values as they are, lists as slices, maps as Go maps. Nothing is encoded, so that reading and writing state
// costs what a Go map costs, or less.
package heap

import "github.com/flott-dev/flott/backend"

// A Backend keeps state in memory.
type Backend struct{}

// Open makes a store.
func (Backend) Open(d backend.Descriptor) (backend.Store, error) { return d.Heap(), nil }
