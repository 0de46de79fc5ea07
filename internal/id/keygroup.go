package id

import (
	"math"
	"math/bits"
)

// Keys are dealt out in key groups, of which an operator has as many as its max parallelism. A subtask owns a range of them, and
// with them their state; a job that restarts with another parallelism only deals the groups out anew. The formulas are Flink's.

// MaxKeyGroups is the largest max parallelism.
const MaxKeyGroups = 1 << 15

// A KeyGroupRange is the key groups of one subtask, first and last included. The zero value is not a range of any subtask of a
// job with more than one key group.
type KeyGroupRange struct{ First, Last int }

// KeyGroups deals out the keys of an operator with some max parallelism.
type KeyGroups struct {
	n    uint32
	log2 uint32 // of n, where n is a power of two, as it nearly always is; else notPowerOfTwo
}

const notPowerOfTwo = 32

// KeyGroupsOf is the key groups of an operator with this max parallelism, from 1 to MaxKeyGroups.
func KeyGroupsOf(maxParallelism int) KeyGroups {
	n := uint32(maxParallelism)
	if n&(n-1) != 0 {
		return KeyGroups{n, notPowerOfTwo}
	}
	return KeyGroups{n, uint32(bits.TrailingZeros32(n))}
}

// Of is the key group of a key hash.
func (k KeyGroups) Of(hash uint64) int {
	m := uint32(MurmurHash(int32(hash ^ hash>>32)))
	if k.log2 != notPowerOfTwo {
		return int(m & (k.n - 1))
	}
	return int(m % k.n)
}

// Place is a key hash as it travels with a record and as state is sorted by it: the key group, scaled to the upper 16 bits, above
// 48 bits of the hash. So places of different key groups never mix, and those of a subtask are one interval.
func (k KeyGroups) Place(hash uint64) uint64 {
	group := uint32(k.Of(hash))
	if k.log2 != notPowerOfTwo {
		return uint64(group)<<(64-k.log2) | hash>>16
	}
	return uint64(group<<16/k.n)<<48 | hash>>16
}

// PlaceAll makes places of the hashes in h.
func (k KeyGroups) PlaceAll(h []uint64) {
	if k.log2 == notPowerOfTwo {
		for i, hash := range h {
			h[i] = k.Place(hash)
		}
		return
	}
	mask, shift := k.n-1, 64-k.log2
	for i, hash := range h {
		group := uint32(MurmurHash(int32(hash^hash>>32))) & mask
		h[i] = uint64(group)<<shift | hash>>16
	}
}

// OfPlace is the key group of a place.
func (k KeyGroups) OfPlace(place uint64) int {
	scaled := uint32(place >> 48)
	return int((scaled*k.n + 1<<16 - 1) >> 16)
}

// Subtask is the subtask of a key group, given the parallelism.
func (k KeyGroups) Subtask(group, parallelism int) int { return group * parallelism / int(k.n) }

// Range is the key groups of a subtask, given the parallelism.
func (k KeyGroups) Range(subtask, parallelism int) KeyGroupRange {
	n := int(k.n)
	return KeyGroupRange{
		First: (subtask*n + parallelism - 1) / parallelism,
		Last:  ((subtask+1)*n - 1) / parallelism,
	}
}

// DefaultMaxParallelism is the max parallelism of an operator that chose none: half as much again as the parallelism, to the next
// power of two.
func DefaultMaxParallelism(parallelism int) int {
	const least = 128
	n := parallelism + parallelism/2
	return min(max(1<<bits.Len(uint(n-1)), least), MaxKeyGroups)
}

// MurmurHash is Flink's MathUtils.murmurHash: murmur3 of one 32-bit word, made positive. Modulo the max parallelism it is the key
// group of a key with that hash code.
func MurmurHash(code int32) int32 {
	h := uint32(code) * 0xcc9e2d51
	h = bits.RotateLeft32(h, 15) * 0x1b873593
	h = bits.RotateLeft32(h, 13)*5 + 0xe6546b64
	h ^= 4 // the length
	h = (h ^ h>>16) * 0x85ebca6b
	h = (h ^ h>>13) * 0xc2b2ae35
	h ^= h >> 16
	s := int32(h)
	s = (s ^ s>>31) - s>>31 // without a branch, which would be taken at random
	return s & math.MaxInt32
}
