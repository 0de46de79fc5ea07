package codec

import (
	"encoding/binary"
	"slices"
	"unsafe"
)

// A reader is what is left of the bytes that are being decoded.
type reader struct {
	in    []byte
	depth int
	arena *arena // nil: each string has an allocation of its own
}

// long reads a number.
func (r *reader) long() (int64, error) {
	if len(r.in) > 0 && r.in[0] < 0x80 {
		u := uint64(r.in[0])
		r.in = r.in[1:]
		return unzigzag(u), nil
	}
	u, n := binary.Uvarint(r.in)
	if n <= 0 {
		return 0, varintError(n)
	}
	r.in = r.in[n:]
	return unzigzag(u), nil
}

func varintError(n int) error {
	if n == 0 {
		return errShort
	}
	return errVarint
}

// take takes the next n bytes.
func (r *reader) take(n int) ([]byte, error) {
	if n > len(r.in) {
		return nil, errShort
	}
	b := r.in[:n]
	r.in = r.in[n:]
	return b, nil
}

// run takes the bytes of a string or of bytes.
func (r *reader) run() ([]byte, error) {
	n, err := r.long()
	if err != nil {
		return nil, err
	}
	if n < 0 || n > int64(len(r.in)) {
		return nil, errLength
	}
	return r.take(int(n))
}

// read reads a value of a shape into p.
func (r *reader) read(s *shape, p unsafe.Pointer) error {
	for i := range s.steps {
		t := &s.steps[i]
		if err := r.step(t, unsafe.Add(p, t.offset)); err != nil {
			return at(t.path, err)
		}
	}
	return nil
}

func (r *reader) step(t *step, q unsafe.Pointer) error {
	switch t.kind {
	case int64Kind:
		v, err := r.long()
		if err != nil {
			return err
		}
		*(*int64)(q) = v
	case boxed:
		return t.box.read(r, q)
	case stringKind, bytesKind:
		b, err := r.run()
		if err != nil {
			return err
		}
		store(t.kind, q, r.arena.keep(b))
	case boolKind:
		return r.bool((*byte)(q))
	case float32Kind:
		b, err := r.take(4)
		if err != nil {
			return err
		}
		*(*uint32)(q) = binary.LittleEndian.Uint32(b)
	case float64Kind:
		b, err := r.take(8)
		if err != nil {
			return err
		}
		*(*uint64)(q) = binary.LittleEndian.Uint64(b)
	default:
		return r.number(t.kind, q)
	}
	return nil
}

func (r *reader) number(k kind, q unsafe.Pointer) error {
	v, err := r.long()
	if err != nil {
		return err
	}
	if k >= nanosKind {
		storeTime(k, q, v)
		return nil
	}
	if !storeInt(k, q, v) {
		return errRange
	}
	return nil
}

func (r *reader) bool(q *byte) error {
	b, err := r.take(1)
	if err != nil {
		return err
	}
	if b[0] > 1 {
		return errBool
	}
	*q = b[0]
	return nil
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

const (
	chunk = 2048 // most bytes of the strings that share an allocation
	large = 256  // longer strings get their own
)

// An arena keeps short strings together, many to an allocation. A chunk is small, as each of its strings keeps all of it alive: a
// string in state would else hold on to a whole block.
type arena struct{ free []byte }

// keep copies b. It has no room to append to.
func (a *arena) keep(b []byte) []byte {
	n := len(b)
	if a == nil || n > large {
		return slices.Clone(b)
	}
	if len(a.free) < n {
		a.free = make([]byte, chunk)
	}
	own := a.free[:n:n]
	a.free = a.free[n:]
	copy(own, b)
	return own
}
