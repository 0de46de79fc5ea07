package codec

import (
	"bytes"
	"encoding/binary"
	"testing"

	"github.com/flott-dev/flott/internal/hostile"
)

// seeds are values, their prefixes, and numbers that promise more than there is.
func seeds(f *testing.F, values ...[]byte) {
	for _, v := range values {
		f.Add(v)
		f.Add(v[:len(v)/2])
	}
	f.Add(bytes.Repeat([]byte{0xff}, 40))
	f.Add(appendLong(nil, 1<<40))
	f.Add(appendLong(nil, -1<<63))
	f.Add(bytes.Repeat([]byte{valueBranch}, 2*maxDepth))
}

func sample() *Usual {
	n := int64(5)
	return &Usual{
		Text: "text", Bytes: []byte{1}, Words: []string{"a", "b"}, Counts: map[string]int64{"k": 1}, Perhaps: &n,
		Tree: &Tree{Children: []Tree{{Name: "x"}}}, Grid: [][]int64{{1}, {2, 3}}, Many: []*Point{{}, nil},
	}
}

// price: a nil *Point takes one byte, and eight in memory; an empty slice takes 24.
var price = hostile.Price{PerByte: 64, Constant: 16 << 10}

// Any bytes give a value or an error. A value that was read is written as bytes that give it again.
func FuzzDecode(f *testing.F) {
	c := must(Of[Usual]())
	seeds(f, must(c.Append(nil, sample())), must(c.Append(nil, &Usual{})))
	f.Fuzz(func(t *testing.T, in []byte) {
		var v, again Usual
		var err error
		price.Pay(t, len(in), func() { _, err = c.Decode(in, &v) })
		if err != nil {
			return
		}
		out, err := c.Append(nil, &v)
		if err != nil {
			t.Fatalf("a value that was read cannot be written: %v", err)
		}
		if rest, err := c.Decode(out, &again); err != nil || len(rest) > 0 {
			t.Fatalf("%d bytes left, %v", len(rest), err)
		}
	})
}

// Any bytes give a block or an error.
func FuzzBlock(f *testing.F) {
	b := BlockOf(must(Of[Usual]()))
	seeds(f, must(b.Append(nil, []Usual{*sample(), {}}, []int64{1, 2}, []uint64{3, 4})), must(b.Append(nil, nil, nil, nil)))
	f.Add(append(binary.AppendUvarint(nil, 1<<40), 3))
	f.Fuzz(func(t *testing.T, in []byte) {
		var c Columns[Usual]
		var err error
		price.Pay(t, len(in), func() { err = b.Decode(in, &c) })
		if err == nil {
			if _, err := b.Append(nil, c.V, nil, nil); err != nil {
				t.Fatalf("records that were read cannot be written: %v", err)
			}
		}
	})
}

// Any bytes give a message, a decimal, an address or an error.
func FuzzForeign(f *testing.F) {
	c := must(Of[Alone]())
	seeds(f, must(c.Append(nil, &Alone{Hash: 1})))
	f.Fuzz(func(t *testing.T, in []byte) {
		var v Alone
		var err error
		price.Pay(t, len(in), func() { _, err = c.Decode(in, &v) })
		if err == nil {
			if _, err := c.Append(nil, &v); err != nil {
				t.Fatalf("a value that was read cannot be written: %v", err)
			}
		}
	})
}
