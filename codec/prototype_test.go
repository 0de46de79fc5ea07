package codec

import (
	"encoding/binary"
	"reflect"
	"unsafe"
)

// A prototype is the encoder that the design was measured with, and the yardstick of ours. It knows flat structs of int64, float64 and
// string only, trusts all bytes, and its strings point into them.
type prototype[T any] []prototypeStep

type prototypeStep struct {
	offset uintptr
	kind   reflect.Kind
}

func prototypeOf[T any]() prototype[T] {
	t := reflect.TypeFor[T]()
	p := make(prototype[T], t.NumField())
	for i := range p {
		p[i] = prototypeStep{t.Field(i).Offset, t.Field(i).Type.Kind()}
	}
	return p
}

func (p prototype[T]) append(dst []byte, v *T) []byte {
	for _, s := range p {
		q := unsafe.Add(unsafe.Pointer(v), s.offset)
		switch s.kind {
		case reflect.Int64:
			dst = binary.AppendUvarint(dst, zigzag(*(*int64)(q)))
		case reflect.Float64:
			dst = binary.LittleEndian.AppendUint64(dst, *(*uint64)(q))
		case reflect.String:
			x := *(*string)(q)
			dst = append(binary.AppendUvarint(dst, uint64(len(x))<<1), x...)
		}
	}
	return dst
}

func (p prototype[T]) decode(in []byte, v *T) []byte {
	for _, s := range p {
		q := unsafe.Add(unsafe.Pointer(v), s.offset)
		switch s.kind {
		case reflect.Int64:
			u, n := binary.Uvarint(in)
			*(*int64)(q) = unzigzag(u)
			in = in[n:]
		case reflect.Float64:
			*(*uint64)(q) = binary.LittleEndian.Uint64(in)
			in = in[8:]
		case reflect.String:
			u, n := binary.Uvarint(in)
			size := int(u >> 1)
			*(*string)(q) = unsafe.String(unsafe.SliceData(in[n:]), size)
			in = in[n+size:]
		}
	}
	return in
}

func (p prototype[T]) appendBlock(dst []byte, v []T) []byte {
	for _, s := range p {
		if s.kind != reflect.String {
			n := len(dst)
			dst = append(dst, make([]byte, 8*len(v))...)
			for i := range v {
				binary.LittleEndian.PutUint64(dst[n+8*i:], *(*uint64)(unsafe.Add(unsafe.Pointer(&v[i]), s.offset)))
			}
			continue
		}
		for i := range v {
			dst = binary.AppendUvarint(dst, uint64(len(*(*string)(unsafe.Add(unsafe.Pointer(&v[i]), s.offset)))))
		}
		for i := range v {
			dst = append(dst, *(*string)(unsafe.Add(unsafe.Pointer(&v[i]), s.offset))...)
		}
	}
	return dst
}

func (p prototype[T]) decodeBlock(in []byte, v []T) {
	lengths := make([]int, len(v))
	for _, s := range p {
		if s.kind != reflect.String {
			for i := range v {
				*(*uint64)(unsafe.Add(unsafe.Pointer(&v[i]), s.offset)) = binary.LittleEndian.Uint64(in[8*i:])
			}
			in = in[8*len(v):]
			continue
		}
		for i := range lengths {
			u, n := binary.Uvarint(in)
			lengths[i] = int(u)
			in = in[n:]
		}
		for i, n := range lengths {
			*(*string)(unsafe.Add(unsafe.Pointer(&v[i]), s.offset)) = unsafe.String(unsafe.SliceData(in), n)
			in = in[n:]
		}
	}
}
