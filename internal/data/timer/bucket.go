package timer

import "github.com/flott-dev/flott/backend"

// A bucket is the keys that wait for one time. They come out from the front. A key is found by looking at all of them while they are
// few, and by an index else: an open-addressed table of positions, with linear probing, by the low bits of the places. It is made
// when a key is looked for, so that a bucket of keys that nobody looks for has none.
type bucket[K comparable] struct {
	time int64
	keys []backend.Key[K]
	next int // the first key that has not come out

	index   []int32 // positions in keys, from 1 on; 0: empty
	indexed int     // how many keys are in the index
}

// few keys need no index.
const few = 16

func (b *bucket[K]) empty() bool { return b.next == len(b.keys) }

func (b *bucket[K]) push(key backend.Key[K]) { b.keys = append(b.keys, key) }

func (b *bucket[K]) pop() backend.Key[K] {
	b.next++
	return b.keys[b.next-1]
}

// find is the position of a key; -1 if it does not wait here.
func (b *bucket[K]) find(key backend.Key[K]) int {
	if len(b.keys) > few {
		return b.lookUp(key)
	}
	for i := b.next; i < len(b.keys); i++ {
		if b.keys[i] == key {
			return i
		}
	}
	return -1
}

func (b *bucket[K]) lookUp(key backend.Key[K]) int {
	b.indexAll()
	mask := len(b.index) - 1
	for s := b.home(key); ; s = (s + 1) & mask {
		i := int(b.index[s]) - 1
		if i < 0 || i >= b.next && b.keys[i] == key {
			return i
		}
	}
}

// indexAll puts the keys into the index that came since the last time. Those that have come out stay in it.
func (b *bucket[K]) indexAll() {
	if size := len(b.index); size < 2*len(b.keys) {
		for size = max(size, 4*few); size < 3*len(b.keys); size *= 2 {
		}
		b.index, b.indexed = make([]int32, size), b.next
	}
	for ; b.indexed < len(b.keys); b.indexed++ {
		b.index[b.slot(b.indexed, 0)] = int32(b.indexed) + 1
	}
}

// slot is where the way of the key at position i through the index comes to want.
func (b *bucket[K]) slot(i int, want int32) int {
	s := b.home(b.keys[i])
	for b.index[s] != want {
		s = (s + 1) & (len(b.index) - 1)
	}
	return s
}

func (b *bucket[K]) home(key backend.Key[K]) int { return int(key.Place) & (len(b.index) - 1) }

// remove takes out the key at position i, which has not come out. The last one takes its position.
func (b *bucket[K]) remove(i int) {
	last := len(b.keys) - 1
	if len(b.index) > 0 {
		b.indexAll()
		b.vacate(b.slot(i, int32(i)+1))
		if i != last {
			b.index[b.slot(last, int32(last)+1)] = int32(i) + 1
		}
		b.indexed--
	}
	b.keys[i] = b.keys[last]
	clear(b.keys[last:])
	b.keys = b.keys[:last]
}

// vacate empties a slot of the index and moves back what only stands behind it because the slot was taken.
func (b *bucket[K]) vacate(hole int) {
	mask := len(b.index) - 1
	for s := (hole + 1) & mask; b.index[s] != 0; s = (s + 1) & mask {
		home := b.home(b.keys[b.index[s]-1])
		if (s-home)&mask >= (s-hole)&mask {
			b.index[hole] = b.index[s]
			hole = s
		}
	}
	b.index[hole] = 0
}

// reset makes an empty bucket one for another time.
func (b *bucket[K]) reset(time int64) {
	clear(b.keys)
	clear(b.index)
	b.time, b.keys, b.next, b.indexed = time, b.keys[:0], 0, 0
}
