package codec

import (
	"reflect"
	"unsafe"

	"github.com/twmb/avro"
	"google.golang.org/protobuf/proto"
)

// A libraryBox leaves a value to the Avro library.
type libraryBox struct {
	typ    reflect.Type
	schema *avro.Schema
}

func (b *libraryBox) append(dst []byte, p unsafe.Pointer, _ int) ([]byte, error) {
	return b.schema.AppendEncode(dst, reflect.NewAt(b.typ, p).Interface())
}

func (b *libraryBox) read(in []byte, p unsafe.Pointer, _ *arena, _ int) ([]byte, error) {
	v := reflect.NewAt(b.typ, p)
	v.Elem().SetZero()
	return b.schema.Decode(in, v.Interface())
}

// A protoBox is a protobuf message: Avro bytes, which are the message's own.
type protoBox struct{ typ reflect.Type } // of the struct; the pointer to it is the message

func (b *protoBox) message(p unsafe.Pointer) proto.Message {
	return reflect.NewAt(b.typ, p).Interface().(proto.Message)
}

func (b *protoBox) append(dst []byte, p unsafe.Pointer, _ int) ([]byte, error) {
	m := b.message(p)
	dst = appendLong(dst, int64(proto.Size(m)))
	return proto.MarshalOptions{UseCachedSize: true}.MarshalAppend(dst, m)
}

func (b *protoBox) read(in []byte, p unsafe.Pointer, _ *arena, _ int) ([]byte, error) {
	bytes, rest, err := run(in)
	if err != nil {
		return nil, err
	}
	return rest, proto.Unmarshal(bytes, b.message(p)) // resets the message first
}

// A customBox is a value inside of another that the user's codec writes: Avro bytes, which are the codec's.
type customBox struct{ custom }

func (b *customBox) append(dst []byte, p unsafe.Pointer, _ int) ([]byte, error) {
	start := len(dst)
	dst, err := b.custom.append(dst, p)
	if err != nil {
		return dst, err
	}
	return prefix(dst, start), nil
}

// prefix puts the length of dst[start:] before it.
func prefix(dst []byte, start int) []byte {
	n := len(dst) - start
	end := len(dst)
	dst = appendLong(dst, int64(n))
	var length [10]byte
	width := copy(length[:], dst[end:])
	copy(dst[start+width:], dst[start:end])
	copy(dst[start:], length[:width])
	return dst
}

func (b *customBox) read(in []byte, p unsafe.Pointer, _ *arena, _ int) ([]byte, error) {
	bytes, rest, err := run(in)
	if err != nil {
		return nil, err
	}
	left, err := b.custom.decode(bytes, p)
	if err == nil && len(left) > 0 {
		err = errTrailer
	}
	return rest, err
}
