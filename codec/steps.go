package codec

import (
	"encoding/binary"
	"math"
	"reflect"
	"time"
	"unsafe"
)

// A kind is how a step reads memory and writes bytes. Those before boxed are leaves, which the loops over steps do themselves.
type kind uint8

const (
	boolKind kind = iota
	int8Kind
	int16Kind
	int32Kind
	int64Kind // also unsigned, as the same 64 bits
	uint8Kind
	uint16Kind
	uint32Kind
	float32Kind
	float64Kind
	stringKind
	bytesKind
	nanosKind  // a time.Time in nanoseconds since the epoch
	microsKind // in microseconds
	millisKind // in milliseconds
	boxed      // by a box
)

// A step is one leaf of a type: structs are flattened, as an Avro record is no more than its fields in a row.
type step struct {
	offset uintptr
	kind   kind
	box    box    // of kind boxed
	path   string // from the type to this part, for errors
}

// A box writes and reads what is no leaf.
type box interface {
	append(dst []byte, p unsafe.Pointer, depth int) ([]byte, error)
	read(in []byte, p unsafe.Pointer, a *arena, depth int) (rest []byte, err error)
}

// A shape is a compiled type. A recursive type has boxes that lead back to it.
type shape struct {
	typ    reflect.Type
	steps  []step
	least  int // fewest bytes of a value
	schema any
}

// maxDepth is how deeply values may nest by pointers, slices and maps: more would be a stack that the process dies of.
const maxDepth = 1000

// zeroTime stands for the zero time.Time, which is further back than 64 bits of nanoseconds reach.
const zeroTime = math.MinInt64

func zigzag(v int64) uint64   { return uint64(v<<1) ^ uint64(v>>63) }
func unzigzag(u uint64) int64 { return int64(u>>1) ^ -int64(u&1) }

// appendLong writes a number as Avro does.
func appendLong(dst []byte, v int64) []byte { return binary.AppendUvarint(dst, zigzag(v)) }

// append appends the value at p.
func (s *shape) append(dst []byte, p unsafe.Pointer, depth int) ([]byte, error) {
	var err error
	for i := range s.steps {
		t := &s.steps[i]
		q := unsafe.Add(p, t.offset)
		switch t.kind {
		case int64Kind:
			dst = appendLong(dst, *(*int64)(q))
		case boolKind:
			dst = append(dst, *(*byte)(q))
		case uint8Kind, int8Kind, int16Kind, uint16Kind, int32Kind, uint32Kind:
			dst = appendLong(dst, loadInt(t.kind, q))
		case stringKind, bytesKind: // the first two words of a slice are those of a string
			x := *(*string)(q)
			dst = append(appendLong(dst, int64(len(x))), x...)
		case float64Kind:
			dst = binary.LittleEndian.AppendUint64(dst, *(*uint64)(q))
		case float32Kind:
			dst = binary.LittleEndian.AppendUint32(dst, *(*uint32)(q))
		case nanosKind, microsKind, millisKind:
			var n int64
			if n, err = loadTime(t.kind, q); err != nil {
				return dst, at(t.path, err)
			}
			dst = appendLong(dst, n)
		case boxed:
			if dst, err = t.box.append(dst, q, depth); err != nil {
				return dst, at(t.path, err)
			}
		}
	}
	return dst, nil
}

// loadInt is for integers of less than 64 bits.
func loadInt(k kind, q unsafe.Pointer) int64 {
	switch k {
	case int32Kind:
		return int64(*(*int32)(q))
	case uint32Kind:
		return int64(*(*uint32)(q))
	case int16Kind:
		return int64(*(*int16)(q))
	case uint16Kind:
		return int64(*(*uint16)(q))
	case int8Kind:
		return int64(*(*int8)(q))
	}
	return int64(*(*uint8)(q))
}

// storeInt is false if v is out of range.
func storeInt(k kind, q unsafe.Pointer, v int64) bool {
	switch k {
	case int32Kind:
		*(*int32)(q) = int32(v)
	case uint32Kind:
		*(*uint32)(q) = uint32(v)
	case int16Kind:
		*(*int16)(q) = int16(v)
	case uint16Kind:
		*(*uint16)(q) = uint16(v)
	case int8Kind:
		*(*int8)(q) = int8(v)
	case uint8Kind:
		*(*uint8)(q) = uint8(v)
	}
	return loadInt(k, q) == v
}

func loadTime(k kind, q unsafe.Pointer) (int64, error) {
	t := (*time.Time)(q)
	switch k {
	case millisKind:
		return t.UnixMilli(), nil
	case microsKind:
		n := t.UnixMicro()
		if !time.UnixMicro(n).Equal(t.Truncate(time.Microsecond)) {
			return 0, errRange
		}
		return n, nil
	}
	if t.IsZero() {
		return zeroTime, nil
	}
	n := t.UnixNano()
	if s := t.Unix(); (s < -9e9 || s > 9e9) && (n == zeroTime || !time.Unix(0, n).Equal(*t)) {
		return 0, errTime
	}
	return n, nil
}

func storeTime(k kind, q unsafe.Pointer, n int64) {
	t := (*time.Time)(q)
	switch {
	case k == millisKind:
		*t = time.UnixMilli(n).UTC()
	case k == microsKind:
		*t = time.UnixMicro(n).UTC()
	case n == zeroTime:
		*t = time.Time{}
	default:
		*t = time.Unix(0, n).UTC()
	}
}
