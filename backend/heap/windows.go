package heap

import "github.com/flott-dev/flott/backend"

// Windows is a backend.Windows. Tables of windows that were dropped are used again, as one window mostly has about as many keys as
// the next: then no page has to grow or split. There are never more tables than windows were open at once, of late.
type Windows[K comparable, V any] struct {
	span Span
	open map[int64]*Table[K, V]
	free []*Table[K, V]
	most int // windows that were open at once
}

// NewWindows makes a store without windows.
func NewWindows[K comparable, V any](s Span) *Windows[K, V] {
	return &Windows[K, V]{span: s, open: map[int64]*Table[K, V]{}}
}

// Window is the table of a window.
func (w *Windows[K, V]) Window(start int64) backend.Table[K, V] {
	t := w.open[start]
	if t == nil {
		t = w.table()
		w.open[start] = t
		w.most = max(w.most, len(w.open))
	}
	return t
}

func (w *Windows[K, V]) table() *Table[K, V] {
	last := len(w.free) - 1
	if last < 0 {
		return NewTable[K, V](w.span)
	}
	t := w.free[last]
	w.free = w.free[:last]
	return t
}

// Drop removes a window.
func (w *Windows[K, V]) Drop(start int64) {
	t := w.open[start]
	if t == nil {
		return
	}
	delete(w.open, start)
	if t.filled() {
		t.Clear()
		w.free = append(w.free, t)
	}
	w.most -= (w.most - len(w.open)) / 8 // forget a crowd that does not come back
	if keep := max(w.most-len(w.open), 0); keep < len(w.free) {
		clear(w.free[keep:])
		w.free = w.free[:keep]
	}
}

// filled says that the pages are worth keeping for as many entries.
func (t *Table[K, V]) filled() bool { return t.n >= t.pages*pageSlots/16 || t.pages == 1 }

// Len is the number of keys of all windows, each counted once a window.
func (w *Windows[K, V]) Len() (n int) {
	for _, t := range w.open {
		n += t.Len()
	}
	return n
}
