package codec

import (
	"reflect"
	"sync"
	"unsafe"
)

// slice is how slices look in memory.
type slice struct {
	data     unsafe.Pointer
	len, cap int
}

// A sliceBox is an Avro array: blocks of a count and as many items, and a count of 0.
type sliceBox struct {
	typ  reflect.Type
	item *shape
}

func (b *sliceBox) append(dst []byte, p unsafe.Pointer, depth int) ([]byte, error) {
	s := (*slice)(p)
	return appendItems(dst, b.item, s.data, s.len, depth)
}

func appendItems(dst []byte, item *shape, first unsafe.Pointer, n, depth int) ([]byte, error) {
	if depth >= maxDepth {
		return dst, errDeep
	}
	var err error
	if n > 0 {
		dst = appendLong(dst, int64(n))
	}
	for i := range n {
		if dst, err = item.append(dst, unsafe.Add(first, uintptr(i)*item.typ.Size()), depth+1); err != nil {
			return dst, err
		}
	}
	return append(dst, 0), nil
}

// read makes a new slice: the one that was there may belong to another record.
func (b *sliceBox) read(in []byte, p unsafe.Pointer, a *arena, depth int) ([]byte, error) {
	items := reflect.NewAt(b.typ, p).Elem()
	items.SetZero()
	return blocks(in, b.item.least, depth, func(in []byte, n int) ([]byte, error) {
		from := items.Len()
		items.Grow(n)
		items.SetLen(from + n)
		return readItems(in, b.item, unsafe.Add(items.UnsafePointer(), uintptr(from)*b.item.typ.Size()), n, a, depth+1)
	})
}

func readItems(in []byte, item *shape, first unsafe.Pointer, n int, a *arena, depth int) (_ []byte, err error) {
	size := item.typ.Size()
	for i := range n {
		if in, err = item.read(in, unsafe.Add(first, uintptr(i)*size), a, depth); err != nil {
			return nil, err
		}
	}
	return in, nil
}

// blocks calls f with the count of each block of an array or a map, whose items have at least so many bytes; f reads the items.
func blocks(in []byte, least, depth int, f func(in []byte, n int) ([]byte, error)) ([]byte, error) {
	if depth >= maxDepth {
		return nil, errDeep
	}
	for {
		n, rest, err := count(in, least)
		if err != nil || n == 0 {
			return rest, err
		}
		if in, err = f(rest, n); err != nil {
			return nil, err
		}
	}
}

// count reads the count of a block. A negative one is followed by the block's size, which is not needed.
func count(in []byte, least int) (int, []byte, error) {
	n, in, err := long(in)
	if err == nil && n < 0 {
		n = -n
		_, in, err = long(in)
	}
	if err != nil {
		return 0, nil, err
	}
	if n < 0 || n > int64(len(in)/least) {
		return 0, nil, errLength
	}
	return int(n), in, nil
}

// An arrayBox is an Avro array of as many items as the Go array has.
type arrayBox struct {
	item *shape
	len  int
}

func (b *arrayBox) append(dst []byte, p unsafe.Pointer, depth int) ([]byte, error) {
	return appendItems(dst, b.item, p, b.len, depth)
}

func (b *arrayBox) read(in []byte, p unsafe.Pointer, a *arena, depth int) ([]byte, error) {
	read := 0
	in, err := blocks(in, b.item.least, depth, func(in []byte, n int) ([]byte, error) {
		if n > b.len-read {
			return nil, errCount
		}
		first := unsafe.Add(p, uintptr(read)*b.item.typ.Size())
		read += n
		return readItems(in, b.item, first, n, a, depth+1)
	})
	if err == nil && read < b.len {
		return nil, errCount
	}
	return in, err
}

// A fixedBox is an Avro fixed: an array of bytes.
type fixedBox int

func (b fixedBox) append(dst []byte, p unsafe.Pointer, _ int) ([]byte, error) {
	return append(dst, unsafe.Slice((*byte)(p), int(b))...), nil
}

func (b fixedBox) read(in []byte, p unsafe.Pointer, _ *arena, _ int) ([]byte, error) {
	if len(in) < int(b) {
		return nil, errShort
	}
	return in[copy(unsafe.Slice((*byte)(p), int(b)), in):], nil
}

// A pointerBox is the union of null and what it points to.
type pointerBox struct{ to *shape }

const (
	nullBranch  = 0
	valueBranch = 2 // branch 1, as Avro writes numbers
)

func (b *pointerBox) append(dst []byte, p unsafe.Pointer, depth int) ([]byte, error) {
	q := *(*unsafe.Pointer)(p)
	if q == nil {
		return append(dst, nullBranch), nil
	}
	if depth >= maxDepth {
		return dst, errDeep
	}
	return b.to.append(append(dst, valueBranch), q, depth+1)
}

func (b *pointerBox) read(in []byte, p unsafe.Pointer, a *arena, depth int) ([]byte, error) {
	branch, in, err := long(in)
	switch {
	case err != nil:
		return nil, err
	case branch == 0:
		*(*unsafe.Pointer)(p) = nil
		return in, nil
	case branch != 1:
		return nil, errBranch
	case depth >= maxDepth:
		return nil, errDeep
	case len(in) < b.to.least:
		return nil, errShort
	}
	q := reflect.New(b.to.typ).UnsafePointer()
	*(*unsafe.Pointer)(p) = q
	return b.to.read(in, q, a, depth+1)
}

// A mapBox is an Avro map if its keys are strings, else an array of records of key and value: the bytes have the same form.
type mapBox struct {
	typ        reflect.Type
	key, value *shape
	spare      sync.Pool // of *entry
}

// An entry has room for one key and value, and walks over a map without allocation.
type entry struct {
	iter       reflect.MapIter
	key, value reflect.Value
}

func (b *mapBox) entry() *entry {
	if e, ok := b.spare.Get().(*entry); ok {
		return e
	}
	return &entry{key: reflect.New(b.key.typ).Elem(), value: reflect.New(b.value.typ).Elem()}
}

// free takes an entry back, without what it points to.
func (b *mapBox) free(e *entry) {
	e.iter.Reset(reflect.Value{})
	e.key.SetZero()
	e.value.SetZero()
	b.spare.Put(e)
}

func (b *mapBox) append(dst []byte, p unsafe.Pointer, depth int) ([]byte, error) {
	m := reflect.NewAt(b.typ, p).Elem()
	if m.Len() == 0 {
		return append(dst, 0), nil
	}
	if depth >= maxDepth {
		return dst, errDeep
	}
	e := b.entry()
	defer b.free(e)
	dst = appendLong(dst, int64(m.Len()))
	var err error
	for e.iter.Reset(m); e.iter.Next(); {
		e.key.SetIterKey(&e.iter)
		e.value.SetIterValue(&e.iter)
		if dst, err = b.key.append(dst, e.key.Addr().UnsafePointer(), depth+1); err != nil {
			return dst, err
		}
		if dst, err = b.value.append(dst, e.value.Addr().UnsafePointer(), depth+1); err != nil {
			return dst, err
		}
	}
	return append(dst, 0), nil
}

// read makes a new map: the one that was there may belong to another record.
func (b *mapBox) read(in []byte, p unsafe.Pointer, a *arena, depth int) ([]byte, error) {
	target := reflect.NewAt(b.typ, p).Elem()
	target.SetZero()
	e := b.entry()
	defer b.free(e)
	return blocks(in, b.key.least+b.value.least, depth, func(in []byte, n int) (_ []byte, err error) {
		if target.IsNil() {
			target.Set(reflect.MakeMapWithSize(b.typ, n))
		}
		for range n {
			e.key.SetZero()
			e.value.SetZero()
			if in, err = b.key.read(in, e.key.Addr().UnsafePointer(), a, depth+1); err != nil {
				return nil, err
			}
			if in, err = b.value.read(in, e.value.Addr().UnsafePointer(), a, depth+1); err != nil {
				return nil, err
			}
			target.SetMapIndex(e.key, e.value)
		}
		return in, nil
	})
}
