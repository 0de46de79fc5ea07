package id

import (
	"encoding/binary"
	"encoding/hex"
)

// A DataSet is the id of an intermediate data set: what one vertex produces for one or more consumers.
type DataSet [16]byte

// String is the id as 32 lower-case hexadecimal digits.
func (d DataSet) String() string { return hex.EncodeToString(d[:]) }

// ParseDataSet reads an id from its 32 hexadecimal digits, in either case.
func ParseDataSet(s string) (DataSet, error) {
	var d DataSet
	err := parse(d[:], s)
	return d, err
}

// DataSetOf is the id of the data set that a vertex produces for an edge of the stream graph.
func DataSetOf(v Vertex, edge string) DataSet { return DataSetAt(v, JavaHash(edge)) }

// DataSetAt is DataSetOf, given the hash of the edge's id. Flink adds it to both halves of the vertex's id, and swaps them.
func DataSetAt(v Vertex, edgeHash int32) (d DataSet) {
	add := uint64(int64(edgeHash))
	binary.BigEndian.PutUint64(d[:8], binary.BigEndian.Uint64(v[8:])+add)
	binary.BigEndian.PutUint64(d[8:], binary.BigEndian.Uint64(v[:8])+add)
	return d
}

// JavaHash is Java's String.hashCode, which counts in units of UTF-16.
func JavaHash(s string) int32 {
	var h int32
	for _, r := range s {
		if r < 1<<16 {
			h = 31*h + r
			continue
		}
		r -= 1 << 16
		h = 31*h + 0xD800 + r>>10
		h = 31*h + 0xDC00 + r&0x3FF
	}
	return h
}
