package codec

import (
	"slices"
	"sync"
)

const (
	chunk = 1024 // most bytes of the strings that share an allocation
	large = 256  // longer strings get their own
)

// An arena keeps short strings together, many to an allocation. A chunk is small, as each of its strings keeps all of it alive: a
// string in state would else hold on to a whole block.
type arena struct{ free []byte }

// keep copies b. It has no room to append to.
func (a *arena) keep(b []byte) []byte {
	n := len(b)
	if len(a.free) < n {
		if n > large {
			return slices.Clone(b)
		}
		a.free = make([]byte, chunk)
	}
	own := a.free[:n:n]
	a.free = a.free[n:]
	copy(own, b)
	return own
}

// arenas are for values that are decoded one by one, by many goroutines.
var arenas = sync.Pool{New: func() any { return new(arena) }}
