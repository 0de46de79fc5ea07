package codec

import (
	"encoding/binary"
	"errors"
	"fmt"
	"slices"
	"unsafe"
)

const MaxBlock = 1 << 16 // the most records that a block can have

// Columns are the records of a block. TS and H are empty in blocks without timestamps or key hashes.
type Columns[T any] struct {
	V  []T
	TS []int64
	H  []uint64
}

// A Block writes and reads many records at once, for the wire. With the codec that flott compiled a column is a leaf of T: its loop
// has no branch for what kind of leaf it is. With a codec of the user's the records stand one after the other. A Block is for one
// goroutine.
//
// The layout is in docs/formats/avro.md. Both ends have the same program, so that it needs no schema.
type Block[T any] struct {
	codec   Codec[T]
	columns *shape // nil: by codec
	arena   arena  // for strings inside of boxes
	lengths []int
}

// BlockOf is for records that c encodes.
func BlockOf[T any](c Codec[T]) *Block[T] {
	b := &Block[T]{codec: c}
	if own, ok := c.(*compiled[T]); ok {
		b.columns = own.shape
	}
	return b
}

const (
	timed = 1 << iota
	hashed
)

// Append appends the records v with their timestamps and key hashes; ts and h are nil, or as long as v.
func (b *Block[T]) Append(dst []byte, v []T, ts []int64, h []uint64) ([]byte, error) {
	if len(v) > MaxBlock {
		return dst, fmt.Errorf("codec: a block of %d records; there may be %d", len(v), MaxBlock)
	}
	var flags byte
	if ts != nil {
		flags |= timed
	}
	if h != nil {
		flags |= hashed
	}
	dst = append(binary.AppendUvarint(dst, uint64(len(v))), flags)
	for _, t := range ts {
		dst = binary.LittleEndian.AppendUint64(dst, uint64(t))
	}
	for _, x := range h {
		dst = binary.LittleEndian.AppendUint64(dst, x)
	}
	return b.appendRecords(dst, v)
}

func (b *Block[T]) appendRecords(dst []byte, v []T) (_ []byte, err error) {
	if b.columns != nil {
		for i := range b.columns.steps {
			if dst, err = appendColumn(dst, &b.columns.steps[i], v); err != nil {
				return dst, err
			}
		}
		return dst, nil
	}
	for i := range v {
		if dst, err = b.codec.Append(dst, &v[i]); err != nil {
			return dst, err
		}
	}
	return dst, nil
}

// Decode reads a whole block into c, in place of what it had; its slices are used again if they are large enough.
func (b *Block[T]) Decode(src []byte, c *Columns[T]) error {
	n, width := binary.Uvarint(src)
	if width <= 0 || len(src) == width {
		return errShort
	}
	flags, in := src[width], src[width+1:]
	if n > MaxBlock || flags > timed|hashed {
		return errors.New("codec: these bytes are no block")
	}
	if n*b.leastRecord(flags) > uint64(len(in)) {
		return errShort
	}
	count := int(n)
	c.TS, in = readWords(in, c.TS[:0], count, flags&timed != 0)
	c.H, in = readWords(in, c.H[:0], count, flags&hashed != 0)
	c.V = slices.Grow(c.V[:0], count)[:count]
	in, err := b.readRecords(in, c.V)
	if err == nil && len(in) > 0 {
		err = errTrailer
	}
	return err
}

// leastRecord is the fewest bytes that a record of a block takes.
func (b *Block[T]) leastRecord(flags byte) uint64 {
	least := uint64(flags&timed+flags&hashed>>1) * 8
	if b.columns != nil {
		for i := range b.columns.steps {
			least += uint64(columnWidth(&b.columns.steps[i]))
		}
	}
	return least
}

// readWords reads a column of 8 bytes each, which is known to be there.
func readWords[E int64 | uint64](in []byte, to []E, n int, there bool) ([]E, []byte) {
	if !there {
		return to, in
	}
	to = slices.Grow(to, n)[:n]
	for i := range to {
		to[i] = E(binary.LittleEndian.Uint64(in[8*i:]))
	}
	return to, in[8*n:]
}

func (b *Block[T]) readRecords(in []byte, v []T) (_ []byte, err error) {
	if b.columns != nil {
		for i := range b.columns.steps {
			t := &b.columns.steps[i]
			if in, err = b.readColumn(in, t, v); err != nil {
				return nil, at(t.path, err)
			}
		}
		return in, nil
	}
	for i := range v {
		if in, err = b.codec.Decode(in, &v[i]); err != nil {
			return nil, err
		}
	}
	return in, nil
}

// columnWidth is how many bytes each record takes in a column, or for those that differ the fewest.
func columnWidth(t *step) int {
	switch t.kind {
	case int16Kind, uint16Kind:
		return 2
	case int32Kind, uint32Kind, float32Kind:
		return 4
	case int64Kind, float64Kind, nanosKind, microsKind, millisKind:
		return 8
	}
	return 1
}

func appendColumn[T any](dst []byte, t *step, v []T) ([]byte, error) {
	switch t.kind {
	case boolKind, int8Kind, uint8Kind:
		for i := range v {
			dst = append(dst, *field[byte](t, &v[i]))
		}
	case int16Kind, uint16Kind:
		for i := range v {
			dst = binary.LittleEndian.AppendUint16(dst, *field[uint16](t, &v[i]))
		}
	case int32Kind, uint32Kind, float32Kind:
		for i := range v {
			dst = binary.LittleEndian.AppendUint32(dst, *field[uint32](t, &v[i]))
		}
	case int64Kind, float64Kind:
		dst = slices.Grow(dst, 8*len(v))
		for i := range v {
			dst = binary.LittleEndian.AppendUint64(dst, *field[uint64](t, &v[i]))
		}
	case stringKind, bytesKind:
		for i := range v {
			dst = binary.AppendUvarint(dst, uint64(len(*field[string](t, &v[i]))))
		}
		for i := range v {
			dst = append(dst, *field[string](t, &v[i])...)
		}
	case nanosKind, microsKind, millisKind:
		return appendTimes(dst, t, v)
	case boxed:
		return appendBoxed(dst, t, v)
	}
	return dst, nil
}

func field[F, T any](t *step, v *T) *F { return (*F)(unsafe.Add(unsafe.Pointer(v), t.offset)) }

func appendTimes[T any](dst []byte, t *step, v []T) ([]byte, error) {
	for i := range v {
		n, err := loadTime(t.kind, unsafe.Add(unsafe.Pointer(&v[i]), t.offset))
		if err != nil {
			return dst, at(t.path, err)
		}
		dst = binary.LittleEndian.AppendUint64(dst, uint64(n))
	}
	return dst, nil
}

func appendBoxed[T any](dst []byte, t *step, v []T) (_ []byte, err error) {
	for i := range v {
		if dst, err = t.box.append(dst, unsafe.Add(unsafe.Pointer(&v[i]), t.offset), 0); err != nil {
			return dst, at(t.path, err)
		}
	}
	return dst, nil
}

func (b *Block[T]) readColumn(in []byte, t *step, v []T) (_ []byte, err error) {
	switch t.kind {
	case stringKind, bytesKind:
		return b.readStrings(in, t, v)
	case boxed:
		for i := range v {
			if in, err = t.box.read(in, unsafe.Add(unsafe.Pointer(&v[i]), t.offset), &b.arena, 0); err != nil {
				return nil, err
			}
		}
		return in, nil
	}
	size := columnWidth(t) * len(v)
	if len(in) < size {
		return nil, errShort
	}
	return in[size:], storeColumn(in[:size], t, v)
}

func storeColumn[T any](in []byte, t *step, v []T) error {
	switch t.kind {
	case boolKind:
		for i := range v {
			if in[i] > 1 {
				return errBool
			}
			*field[byte](t, &v[i]) = in[i]
		}
	case int8Kind, uint8Kind:
		for i := range v {
			*field[byte](t, &v[i]) = in[i]
		}
	case int16Kind, uint16Kind:
		for i := range v {
			*field[uint16](t, &v[i]) = binary.LittleEndian.Uint16(in[2*i:])
		}
	case int32Kind, uint32Kind, float32Kind:
		for i := range v {
			*field[uint32](t, &v[i]) = binary.LittleEndian.Uint32(in[4*i:])
		}
	case int64Kind, float64Kind:
		for i := range v {
			*field[uint64](t, &v[i]) = binary.LittleEndian.Uint64(in[8*i:])
		}
	default: // times
		for i := range v {
			storeTime(t.kind, unsafe.Add(unsafe.Pointer(&v[i]), t.offset), int64(binary.LittleEndian.Uint64(in[8*i:])))
		}
	}
	return nil
}

// readStrings reads all lengths, and then all bytes.
func (b *Block[T]) readStrings(in []byte, t *step, v []T) ([]byte, error) {
	b.lengths = slices.Grow(b.lengths[:0], len(v))[:len(v)]
	in, total, err := readLengths(in, b.lengths)
	if err != nil {
		return nil, err
	}
	storeStrings(in[:total], t, v, b.lengths)
	return in[total:], nil
}

// readLengths reads the lengths of strings that follow, and says how many bytes they are together.
func readLengths(in []byte, lengths []int) (rest []byte, total int, err error) {
	for i := range lengths {
		if len(in) == 0 {
			return nil, 0, errShort
		}
		n, width := uint64(in[0]), 1
		if n >= 0x80 {
			if n, width = binary.Uvarint(in); width <= 0 {
				return nil, 0, varintError(width)
			}
		}
		in = in[width:]
		if n > uint64(len(in)) {
			return nil, 0, errLength
		}
		lengths[i] = int(n)
		total += int(n)
	}
	if total > len(in) {
		return nil, 0, errShort
	}
	return in, total, nil
}

// storeStrings copies as many strings at once as a chunk holds.
func storeStrings[T any](in []byte, t *step, v []T, lengths []int) {
	for len(lengths) > 0 {
		n, size := chunkful(lengths)
		if t.kind == stringKind {
			own := string(in[:size])
			for i, l := range lengths[:n] {
				*field[string](t, &v[i]) = own[:l]
				own = own[l:]
			}
		} else {
			own := slices.Clone(in[:size])
			for i, l := range lengths[:n] {
				store(t.kind, unsafe.Pointer(field[byte](t, &v[i])), own[:l:l])
				own = own[l:]
			}
		}
		in, v, lengths = in[size:], v[n:], lengths[n:]
	}
}

// chunkful is how many strings a chunk holds, at least one, and how many bytes they have.
func chunkful(lengths []int) (n, size int) {
	n, size = 1, lengths[0]
	for n < len(lengths) && lengths[n] <= chunk-size {
		size += lengths[n]
		n++
	}
	return n, size
}
