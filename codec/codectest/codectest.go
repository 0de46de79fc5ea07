// Package codectest is a conformance suite for codecs of one's own: what flott expects of every codec.Codec.
package codectest

import (
	"bytes"
	"testing"

	"github.com/flott-dev/flott/codec"
)

// Run checks that c gives each of the values again, leaves alone what is not its own, and survives wrong bytes. The values should be
// of all kinds that the type has, also the empty one; equal compares two of them.
func Run[T any](t testing.TB, c codec.Codec[T], equal func(a, b T) bool, values ...T) {
	t.Helper()
	if len(values) == 0 {
		t.Fatal("there are no values to try")
	}
	if c.Schema() == "" {
		t.Error("Schema is empty: nobody could tell what the bytes are")
	}
	for i := range values {
		k := &check[T]{t, c, equal, &values[i]}
		encoded, ok := k.appends()
		if !ok {
			continue
		}
		k.gives(encoded)
		k.keeps(encoded)
		k.survives(encoded)
	}
	sequence(t, c, equal, values)
}

type check[T any] struct {
	testing.TB
	codec codec.Codec[T]
	equal func(a, b T) bool
	value *T
}

// appends: Append leaves what dst has.
func (k *check[T]) appends() ([]byte, bool) {
	out, err := k.codec.Append([]byte("before"), k.value)
	if err != nil {
		k.Errorf("Append(%v): %v", *k.value, err)
		return nil, false
	}
	encoded, ok := bytes.CutPrefix(out, []byte("before"))
	if !ok {
		k.Errorf("Append(%v) changed the bytes that were there before: %q", *k.value, out)
	}
	return encoded, ok
}

// gives: Decode gives the value, also in place of another, and returns what comes after it.
func (k *check[T]) gives(encoded []byte) {
	got := *k.value
	for range 2 {
		rest, err := k.codec.Decode(append(bytes.Clone(encoded), "after"...), &got)
		if err != nil {
			k.Errorf("Decode of %v: %v", *k.value, err)
			return
		}
		if string(rest) != "after" {
			k.Errorf("Decode of %v and %q left %q", *k.value, "after", rest)
		}
		if !k.equal(got, *k.value) {
			k.Errorf("%v became %v", *k.value, got)
		}
		var zero T
		got = zero
	}
}

// keeps: the value does not change with the bytes that it was read from.
func (k *check[T]) keeps(encoded []byte) {
	src := bytes.Clone(encoded)
	var got T
	if _, err := k.codec.Decode(src, &got); err != nil {
		return // was told
	}
	for i := range src {
		src[i] ^= 0xff
	}
	if !k.equal(got, *k.value) {
		k.Errorf("%v became %v when the bytes it was read from were overwritten: Decode must copy", *k.value, got)
	}
}

// survives: bytes that end too early, or have a bit turned, give a value or an error.
func (k *check[T]) survives(encoded []byte) {
	for n := range encoded {
		k.decodes(encoded[:n])
		for bit := range 8 {
			turned := bytes.Clone(encoded)
			turned[n] ^= 1 << bit
			k.decodes(turned)
		}
	}
}

func (k *check[T]) decodes(src []byte) {
	defer func() {
		if r := recover(); r != nil {
			k.Errorf("Decode of %x panics: %v", src, r)
		}
	}()
	var got T
	rest, err := k.codec.Decode(src, &got)
	if err == nil && !bytes.HasSuffix(src, rest) {
		k.Errorf("Decode of %x left %x, which is not the end of it", src, rest)
	}
}

// sequence: values that were written one after the other are read so, and none changes those before it.
func sequence[T any](t testing.TB, c codec.Codec[T], equal func(a, b T) bool, values []T) {
	t.Helper()
	var encoded []byte
	var err error
	for i := range values {
		if encoded, err = c.Append(encoded, &values[i]); err != nil {
			return // was told
		}
	}
	var got []T
	var v T
	for range values {
		if encoded, err = c.Decode(encoded, &v); err != nil {
			t.Errorf("Decode of values in a row: %v", err)
			return
		}
		got = append(got, v)
	}
	for i := range got {
		if !equal(got[i], values[i]) {
			t.Errorf("%v became %v: values in a row must not share memory", values[i], got[i])
		}
	}
}
