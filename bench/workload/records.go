package workload

// A Row is the record of the shuffle workloads.
type Row struct {
	ID, Value int64
	Tag       string
}

// RowOf is row n.
func RowOf(n int64) Row {
	v := Bits(n, 0)
	return Row{ID: n, Value: v, Tag: Hex16(v)}
}

// Next is what the map of the shuffle workloads makes of a row.
func (r Row) Next() Row { return Row{ID: r.ID, Value: r.Value*31 + r.ID, Tag: r.Tag} }

// Sum is what a row adds to the checksum.
func (r Row) Sum() int64 { return r.ID + r.Value + int64(r.Tag[0]) }

// A Keyed is a key with its running count.
type Keyed struct{ Key, Count int64 }

// Sum is what a count adds to the checksum.
func (k Keyed) Sum() int64 { return k.Key*31 + k.Count }

// A Reading is the record of the window workloads: a key at an event time in ms.
type Reading struct{ Key, TS int64 }

// DenseReading is reading n of window: every key has one a millisecond.
func DenseReading(n, keys int64) Reading { return Reading{Key: n % keys, TS: n / keys} }

// SparseReading is reading n of window-sparse: perMs random keys a millisecond.
func SparseReading(n, keys, perMs int64) Reading {
	return Reading{Key: Below(n, 0, keys), TS: n / perMs}
}

// A Windowed is the count of a key in a window [Start, End), in ms.
type Windowed struct{ Key, Start, End, Count int64 }

// Sum is what a window adds to the checksum.
func (w Windowed) Sum() int64 { return w.Key + w.Start + 7*w.Count }

// A Word is a word with its running count.
type Word struct {
	Text  string
	Count int64
}

// Sum is what a word adds to the checksum.
func (w Word) Sum() int64 { return 31*w.Count + int64(len(w.Text)) }

// ChainMap is the first map of chain.
func ChainMap(x int64) int64 { return x*31 + 7 }

// ChainKeep is the filter of chain.
func ChainKeep(x int64) bool { return x%3 != 0 }

// ChainFold is the second map of chain.
func ChainFold(x int64) int64 { return x ^ int64(uint64(x)>>7) }
