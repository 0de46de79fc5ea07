package id

import (
	"fmt"
	"reflect"
	"time"
	"unsafe"

	"github.com/zeebo/xxh3"
)

// HashOf makes the hash of keys of type K: the same in each process and version, since state is stored by it
// (docs/formats/key-hash.md). The type is looked at once; the function it returns neither allocates nor reflects.
//
// A type whose == compares more than what can be stored cannot be a key: pointers, interfaces, channels, floats (NaN is not
// itself, and 0 is -0) and time.Time (which compares its location). The error names the field.
func HashOf[K comparable]() (func(K) uint64, error) {
	t := reflect.TypeFor[K]()
	leaves, err := leavesOf(t, 0, t.String(), nil)
	if err != nil {
		return nil, err
	}
	if len(leaves) == 1 && scalar(t) {
		return hashScalar[K](leaves[0].read), nil
	}
	return func(k K) uint64 { return fold(unsafe.Pointer(&k), leaves) }, nil
}

// hashScalar has a case of its own for each kind, so that a record costs one call.
func hashScalar[K comparable](r reading) func(K) uint64 {
	switch r {
	case readWord:
		return func(k K) uint64 { return mix(*(*uint64)(unsafe.Pointer(&k))) }
	case readString:
		return func(k K) uint64 { return xxh3.HashString(*(*string)(unsafe.Pointer(&k))) }
	}
	return func(k K) uint64 { return leaf{0, r}.hash(unsafe.Pointer(&k)) }
}

// A leaf is a scalar inside of a key: where it is, and how it is read.
type leaf struct {
	offset uintptr
	read   reading
}

type reading uint8

const (
	readWord reading = iota // 64 bits
	readInt8
	readInt16
	readInt32
	readUint8
	readUint16
	readUint32
	readString
)

func (l leaf) hash(key unsafe.Pointer) uint64 {
	p := unsafe.Add(key, l.offset)
	switch l.read {
	case readInt8:
		return mix(uint64(*(*int8)(p)))
	case readInt16:
		return mix(uint64(*(*int16)(p)))
	case readInt32:
		return mix(uint64(*(*int32)(p)))
	case readUint8:
		return mix(uint64(*(*uint8)(p)))
	case readUint16:
		return mix(uint64(*(*uint16)(p)))
	case readUint32:
		return mix(uint64(*(*uint32)(p)))
	case readString:
		return xxh3.HashString(*(*string)(p))
	}
	return mix(*(*uint64)(p))
}

// fold hashes the leaves of an array or a struct one after the other, into each other.
func fold(key unsafe.Pointer, leaves []leaf) uint64 {
	const start = 0x9e3779b97f4a7c15
	h := uint64(start)
	for _, l := range leaves {
		h = mix(h ^ l.hash(key))
	}
	return h
}

// mix is the finaliser of splitmix64: each bit of x changes half of the bits of the result.
func mix(x uint64) uint64 {
	x = (x ^ x>>30) * 0xbf58476d1ce4e5b9
	x = (x ^ x>>27) * 0x94d049bb133111eb
	return x ^ x>>31
}

// leavesOf appends the scalars of a type at some offset of the key, in field order.
func leavesOf(t reflect.Type, offset uintptr, path string, leaves []leaf) ([]leaf, error) {
	switch t.Kind() {
	case reflect.Struct:
		return leavesOfStruct(t, offset, path, leaves)
	case reflect.Array:
		return leavesOfArray(t, offset, path, leaves)
	}
	r, ok := readingOf(t)
	if !ok {
		return nil, fmt.Errorf("%s cannot be a key: it is %s", path, refusal(t))
	}
	return append(leaves, leaf{offset, r}), nil
}

func leavesOfStruct(t reflect.Type, offset uintptr, path string, leaves []leaf) (_ []leaf, err error) {
	if t == reflect.TypeFor[time.Time]() {
		return nil, fmt.Errorf("%s cannot be a key: == on time.Time compares locations, too; use UnixMilli", path)
	}
	for f := range t.Fields() {
		if f.Name == "_" {
			continue // == does not look at it either
		}
		if leaves, err = leavesOf(f.Type, offset+f.Offset, path+"."+f.Name, leaves); err != nil {
			return nil, err
		}
	}
	return leaves, nil
}

func leavesOfArray(t reflect.Type, offset uintptr, path string, leaves []leaf) (_ []leaf, err error) {
	for i := range t.Len() {
		if leaves, err = leavesOf(t.Elem(), offset+uintptr(i)*t.Elem().Size(), path+"[]", leaves); err != nil {
			return nil, err
		}
	}
	return leaves, nil
}

// readingOf says how a scalar is read; !ok: it cannot be part of a key.
func readingOf(t reflect.Type) (r reading, ok bool) {
	signed := [...]reading{1: readInt8, 2: readInt16, 4: readInt32, 8: readWord}
	unsigned := [...]reading{1: readUint8, 2: readUint16, 4: readUint32, 8: readWord}
	switch t.Kind() {
	case reflect.Bool:
		return readUint8, true
	case reflect.String:
		return readString, true
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		return signed[t.Size()], true
	case reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64, reflect.Uintptr:
		return unsigned[t.Size()], true
	}
	return 0, false
}

func scalar(t reflect.Type) bool { return t.Kind() != reflect.Struct && t.Kind() != reflect.Array }

func refusal(t reflect.Type) string {
	switch t.Kind() {
	case reflect.Float32, reflect.Float64, reflect.Complex64, reflect.Complex128:
		return fmt.Sprintf("a floating-point number (%s)", t)
	case reflect.Interface:
		return fmt.Sprintf("an interface (%s)", t)
	case reflect.Chan:
		return fmt.Sprintf("a channel (%s)", t)
	}
	return fmt.Sprintf("a pointer (%s)", t)
}
