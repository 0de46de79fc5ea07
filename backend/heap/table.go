package heap

import "github.com/flott-dev/flott/backend"

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
type Table[K comparable, V any] struct {
	span  Span
	shift uint // the bits of the span that the directory does not look at
	dir   []entry[K, V]
	last  *slot[K, V] // of the latest Get, which a Set often follows; nil when its page has moved

	sum uint64 // of what Prefetch read, so that it is read

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

// home is where the entry would like to be, given as many slots.
func (s *slot[K, V]) home() uint64 { return s.tag >> 1 }

const (
	minDepth  = 1
	minSlots  = 8
	pageSlots = 256 // measured: 64 cost 1.5 times as much with 10M keys
	manyPages = 256 // some MB
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
func full(slots int) int { return slots * 5 / 8 }

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

// Ref is the value of k in place, made from the zero value if there was none. The pointer is good until the next Ref, Set, Update
// or Delete.
func (t *Table[K, V]) Ref(place uint64, k K) (v *V, found bool) {
	if s := t.find(place, k); s.tag != 0 {
		return &s.v, true
	}
	return t.insert(place, k), false
}

// Update is a Ref of each key.
func (t *Table[K, V]) Update(places []uint64, keys []K, f func(i int, v *V, found bool)) {
	t.Prefetch(places)
	for i, k := range keys {
		if s := t.find(places[i], k); s.tag != 0 {
			f(i, &s.v, true)
		} else {
			f(i, t.insert(places[i], k), false)
		}
	}
}

// Prefetch gets the slots of some places into the cache, if the table is too large to be there anyway: many misses at once take
// little longer than one. With a million keys it saves a quarter.
func (t *Table[K, V]) Prefetch(places []uint64) {
	if t.pages < manyPages {
		return
	}
	var sum uint64
	for _, place := range places {
		slots := t.dir[t.index(place)].slots
		sum += slots[place>>1&uint64(len(slots)-1)].tag
	}
	t.sum = sum
}

// find is the slot of k, or the empty one where it would be.
//
// An entry would like to be in the slot that the low bits of its place say, as the high ones are the same within a page. It mostly is
// there or in the next one; which of the two, no processor can foresee. So the step to the next slot is computed, not branched
// to, which is worth a quarter of the time. All of it stands here because a compiler that makes a Table for another package inlines no
// function into it.
func (t *Table[K, V]) find(place uint64, k K) *slot[K, V] {
	slots := t.dir[t.index(place)].slots
	tag, mask := place|live, uint64(len(slots)-1)
	home := tag >> 1
	other := slots[home&mask].tag ^ tag
	next := (other | -other) >> 63 // 1 if the first slot is another's
	if s := &slots[(home+next)&mask]; s.tag == tag && s.k == k {
		return s
	}
	for i := home; ; i++ {
		if s := &slots[i&mask]; s.tag == tag && s.k == k || s.tag == 0 {
			return s
		}
	}
}

func (t *Table[K, V]) index(place uint64) uint64 {
	p := place - t.span.first
	return (p + p&hashBits*t.span.raise) >> (t.shift & 63)
}

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
	i := s.home()
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
		if (i-slots[i].home())&mask >= (i-hole)&mask {
			slots[hole] = slots[i]
			hole = i
		}
	}
	slots[hole] = slot[K, V]{}
}

// Clear removes all entries and keeps the pages, for about as many others.
func (t *Table[K, V]) Clear() {
	for d := 0; d < len(t.dir); d += t.width(d) {
		clear(t.dir[d].slots)
		t.dir[d].page.n = 0
	}
	t.n, t.last = 0, nil
}

// width is how many entries of the directory the page at d has from there on.
func (t *Table[K, V]) width(d int) int { return 1 << (t.depth - t.dir[d].page.depth) }

// Scan goes through the entries, key group by key group. The table must not change meanwhile.
func (t *Table[K, V]) Scan() backend.Scan[K, V] { return &scan[K, V]{table: t} }

type scan[K comparable, V any] struct {
	table *Table[K, V]
	d     int // of the page
	slot  int // the next one to look at
}

func (s *scan[K, V]) Next() (k K, v *V, ok bool) {
	for t := s.table; s.d < len(t.dir); s.d, s.slot = s.d+t.width(s.d), 0 {
		for slots := t.dir[s.d].slots; s.slot < len(slots); {
			e := &slots[s.slot]
			if s.slot++; e.tag != 0 {
				return e.k, &e.v, true
			}
		}
	}
	return k, nil, false
}
