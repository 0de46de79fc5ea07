package codec

import (
	"encoding/binary"
	"slices"
	"unsafe"
)

// read reads a value into p, and returns the bytes after it. The commonest kinds are read in the loop itself, so that what is left of
// the bytes stays in registers.
func (s *shape) read(in []byte, p unsafe.Pointer, a *arena, depth int) (_ []byte, err error) {
	for i := range s.steps {
		t := &s.steps[i]
		q := unsafe.Add(p, t.offset)
		switch t.kind {
		case int64Kind:
			u, n := binary.Uvarint(in)
			if n <= 0 {
				return nil, at(t.path, varintError(n))
			}
			*(*int64)(q) = unzigzag(u)
			in = in[n:]
		case stringKind, bytesKind:
			u, n := binary.Uvarint(in)
			if n <= 0 {
				return nil, at(t.path, varintError(n))
			}
			in = in[n:]
			size := unzigzag(u)
			if uint64(size) > uint64(len(in)) { // also if it is negative
				return nil, at(t.path, errLength)
			}
			store(t.kind, q, a.keep(in[:size]))
			in = in[size:]
		case float64Kind:
			if len(in) < 8 {
				return nil, at(t.path, errShort)
			}
			*(*uint64)(q) = binary.LittleEndian.Uint64(in)
			in = in[8:]
		case boxed:
			if in, err = t.box.read(in, q, a, depth); err != nil {
				return nil, at(t.path, err)
			}
		default:
			if in, err = readLeaf(in, t.kind, q); err != nil {
				return nil, at(t.path, err)
			}
		}
	}
	return in, nil
}

// plain says whether all is in the value itself, so that reading it needs no arena.
func (s *shape) plain() bool {
	return !slices.ContainsFunc(s.steps, func(t step) bool {
		return t.kind == stringKind || t.kind == bytesKind || t.kind == boxed
	})
}

// readLeaf reads the rarer leaves.
func readLeaf(in []byte, k kind, q unsafe.Pointer) ([]byte, error) {
	switch k {
	case boolKind:
		if len(in) < 1 {
			return nil, errShort
		}
		if in[0] > 1 {
			return nil, errBool
		}
		*(*byte)(q) = in[0]
		return in[1:], nil
	case float32Kind:
		if len(in) < 4 {
			return nil, errShort
		}
		*(*uint32)(q) = binary.LittleEndian.Uint32(in)
		return in[4:], nil
	}
	return readNumber(in, k, q)
}

// readNumber reads a number of fewer than 64 bits, or a time.
func readNumber(in []byte, k kind, q unsafe.Pointer) ([]byte, error) {
	v, in, err := long(in)
	switch {
	case err != nil:
		return nil, err
	case k >= nanosKind:
		storeTime(k, q, v)
	case !storeInt(k, q, v):
		return nil, errRange
	}
	return in, nil
}

// long reads a number, and returns the bytes after it.
func long(in []byte) (int64, []byte, error) {
	if len(in) > 0 && in[0] < 0x80 {
		return unzigzag(uint64(in[0])), in[1:], nil
	}
	u, n := binary.Uvarint(in)
	if n <= 0 {
		return 0, nil, varintError(n)
	}
	return unzigzag(u), in[n:], nil
}

func varintError(n int) error {
	if n == 0 {
		return errShort
	}
	return errVarint
}

// run reads the bytes of a string or of bytes, which are still those of in.
func run(in []byte) (bytes, rest []byte, err error) {
	n, in, err := long(in)
	if err != nil {
		return nil, nil, err
	}
	if uint64(n) > uint64(len(in)) { // also if it is negative
		return nil, nil, errLength
	}
	return in[:n], in[n:], nil
}

// store makes a string or a []byte of bytes that are its own; none become nil.
func store(k kind, q unsafe.Pointer, b []byte) {
	if len(b) == 0 {
		b = nil
	}
	if k == stringKind {
		*(*string)(q) = unsafe.String(unsafe.SliceData(b), len(b))
	} else {
		*(*[]byte)(q) = b
	}
}
