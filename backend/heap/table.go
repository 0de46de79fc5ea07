package heap

import "iter"

// A Table is a hash table that lies in pages ordered by key group: an extendible hash.
//
//	directory        pages
//	00 ─────────┐
//	01 ───────┐ └──▶ depth 2: places 00...
//	10 ──┐    └────▶ depth 2: places 01...
//	11 ──┴─────────▶ depth 1: places 1....
//
// The directory is indexed by the top bits of a place (laid out by a Span), so that a page holds one interval of places: the keys
// of one key group, or of neighbours when they have few. Whoever wants a key group reads some pages and no others; whoever wants to
// keep a page as it was copies or encodes that page alone.
//
// A page is an open-addressed array with linear probing. It starts small, since most tables of most tasks are, doubles up to
// pageSlots, and then splits in two. Growing and splitting move at most one page, so no insert is slow. A delete moves the
// entries behind it back, so that there are no tombstones, and two pages that got empty enough become one again.
//
// Slots hold the whole place: a lookup compares eight bytes before it looks at a key, and moving entries never hashes a key.
// Keys and values without pointers make pages that the collector does not look into.
//
// Against a Go map this saves the second hash (the exchange made the first) and half of the cost per entry: see BenchmarkTable.
type Table[K comparable, V any] struct {
	span  Span
	shift uint // the bits of the span that the directory does not look at
	dir   []entry[K, V]
	last  *slot[K, V] // of the latest Get, which a Set often follows; nil when its page has moved

	depth uint // of the directory
	deep  int  // pages as deep as the directory: when none is left, it halves
	pages int
	n     int
}

// An entry of the directory has the slots of its page beside the page, which saves a cache miss per lookup.
type entry[K comparable, V any] struct {
	slots []slot[K, V]
	page  *page
}

// A page is what a lookup does not need to know of a page.
type page struct {
	depth uint // how many top bits its places have in common
	n     int  // entries
}

type slot[K comparable, V any] struct {
	tag uint64 // the place with the lowest bit set; 0: empty
	k   K
	v   V
}

const (
	minDepth  = 1
	minSlots  = 8
	pageSlots = 256 // measured: 64 cost 1.5 times as much with 10M keys
	live      = 1
)

// NewTable makes an empty table. Its directory is one deeper than needed: a shift by all 64 bits would cost every lookup a check.
func NewTable[K comparable, V any](s Span) *Table[K, V] {
	e := entry[K, V]{make([]slot[K, V], minSlots), &page{}}
	return &Table[K, V]{span: s, shift: s.bits - minDepth, dir: []entry[K, V]{e, e}, depth: minDepth, pages: 1}
}

// Len is the number of entries.
func (t *Table[K, V]) Len() int { return t.n }

// full is the number of entries at which slots are too crowded for another one.
func full(slots int) int { return slots * 3 / 4 }

// Get is the value of k.
func (t *Table[K, V]) Get(place uint64, k K) (v V, ok bool) {
	s := t.find(place, k)
	if s.tag == 0 {
		return v, false
	}
	t.last = s
	return s.v, true
}

// Set sets the value of k.
func (t *Table[K, V]) Set(place uint64, k K, v V) {
	if s := t.last; s != nil && s.tag == place|live && s.k == k {
		s.v = v
		return
	}
	ref, _ := t.Ref(place, k)
	*ref = v
}

// Ref is the value of k in place, made from the zero value if there was none. The pointer is good until the next Ref, Set or
// Delete.
func (t *Table[K, V]) Ref(place uint64, k K) (v *V, found bool) {
	if s := t.find(place, k); s.tag != 0 {
		return &s.v, true
	}
	return t.insert(place, k), false
}

// find is the slot of k, or the empty one where it would be.
func (t *Table[K, V]) find(place uint64, k K) *slot[K, V] {
	slots := t.dir[t.index(place)].slots
	tag := place | live
	for i := home(tag); ; i++ {
		if s := &slots[i&uint64(len(slots)-1)]; s.tag == tag && s.k == k || s.tag == 0 {
			return s
		}
	}
}

// home is where an entry would like to be, given as many slots: the low bits of its place, as the high ones are the same within
// a page.
func home(tag uint64) uint64 { return tag >> 1 }

func (t *Table[K, V]) index(place uint64) uint64 { return t.span.at(place) >> (t.shift & 63) }

// insert adds k, which is not there.
func (t *Table[K, V]) insert(place uint64, k K) *V {
	d := t.index(place)
	for e := &t.dir[d]; e.page.n >= full(len(e.slots)); e = &t.dir[d] {
		t.makeRoom(d)
		d = t.index(place)
	}
	t.dir[d].page.n++
	t.n++
	s := t.find(place, k)
	s.tag, s.k = place|live, k
	return &s.v
}

// Delete removes k, and returns its value if it was there.
func (t *Table[K, V]) Delete(place uint64, k K) (v V, found bool) {
	s := t.find(place, k)
	if s.tag == 0 {
		return v, false
	}
	v = s.v
	d := t.index(place)
	e := t.dir[d]
	i := home(s.tag)
	for &e.slots[i&uint64(len(e.slots)-1)] != s {
		i++
	}
	remove(e.slots, i&uint64(len(e.slots)-1))
	t.n--
	if e.page.n--; e.page.n < len(e.slots)/16 {
		t.shrink(d)
	}
	return v, true
}

// remove empties a slot and moves back what only stands behind it because the slot was taken.
func remove[K comparable, V any](slots []slot[K, V], hole uint64) {
	mask := uint64(len(slots) - 1)
	for i := (hole + 1) & mask; slots[i].tag != 0; i = (i + 1) & mask {
		if (i-home(slots[i].tag))&mask >= (i-hole)&mask {
			slots[hole] = slots[i]
			hole = i
		}
	}
	slots[hole] = slot[K, V]{}
}

// All gives the entries, key group by key group. The table must not change meanwhile.
func (t *Table[K, V]) All() iter.Seq2[K, *V] {
	return func(yield func(K, *V) bool) {
		var last *page
		for _, e := range t.dir {
			if e.page == last {
				continue
			}
			last = e.page
			for i := range e.slots {
				if s := &e.slots[i]; s.tag != 0 && !yield(s.k, &s.v) {
					return
				}
			}
		}
	}
}
