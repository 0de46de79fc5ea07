package heap

// How the pages of a table grow, split and join again.

// roomy is the number of slots for a page of n entries: crowded by less than three quarters.
func roomy(n int) int {
	slots := minSlots
	for full(slots)*3/4 < n {
		slots *= 2
	}
	return slots
}

// entriesOf is the entries of the directory that belong to the page at d.
func (t *Table[K, V]) entriesOf(d uint64) []entry[K, V] {
	width := uint64(1) << (t.depth - t.dir[d].page.depth)
	first := d &^ (width - 1)
	return t.dir[first : first+width]
}

// makeRoom makes the page at d less crowded.
func (t *Table[K, V]) makeRoom(d uint64) {
	e := t.dir[d]
	if len(e.tags) < pageSlots || !t.splittable(e.page) {
		t.resize(d, 2*len(e.tags))
		return
	}
	if e.page.depth == t.depth {
		t.double()
		d *= 2
	}
	t.split(d)
}

// splittable is false for a page that could only split by making the directory far larger than the pages need: its places have
// too many top bits in common, which happens when a hash is bad. Such a page grows instead.
func (t *Table[K, V]) splittable(p *page) bool {
	return p.depth < t.depth || len(t.dir) < 16*t.pages && t.depth < t.span.bits
}

func (t *Table[K, V]) double() {
	dir := make([]entry[K, V], 2*len(t.dir))
	for i, e := range t.dir {
		dir[2*i], dir[2*i+1] = e, e
	}
	t.dir = dir
	t.deepen(+1)
}

// halve undoes double, when no page is as deep as the directory.
func (t *Table[K, V]) halve() {
	dir := make([]entry[K, V], len(t.dir)/2)
	for i := range dir {
		dir[i] = t.dir[2*i]
	}
	t.dir = dir
	t.deepen(-1)
}

func (t *Table[K, V]) deepen(by int) {
	t.depth += uint(by)
	t.shift -= uint(by)
	t.deep = 0
	for _, e := range t.dir {
		if e.page.depth == t.depth {
			t.deep++
		}
	}
}

// split parts the page at d, which is not as deep as the directory, by the next bit of its places.
func (t *Table[K, V]) split(d uint64) {
	old, entries := t.dir[d], t.entriesOf(d)
	depth := old.page.depth + 1
	bit := func(place uint64) uint64 { return t.span.at(place) >> (t.span.bits - depth) & 1 }
	var n [2]int
	for i, place := range old.page.places {
		if old.tags[i] != vacant {
			n[bit(place)]++
		}
	}
	half := len(entries) / 2
	for side := range n {
		e := newEntry[K, V](roomy(n[side]), &page{depth: depth, n: n[side]})
		e.fill(old.columns(), func(place uint64) bool { return bit(place) == uint64(side) })
		t.set(entries[side*half:][:half], e)
	}
	t.pages++
	if depth == t.depth {
		t.deep += 2
	}
}

// resize gives the page at d another number of slots.
func (t *Table[K, V]) resize(d uint64, slots int) {
	from := t.dir[d].columns()
	e := newEntry[K, V](slots, t.dir[d].page)
	e.fill(from, every)
	t.set(t.entriesOf(d), e)
}

// shrink makes the page at d, which got empty, smaller, and joins it with the other half of a former split while both are.
func (t *Table[K, V]) shrink(d uint64) {
	if slots := roomy(t.dir[d].page.n); slots < len(t.dir[d].tags) {
		t.resize(d, slots)
	}
	for t.join(d) {
		if t.deep == 0 && t.depth > minDepth {
			t.halve()
			d /= 2
		}
	}
}

// join is the opposite of split. It says whether it did anything.
func (t *Table[K, V]) join(d uint64) bool {
	a := t.dir[d]
	if a.page.depth == 0 {
		return false
	}
	b := t.dir[d^1<<(t.depth-a.page.depth)]
	n := a.page.n + b.page.n
	if a.page.depth != b.page.depth || n > full(pageSlots)/4 {
		return false
	}
	if a.page.depth == t.depth {
		t.deep -= 2
	}
	t.pages--
	e := newEntry[K, V](roomy(n), &page{depth: a.page.depth - 1, n: n})
	e.fill(a.columns(), every)
	e.fill(b.columns(), every)
	a.page.depth-- // so that entriesOf finds both halves
	t.set(t.entriesOf(d), e)
	return true
}

func every(uint64) bool { return true }

// columns are those of a page, whatever becomes of the page.
type columns[K comparable, V any] struct {
	tags   []uint8
	slots  []slot[K, V]
	places []uint64
}

func (e entry[K, V]) columns() columns[K, V] { return columns[K, V]{e.tags, e.slots, e.page.places} }

// fill takes in those entries of a page whose places belong here.
func (e *entry[K, V]) fill(from columns[K, V], belongs func(place uint64) bool) {
	for f, place := range from.places {
		if from.tags[f] == vacant || !belongs(place) {
			continue
		}
		i := e.room(place)
		e.tags[i], e.slots[i], e.page.places[i] = from.tags[f], from.slots[f], place
	}
}

// set gives a page its entries in the directory, in place of what was there.
func (t *Table[K, V]) set(entries []entry[K, V], e entry[K, V]) {
	for i := range entries {
		entries[i] = e
	}
	t.last = nil
}
