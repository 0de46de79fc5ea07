package shuffle

import (
	"encoding/binary"
	"fmt"

	"github.com/flott-dev/flott/codec"
	"github.com/flott-dev/flott/internal/data/record"
)

// A batch on the wire is its length (4 bytes) and a block of package codec. It has as many records as a batch of the consumer's, or
// fewer where they are long, so that none is read in parts.
const (
	batchHead = 4
	longBatch = 1 << 20 // a longer one, unless it is a single record, is made again in halves
	mostWire  = 1 << 20 // of a block's memory for what leaves, more is not kept
)

// A packer encodes what a writer sends to other processes, into its blocks. It belongs to the producer's goroutine.
type packer[T any] struct {
	codec  *codec.Block[T]
	batch  record.Batch[T]
	pieces []piece

	// What was encoded last, in this flush: when all get everything, it is done once.
	block    *block[T]
	from, to int
}

func newPacker[T any](set *codec.Set) (*packer[T], error) {
	c, err := codec.In[T](set)
	if err != nil {
		return nil, err
	}
	return &packer[T]{codec: codec.BlockOf(c)}, nil
}

// begin starts with a block, of which nothing is encoded yet.
func (p *packer[T]) begin(b *block[T]) {
	p.block, p.pieces = b, p.pieces[:0]
	if cap(b.wire) > mostWire {
		b.wire = nil
	}
	b.wire = b.wire[:0]
}

// pack encodes the records from..to of the block. Pieces are at least as long as frames, so that none stands in two of them.
func (p *packer[T]) pack(from, to int) ([]piece, error) {
	if len(p.pieces) > 0 && p.from == from && p.to == to {
		return p.pieces, nil
	}
	p.from, p.to, p.pieces = from, to, p.pieces[:0]
	b := p.block
	start, first := len(b.wire), from
	for from < to {
		n, err := p.packBatch(from, to)
		if err != nil {
			return nil, err
		}
		from += n
		if bytes := b.wire[start:len(b.wire):len(b.wire)]; len(bytes) >= frameBytes || from == to {
			p.pieces = append(p.pieces, piece{bytes: bytes, records: from - first})
			start, first = len(b.wire), from
		}
	}
	p.pieces[len(p.pieces)-1].block = b
	return p.pieces, nil
}

// packBatch encodes the next batch, and says how many records it has.
func (p *packer[T]) packBatch(from, to int) (n int, err error) {
	b := p.block
	start := len(b.wire)
	for n = min(to-from, record.SizeOf[T]()); ; n /= 2 {
		b.lend(&p.batch, from, from+n, true)
		b.wire = append(b.wire[:start], make([]byte, batchHead)...)
		if b.wire, err = p.codec.Append(b.wire, p.batch.V, p.batch.TS, p.batch.H); err != nil {
			return 0, fmt.Errorf("a record cannot be encoded: %w", err)
		}
		length := len(b.wire) - start - batchHead
		switch {
		case length > longBatch && n > 1:
			continue
		case length > maxFrame-dataBytes-frameBytes:
			return 0, fmt.Errorf("a record of %d bytes is too long for another process: at most %d are allowed", length, maxFrame-dataBytes-frameBytes)
		}
		le.PutUint32(b.wire[start:], uint32(length))
		return n, nil
	}
}

// A decoder reads batches of T into columns that it uses again and again, and lends them out in pieces.
type decoder[T any] struct {
	codec   *codec.Block[T]
	columns codec.Columns[T]
	lent    int // records of the columns
}

func newDecoder[T any](set *codec.Set) (*decoder[T], error) {
	c, err := codec.In[T](set)
	if err != nil {
		return nil, err
	}
	return &decoder[T]{codec: codec.BlockOf(c)}, nil
}

// drained says that everything was lent.
func (d *decoder[T]) drained() bool { return d.lent == len(d.columns.V) }

// next reads a batch of at most limit records.
func (d *decoder[T]) next(src []byte, limit int32) (rest []byte, err error) {
	if len(src) < batchHead || int(le.Uint32(src)) > len(src)-batchHead {
		return nil, errFrame
	}
	src, rest = src[batchHead:][:le.Uint32(src)], src[batchHead:][le.Uint32(src):]
	if n, _ := binary.Uvarint(src); n == 0 || n > uint64(min(record.SizeOf[T](), int(limit))) {
		return nil, errFrame
	}
	clear(d.columns.V) // fields that are not carried are zero, whatever the consumer made of the records before
	d.lent = 0
	return rest, d.codec.Decode(src, &d.columns)
}

// lend points b at the next records, most of them at most. As in a block, appending to them leaves the others alone.
func (d *decoder[T]) lend(b *record.Batch[T], most int) {
	c, from := &d.columns, d.lent
	to := min(from+most, len(c.V))
	d.lent = to
	*b = record.Batch[T]{V: c.V[from:to:to]}
	if len(c.TS) > 0 {
		b.TS = c.TS[from:to:to]
	}
	if len(c.H) > 0 {
		b.H = c.H[from:to:to]
	}
}
