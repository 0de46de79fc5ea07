package heap

import (
	"math/bits"
	"testing"
	"unsafe"

	"github.com/flott-dev/flott/internal/id"
	"pgregory.net/rapid"
)

// check finds what must never be in a table.
func (t *Table[K, V]) check(tb rapid.TB) {
	tb.Helper()
	if len(t.dir) != 1<<t.depth || t.shift+t.depth != t.span.bits {
		tb.Fatalf("directory of %d with depth %d, shift %d, %d bits", len(t.dir), t.depth, t.shift, t.span.bits)
	}
	pages, deep, n := 0, 0, 0
	for d := uint64(0); d < uint64(len(t.dir)); {
		e := t.dir[d]
		width := uint64(1) << (t.depth - e.page.depth)
		if d%width != 0 {
			tb.Fatalf("page of depth %d begins at %d of %d", e.page.depth, d, len(t.dir))
		}
		for _, o := range t.dir[d : d+width] {
			if o.page != e.page || &o.slots[0] != &e.slots[0] {
				tb.Fatalf("page at %d has other entries within its %d", d, width)
			}
		}
		pages++
		n += e.page.n
		if e.page.depth == t.depth {
			deep++
		}
		t.checkPage(tb, d, width)
		d += width
	}
	if pages != t.pages || deep != t.deep || n != t.n {
		tb.Fatalf("%d pages, %d deep, %d entries; the table thinks %d, %d, %d", pages, deep, n, t.pages, t.deep, t.n)
	}
}

func (t *Table[K, V]) checkPage(tb rapid.TB, d, width uint64) {
	tb.Helper()
	e := t.dir[d]
	n := 0
	for i := range e.slots {
		s, place := &e.slots[i], e.page.places[i]
		if e.tags[i] == vacant {
			if any(*s) != any(slot[K, V]{}) {
				tb.Fatalf("an empty slot still holds something, which the collector must not see: %v", *s)
			}
			continue
		}
		n++
		if e.tags[i] != tagOf(place) {
			tb.Fatalf("tag %x for place %x", e.tags[i], place)
		}
		if at := t.index(place); at < d || at >= d+width {
			tb.Fatalf("the page at %d holds a place of %d", d, at)
		}
		if t.find(place, s.k) != s {
			tb.Fatalf("key %v cannot be found", s.k)
		}
	}
	if n != e.page.n || n > full(len(e.slots)) {
		tb.Fatalf("page of %d slots with %d entries thinks that it has %d", len(e.slots), n, e.page.n)
	}
}

func mix(z uint64) uint64 {
	z = (z ^ z>>30) * 0xBF58476D1CE4E5B9
	z = (z ^ z>>27) * 0x94D049BB133111EB
	return z ^ z>>31
}

// layout is some subtask's key groups, and the places of keys in them.
type layout struct {
	groups id.KeyGroupRange
	max    int
	hash   func(k int) uint64
}

func drawLayout(t *rapid.T) layout {
	l := layout{max: rapid.SampledFrom([]int{1, 2, 3, 100, 128, 1000, 32768}).Draw(t, "max parallelism")}
	l.groups.First = rapid.IntRange(0, l.max-1).Draw(t, "first key group")
	l.groups.Last = rapid.IntRange(l.groups.First, l.max-1).Draw(t, "last key group")
	l.hash = rapid.SampledFrom([]func(k int) uint64{
		func(k int) uint64 { return mix(uint64(k)) },
		func(k int) uint64 { return uint64(k) },                 // all in one corner
		func(k int) uint64 { return 7 },                         // all the same
		func(k int) uint64 { return bits.Reverse64(uint64(k)) }, // nothing in common in the upper bits only
	}).Draw(t, "hash")
	return l
}

func (l layout) place(k int) uint64 {
	g := l.groups.First + int(mix(uint64(k)+1)%uint64(l.groups.Last-l.groups.First+1))
	return uint64(g<<16/l.max)<<48 | l.hash(k)>>16
}

// TestTable compares a table with a Go map while both grow and shrink.
func TestTable(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		l := drawLayout(t)
		table, model := NewTable[int, int](SpanOf(l.groups, l.max)), map[int]int{}
		keys := rapid.SampledFrom([]int{4, 100, 1500}).Draw(t, "keys")
		for range rapid.IntRange(1, 6).Draw(t, "phases") {
			deletes := rapid.IntRange(0, 3).Draw(t, "deletes of 3")
			seed := rapid.Uint64().Draw(t, "seed")
			for i := range uint64(2 * keys) {
				r := mix(seed + i*0x9E3779B97F4A7C15)
				k := int(r >> 8 % uint64(keys))
				step(t, table, model, l.place(k), k, int(r%3) < deletes)
			}
			table.check(t)
		}
		if len(model) != table.Len() {
			t.Fatalf("%d entries, want %d", table.Len(), len(model))
		}
		for s := table.Scan(); ; {
			k, v, ok := s.Next()
			if !ok {
				break
			}
			if want, ok := model[k]; !ok || *v != want {
				t.Fatalf("the scan comes to %d: %d, want %d (%v)", k, *v, want, ok)
			}
			delete(model, k)
		}
		if len(model) > 0 {
			t.Fatalf("the scan does not come to %v", model)
		}
		table.Clear()
		table.check(t)
		if _, _, ok := table.Scan().Next(); ok || table.Len() > 0 {
			t.Fatalf("%d entries after Clear", table.Len())
		}
	})
}

func step(t *rapid.T, table *Table[int, int], model map[int]int, place uint64, k int, del bool) {
	t.Helper()
	want, there := model[k]
	if got, ok := table.Get(place, k); got != want || ok != there {
		t.Fatalf("Get(%d) = %d, %v, want %d, %v", k, got, ok, want, there)
	}
	switch {
	case del:
		if v, found := table.Delete(place, k); v != want || found != there {
			t.Fatalf("Delete(%d) = %d, %v, want %d, %v", k, v, found, want, there)
		}
		delete(model, k)
	case k%2 == 0:
		table.Set(place, k, want+1)
		model[k]++
	default:
		v, found := table.Ref(place, k)
		if found != there || *v != want {
			t.Fatalf("Ref(%d) = %d, %v, want %d, %v", k, *v, found, want, there)
		}
		*v++
		model[k]++
	}
}

// A Set after a Get of another key, or after the entry has moved or gone, must not hit the slot of the Get.
func TestSetAfterGet(t *testing.T) {
	table := NewTable[int, int](SpanOf(id.KeyGroupRange{}, 1))
	for k := range 1000 {
		table.Set(mix(uint64(k))>>16, k, k)
	}
	for k := range 1000 {
		place := mix(uint64(k)) >> 16
		table.Get(place, k)
		for o := 1000 * (k + 1); o < 1000*(k+1)+30; o++ {
			table.Set(mix(uint64(o))>>16, o, o)
		}
		table.Set(place, k, -k)
		table.Get(place, k)
		table.Delete(place, k)
		table.Set(place, k, k+1)
	}
	for k := range 1000 {
		if v, _ := table.Get(mix(uint64(k))>>16, k); v != k+1 {
			t.Fatalf("key %d is %d", k, v)
		}
	}
	table.check(t)
}

// The layout of a span keeps places of different key groups apart, and those of a subtask dense.
func TestSpan(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		l := drawLayout(t)
		s := SpanOf(l.groups, l.max)
		draw := func(name string) (group int, at uint64) {
			group = rapid.IntRange(l.groups.First, l.groups.Last).Draw(t, name)
			hash := rapid.Uint64Range(0, 1<<48-1).Draw(t, name+" hash")
			return group, s.at(uint64(group<<16/l.max)<<48 | hash)
		}
		g1, at1 := draw("one")
		g2, at2 := draw("other")
		if g1 < g2 && at1 >= at2 || g1 > g2 && at1 <= at2 {
			t.Errorf("groups %d and %d are at %x and %x", g1, g2, at1, at2)
		}
		if uint(bits.Len64(at1)) > s.bits {
			t.Errorf("%x is more than %d bits", at1, s.bits)
		}
		if used := uint64(l.groups.Last - l.groups.First + 1); s.bits > 48+uint(bits.Len64(s.raise)+bits.Len64(used))+1 {
			t.Errorf("%d bits for %d groups", s.bits, used)
		}
	})
}

// A page never mixes distant key groups: it spans as many as a power of two of pages would, and no more.
func TestPagesFollowKeyGroups(t *testing.T) {
	groups := id.KeyGroupsOf(128)
	table := NewTable[int64, int64](SpanOf(id.KeyGroupRange{First: 0, Last: 127}, 128))
	for k := range int64(100_000) {
		table.Set(groups.Place(mix(uint64(k))), k, k)
	}
	table.check(t)
	table.Prefetch([]uint64{0, groups.Place(mix(1)), groups.Place(mix(1 << 40))}) // found or not
	if table.seen == 0 {
		t.Error("a large table prefetches nothing")
	}
	for d, e := range table.dir {
		seen := map[int]bool{}
		for i := range e.slots {
			if e.tags[i] != vacant {
				seen[groups.OfPlace(e.page.places[i])] = true
			}
		}
		if len(seen) > 1 {
			t.Fatalf("page %d holds the key groups %v", d, seen)
		}
	}
}

// 100,000 counters take less than 6 MB, and nothing once they are deleted.
func TestMemory(t *testing.T) {
	groups := id.KeyGroupsOf(128)
	table := NewTable[int64, int64](SpanOf(id.KeyGroupRange{First: 0, Last: 127}, 128))
	for k := range int64(100_000) {
		table.Set(groups.Place(mix(uint64(k))), k, k)
	}
	if got := table.bytes(); got > 6<<20 {
		t.Errorf("100,000 entries take %d bytes", got)
	}
	for k := range int64(100_000) {
		table.Delete(groups.Place(mix(uint64(k))), k)
		if k%10_000 == 0 {
			table.check(t)
		}
	}
	if got := table.bytes(); got > 1000 {
		t.Errorf("an empty table takes %d bytes", got)
	}
}

func (t *Table[K, V]) bytes() (n uintptr) {
	var last *page
	for _, e := range t.dir {
		n += unsafe.Sizeof(e)
		if e.page != last {
			n += unsafe.Sizeof(*e.page) + uintptr(len(e.slots))*(unsafe.Sizeof(e.tags[0])+unsafe.Sizeof(e.slots[0])+unsafe.Sizeof(e.page.places[0]))
		}
		last = e.page
	}
	return n
}

// Tables of windows that were dropped are used again, but not more than are needed.
func TestWindowsUseTablesAgain(t *testing.T) {
	w := NewWindows[int, int](SpanOf(id.KeyGroupRange{}, 1))
	fill := func(start int64, keys int) *Table[int, int] {
		table := w.Window(start).(*Table[int, int])
		for k := range keys {
			table.Set(mix(uint64(k))>>16, k, k)
		}
		return table
	}
	first, second := fill(0, 1000), fill(1, 1000)
	if w.Len() != 2000 || w.Window(0).Len() != 1000 {
		t.Errorf("%d panes, %d in the first window", w.Len(), w.Window(0).Len())
	}
	w.Drop(0)
	w.Drop(7) // was never there
	if w.Len() != 1000 || first.Len() != 0 {
		t.Errorf("%d panes, %d in a window that was dropped", w.Len(), first.Len())
	}
	if third := fill(2, 1); third != first || third.pages < 4 {
		t.Errorf("a new table, or one of %d pages, for the next window", third.pages)
	}
	w.Drop(2) // a table for 1000 keys with 1 is not worth keeping
	w.Drop(1)
	if third, fourth := fill(3, 1), fill(4, 1); third != second || fourth == first {
		t.Error("not the table that was full is used again, or the one that was not")
	}
	for i := range int64(1000) {
		fill(1000+i, 200)
	}
	for i := range int64(1000) {
		w.Drop(1000 + i)
	}
	if len(w.free) > 20 {
		t.Errorf("%d tables are kept", len(w.free))
	}
}
