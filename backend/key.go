package backend

// A Key is the key at work: the one whose state the stores of an operator show.
type Key[K comparable] struct {
	K K
	// Place orders all state by key group: the scaled key group in the upper 16 bits, 48 bits of the key's hash below (see
	// id.KeyGroups.Place). Equal keys have equal places, so that backends need not hash again.
	Place uint64
}

// Part is a place for what belongs to a key and a number, a time for example: in the same key group, and elsewhere for each number.
func Part(place uint64, n int64) uint64 {
	const group, scatter = 0xFFFF << 48, 0x9E3779B97F4A7C15
	return place&group | (place+uint64(n)*scatter)&^group
}
