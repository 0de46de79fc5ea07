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
func (b *sliceBox) read(r *reader, p unsafe.Pointer) error {
	items := reflect.Zero(b.typ)
	err := r.blocks(b.item.least, func(n int) error {
		from := items.Len()
		items = extend(items, n)
		first := items.UnsafePointer()
		for i := from; i < from+n; i++ {
			if err := r.read(b.item, unsafe.Add(first, uintptr(i)*b.item.typ.Size())); err != nil {
				return err
			}
		}
		return nil
	})
	*(*slice)(p) = slice{items.UnsafePointer(), items.Len(), items.Cap()}
	return err
}

// extend makes room for n more items.
func extend(items reflect.Value, n int) reflect.Value {
	if items.Len() == 0 {
		return reflect.MakeSlice(items.Type(), n, n)
	}
	return reflect.AppendSlice(items, reflect.MakeSlice(items.Type(), n, n))
}

// blocks calls f with the count of each block of an array or a map, whose items have at least so many bytes.
func (r *reader) blocks(least int, f func(n int) error) error {
	if r.depth >= maxDepth {
		return errDeep
	}
	r.depth++
	defer func() { r.depth-- }()
	for {
		n, err := r.count(least)
		if err != nil || n == 0 {
			return err
		}
		if err := f(n); err != nil {
			return err
		}
	}
}

// count reads the count of a block. A negative one is followed by the block's size, which is not needed.
func (r *reader) count(least int) (int, error) {
	n, err := r.long()
	if err == nil && n < 0 {
		n = -n
		_, err = r.long()
	}
	if err != nil {
		return 0, err
	}
	if n < 0 || n > int64(len(r.in)/least) {
		return 0, errLength
	}
	return int(n), nil
}

// An arrayBox is an Avro array of as many items as the Go array has.
type arrayBox struct {
	item *shape
	len  int
}

func (b *arrayBox) append(dst []byte, p unsafe.Pointer, depth int) ([]byte, error) {
	return appendItems(dst, b.item, p, b.len, depth)
}

func (b *arrayBox) read(r *reader, p unsafe.Pointer) error {
	read := 0
	err := r.blocks(b.item.least, func(n int) error {
		if n > b.len-read {
			return errCount
		}
		for range n {
			if err := r.read(b.item, unsafe.Add(p, uintptr(read)*b.item.typ.Size())); err != nil {
				return err
			}
			read++
		}
		return nil
	})
	if err == nil && read < b.len {
		return errCount
	}
	return err
}

// A fixedBox is an Avro fixed: an array of bytes.
type fixedBox int

func (b fixedBox) append(dst []byte, p unsafe.Pointer, _ int) ([]byte, error) {
	return append(dst, unsafe.Slice((*byte)(p), int(b))...), nil
}

func (b fixedBox) read(r *reader, p unsafe.Pointer) error {
	bytes, err := r.take(int(b))
	copy(unsafe.Slice((*byte)(p), int(b)), bytes)
	return err
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

func (b *pointerBox) read(r *reader, p unsafe.Pointer) error {
	branch, err := r.long()
	switch {
	case err != nil:
		return err
	case branch == 0:
		*(*unsafe.Pointer)(p) = nil
		return nil
	case branch != 1:
		return errBranch
	case r.depth >= maxDepth:
		return errDeep
	case len(r.in) < b.to.least:
		return errShort
	}
	q := reflect.New(b.to.typ).UnsafePointer()
	*(*unsafe.Pointer)(p) = q
	r.depth++
	err = r.read(b.to, q)
	r.depth--
	return err
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
func (b *mapBox) read(r *reader, p unsafe.Pointer) error {
	target := reflect.NewAt(b.typ, p).Elem()
	target.SetZero()
	e := b.entry()
	defer b.free(e)
	return r.blocks(b.key.least+b.value.least, func(n int) error {
		if target.IsNil() {
			target.Set(reflect.MakeMapWithSize(b.typ, n))
		}
		for range n {
			e.key.SetZero()
			e.value.SetZero()
			if err := r.read(b.key, e.key.Addr().UnsafePointer()); err != nil {
				return err
			}
			if err := r.read(b.value, e.value.Addr().UnsafePointer()); err != nil {
				return err
			}
			target.SetMapIndex(e.key, e.value)
		}
		return nil
	})
}
