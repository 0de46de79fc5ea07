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
// A page is three columns: a byte per slot that says whether it is taken and, by seven bits of the place, mostly by whom; the slots,
// which are a key and its value and nothing else; and the places. A lookup reads the first two: the bytes of all pages stay in the
// cache, so that it misses once, for the slot. Places are there for what moves entries, so that it never hashes a key. With the place
// in the slot a lookup took one and a half times as long at 100,000 keys, twice as long at a million.
//
// Keys and values without pointers make pages that the collector does not look into.
type Table[K comparable, V any] struct {
	span  Span
	shift uint // the bits of the span that the directory does not look at
	dir   []entry[K, V]
	last  *slot[K, V] // of the latest Get, which a Set often follows; nil when its page has moved

	seen int // by the latest Prefetch, so that it looks

	depth uint // of the directory
	deep  int  // pages as deep as the directory: when none is left, it halves
	pages int
	n     int
}

// An entry of the directory has what a lookup needs of a page beside the page, which saves a cache miss.
type entry[K comparable, V any] struct {
	tags  []uint8 // of the slots; vacant, or what tagOf says
	slots []slot[K, V]
	page  *page
}

// A page is what a lookup does not need to know of a page.
type page struct {
	depth  uint // how many top bits its places have in common
	n      int  // entries
	places []uint64
}

type slot[K comparable, V any] struct {
	k K
	v V
}

const vacant = 0

// tagOf is the tag of a slot with an entry. Its bits are others than those that find the slot and the page.
func tagOf(place uint64) uint8 { return uint8(place>>20) | 1<<7 }

// newEntry makes the columns of a page.
func newEntry[K comparable, V any](slots int, p *page) entry[K, V] {
	p.places = make([]uint64, slots)
	return entry[K, V]{make([]uint8, slots), make([]slot[K, V], slots), p}
}

const (
	minDepth  = 1
	minSlots  = 8
	pageSlots = 256 // measured: 64 cost 1.5 times as much with 10M keys
	manyPages = 256 // some MB
)

// NewTable makes an empty table. Its directory is one deeper than needed: a shift by all 64 bits would cost every lookup a check.
func NewTable[K comparable, V any](s Span) *Table[K, V] {
	e := newEntry[K, V](minSlots, &page{})
	return &Table[K, V]{span: s, shift: s.bits - minDepth, dir: []entry[K, V]{e, e}, depth: minDepth, pages: 1}
}

// Len is the number of entries.
func (t *Table[K, V]) Len() int { return t.n }

// full is the number of entries at which slots are too crowded for another one.
func full(slots int) int { return slots * 3 / 4 }

// Get is the value of k.
func (t *Table[K, V]) Get(place uint64, k K) (v V, ok bool) {
	s := t.find(place, k)
	if s == nil {
		return v, false
	}
	t.last = s
	return s.v, true
}

// Set sets the value of k.
func (t *Table[K, V]) Set(place uint64, k K, v V) {
	if s := t.last; s != nil && s.k == k {
		s.v = v
		return
	}
	ref, _ := t.Ref(place, k)
	*ref = v
}

// Ref is the value of k in place, made from the zero value if there was none. The pointer is good until the next Ref, Set, Update
// or Delete.
func (t *Table[K, V]) Ref(place uint64, k K) (v *V, found bool) {
	if s := t.find(place, k); s != nil {
		return &s.v, true
	}
	return t.insert(place, k), false
}

// Update is a Ref of each key, until f returns false.
func (t *Table[K, V]) Update(places []uint64, keys []K, f func(i int, v *V, found bool) (more bool)) {
	t.Prefetch(places)
	for i, k := range keys {
		if s := t.find(places[i], k); s != nil {
			if !f(i, &s.v, true) {
				return
			}
		} else if !f(i, t.insert(places[i], k), false) {
			return
		}
	}
}

// Prefetch gets the slots of some places into the cache, if the table is too large to be there anyway: many misses at once take
// little longer than one.
func (t *Table[K, V]) Prefetch(places []uint64) {
	if t.pages < manyPages {
		return
	}
	var none K
	seen := 0
	for _, place := range places {
		slots := t.dir[t.index(place)].slots
		if slots[place&uint64(len(slots)-1)].k != none {
			seen++
		}
	}
	t.seen = seen
}

// find is the slot of k, or nil.
//
// An entry would like to be in the slot that the low bits of its place say, as the high ones are the same within a page. It mostly is
// there or in the next one; which of the two, no processor can foresee. So the step to the next slot is computed, not branched
// to. All of it stands here because a compiler that makes a Table for another package inlines no function into it.
func (t *Table[K, V]) find(place uint64, k K) *slot[K, V] {
	e := &t.dir[t.index(place)]
	tags := e.tags
	slots, mask := e.slots[:len(tags)], uint64(len(tags)-1)
	tag := uint8(place>>20) | 1<<7
	other := uint64(tags[place&mask] ^ tag)
	if i := (place + -other>>63) & mask; tags[i] == tag && slots[i].k == k { // the next one if the first is another's
		return &slots[i]
	}
	for i := place; ; i++ {
		if s := &slots[i&mask]; tags[i&mask] == tag && s.k == k {
			return s
		}
		if tags[i&mask] == vacant {
			return nil
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
	for e := &t.dir[d]; e.page.n >= full(len(e.tags)); e = &t.dir[d] {
		t.makeRoom(d)
		d = t.index(place)
	}
	e := &t.dir[d]
	e.page.n++
	t.n++
	i := e.room(place)
	e.tags[i], e.page.places[i], e.slots[i].k = tagOf(place), place, k
	return &e.slots[i].v
}

// room is the vacant slot nearest to where an entry would like to be.
func (e *entry[K, V]) room(place uint64) uint64 {
	mask := uint64(len(e.tags) - 1)
	i := place & mask
	for e.tags[i] != vacant {
		i = (i + 1) & mask
	}
	return i
}

// Delete removes k, and returns its value if it was there.
func (t *Table[K, V]) Delete(place uint64, k K) (v V, found bool) {
	s := t.find(place, k)
	if s == nil {
		return v, false
	}
	v = s.v
	d := t.index(place)
	e := &t.dir[d]
	mask := uint64(len(e.tags) - 1)
	i := place & mask
	for &e.slots[i] != s {
		i = (i + 1) & mask
	}
	e.remove(i)
	t.last = nil
	t.n--
	if e.page.n--; e.page.n < len(e.tags)/16 {
		t.shrink(d)
	}
	return v, true
}

// remove empties a slot and moves back what only stands behind it because the slot was taken.
func (e *entry[K, V]) remove(hole uint64) {
	mask := uint64(len(e.tags) - 1)
	for i := (hole + 1) & mask; e.tags[i] != vacant; i = (i + 1) & mask {
		if (i-e.page.places[i])&mask >= (i-hole)&mask {
			e.tags[hole], e.slots[hole], e.page.places[hole] = e.tags[i], e.slots[i], e.page.places[i]
			hole = i
		}
	}
	e.tags[hole], e.slots[hole] = vacant, slot[K, V]{}
}

// Clear removes all entries and keeps the pages, for about as many others.
func (t *Table[K, V]) Clear() {
	for d := 0; d < len(t.dir); d += t.width(d) {
		clear(t.dir[d].tags)
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
		for e := &t.dir[s.d]; s.slot < len(e.tags); {
			i := s.slot
			if s.slot++; e.tags[i] != vacant {
				return e.slots[i].k, &e.slots[i].v, true
			}
		}
	}
	return k, nil, false
}
