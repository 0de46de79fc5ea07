// Package codec turns values into bytes and back: Avro by default, with schemas inferred from Go types.
//
// Of compiles the codec of a type once, by reflection, into a list of steps; what runs for each value reads and writes memory at
// fixed offsets. It writes the bytes that github.com/twmb/avro writes for the same schema, several times faster. docs/formats/avro.md
// has the table of types, and the layout of blocks.
//
// What comes out is what went in, with these exceptions: an empty slice or map comes out nil, a time.Time in UTC and without its
// monotonic reading, and unexported fields are not carried, which Whole tells of.
package codec

import (
	"reflect"
	"unsafe"
)

// A Codec writes and reads T. It is used by many goroutines at once.
type Codec[T any] interface {
	// Schema says how the bytes are to be read: an Avro schema, or whatever the codec's format calls one.
	Schema() string
	// Append appends the bytes of v to dst. It must not keep dst or v, nor change what v points to.
	Append(dst []byte, v *T) ([]byte, error)
	// Decode reads into v what Append wrote at the beginning of src, and returns what comes after it. Any bytes give a value or an
	// error. The value must not point into src, which will be overwritten, nor share memory with the value that v had before.
	Decode(src []byte, v *T) (rest []byte, err error)
}

// Of is the Avro codec of T, or a *TypeError that names all the fields that cannot be encoded.
func Of[T any]() (Codec[T], error) { return In[T](nil) }

// compiled is the Avro codec of T.
type compiled[T any] struct {
	shape   *shape
	plain   bool // no value needs an arena
	schema  string
	leftOut []Problem // unexported fields that no tag leaves out
}

func compileFor[T any](s *Set) (*compiled[T], error) {
	c := newCompiler(s)
	sh, schema, err := c.compile(reflect.TypeFor[T]())
	if err != nil {
		return nil, err
	}
	return &compiled[T]{shape: sh, plain: sh.plain(), schema: schema, leftOut: c.leftOut}, nil
}

// Whole is nil if what a Codec reads is all that was written, as far as types tell. Otherwise it is a *TypeError that names the
// unexported fields which Avro leaves out without a tag `avro:"-"` that wants it so. Of other codecs, alone or for parts of a type,
// nothing is known: they are trusted.
func Whole(c any) error {
	if w, ok := c.(interface{ whole() error }); ok {
		return w.whole()
	}
	return nil
}

func (c *compiled[T]) whole() error {
	if len(c.leftOut) == 0 {
		return nil
	}
	return &TypeError{reflect.TypeFor[T](), c.leftOut}
}

func (c *compiled[T]) Schema() string { return c.schema }

func (c *compiled[T]) Append(dst []byte, v *T) ([]byte, error) {
	return c.shape.append(dst, unsafe.Pointer(v), 0)
}

func (c *compiled[T]) Decode(src []byte, v *T) ([]byte, error) {
	if c.plain {
		return c.shape.read(src, unsafe.Pointer(v), nil, 0)
	}
	a := arenas.Get().(*arena)
	defer arenas.Put(a)
	return c.shape.read(src, unsafe.Pointer(v), a, 0)
}
