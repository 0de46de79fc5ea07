package shuffle

import (
	"encoding/binary"
	"errors"

	"github.com/flott-dev/flott/codec"
	"github.com/flott-dev/flott/internal/data/record"
)

// A batch on the wire is its length (4 bytes) and a block of package codec. It has as many records as a batch of the consumer's, or
// fewer where they are long, so that none needs to be read in parts.
const batchHead = 4

// longBatch is where a batch of more than one record is made in halves.
const longBatch = 1 << 20

// An encoder is a block that can leave the process.
type encoder interface {
	reader
	// encode appends the next batch of the records from..to, and says where it ends. by is a *codec.Block of the same type.
	encode(by any, dst []byte, from, to int) (out []byte, next int, err error)
}

func (b *block[T]) encode(by any, dst []byte, from, to int) (out []byte, next int, err error) {
	for n := min(to-from, record.SizeOf[T]()); ; n /= 2 {
		out, err := b.append(by.(*codec.Block[T]), dst, from, from+n)
		if err != nil || n == 1 || len(out)-len(dst) <= longBatch {
			return out, from + n, err
		}
		dst = out[:len(dst)]
	}
}

func (b *block[T]) append(by *codec.Block[T], dst []byte, from, to int) ([]byte, error) {
	var batch record.Batch[T]
	b.lend(&batch, from, to, true)
	start := len(dst)
	dst, err := by.Append(append(dst, make([]byte, batchHead)...), batch.V, batch.TS, batch.H)
	if err == nil {
		binary.LittleEndian.PutUint32(dst[start:], uint32(len(dst)-start-batchHead))
	}
	return dst, err
}

// A decoder reads batches of T into columns that it uses again and again.
type decoder[T any] struct {
	block   *codec.Block[T]
	columns codec.Columns[T]
}

// decoderOf decodes with the codec of a set.
func (k kind[T]) decoderOf(set *codec.Set) (*decoder[T], error) {
	c, err := codec.In[T](set)
	if err != nil {
		return nil, err
	}
	return &decoder[T]{block: codec.BlockOf(c)}, nil
}

var errFrame = errors.New("a frame from another process is damaged")

// next reads a batch of at most limit records.
func (d *decoder[T]) next(src []byte, limit int32, b *record.Batch[T]) (rest []byte, err error) {
	if len(src) < batchHead {
		return nil, errFrame
	}
	length := int(le32(src))
	src = src[batchHead:]
	if length > len(src) {
		return nil, errFrame
	}
	n, _ := binary.Uvarint(src[:length])
	if n == 0 || n > uint64(min(record.SizeOf[T](), int(limit))) {
		return nil, errFrame
	}
	clear(d.columns.V) // fields that are not carried are zero, whatever the consumer made of the records before
	if err := d.block.Decode(src[:length], &d.columns); err != nil {
		return nil, err
	}
	*b = record.Batch[T]{V: d.columns.V}
	if len(d.columns.TS) > 0 {
		b.TS = d.columns.TS
	}
	if len(d.columns.H) > 0 {
		b.H = d.columns.H
	}
	return src[length:], nil
}
