package backend

// A Key is the key at work: the one whose state the stores of an operator show.
type Key[K comparable] struct {
	K K
	// Place orders all state by key group: the scaled key group in the upper 16 bits, 48 bits of the key's hash below (see
	// id.KeyGroups.Place). Equal keys have equal places, so that backends need not hash again.
	Place uint64
}
