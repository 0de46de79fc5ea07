package codec

import (
	"fmt"
	"reflect"
	"unsafe"
)

// A Set has the codecs that a user gave for types of his own; for all others it stands for Of. The nil *Set has none. Fields,
// elements and values of a type in the set are written by its codec, too.
type Set struct {
	custom map[reflect.Type]custom
}

// custom is a Codec without its type parameter.
type custom struct {
	codec  any // the Codec[T]
	schema string
	append func(dst []byte, p unsafe.Pointer) ([]byte, error)
	decode func(src []byte, p unsafe.Pointer) ([]byte, error)
}

// Register makes s use c for T. Nobody may be using the set yet.
func Register[T any](s *Set, c Codec[T]) error {
	t := reflect.TypeFor[T]()
	if c == nil {
		return fmt.Errorf("the codec of %s is nil", t)
	}
	if _, ok := s.custom[t]; ok {
		return fmt.Errorf("%s has two codecs", t)
	}
	if s.custom == nil {
		s.custom = map[reflect.Type]custom{}
	}
	s.custom[t] = custom{
		codec:  c,
		schema: c.Schema(),
		append: func(dst []byte, p unsafe.Pointer) ([]byte, error) { return c.Append(dst, (*T)(p)) },
		decode: func(src []byte, p unsafe.Pointer) ([]byte, error) { return c.Decode(src, (*T)(p)) },
	}
	return nil
}

// In is the codec of T in s: the user's, or else the Avro codec, or a *TypeError that names all the fields that cannot be encoded.
func In[T any](s *Set) (Codec[T], error) {
	if c, ok := s.of(reflect.TypeFor[T]()); ok {
		return c.codec.(Codec[T]), nil
	}
	return compileFor[T](s)
}

func (s *Set) of(t reflect.Type) (custom, bool) {
	if s == nil {
		return custom{}, false
	}
	c, ok := s.custom[t]
	return c, ok
}
