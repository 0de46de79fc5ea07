package codectest_test

import (
	"errors"
	"fmt"
	"reflect"
	"strings"
	"testing"
	"time"
	"unsafe"

	"github.com/flott-dev/flott/codec"
	"github.com/flott-dev/flott/codec/codectest"
)

type order struct {
	ID    int64
	Lines []line
	Notes map[string]string
	Paid  *time.Time
	Raw   []byte
}

type line struct {
	Item  string
	Price float64
}

func TestAvro(t *testing.T) {
	c, err := codec.Of[order]()
	if err != nil {
		t.Fatal(err)
	}
	paid := time.Unix(1700000000, 5).UTC()
	codectest.Run(t, c, func(a, b order) bool { return reflect.DeepEqual(a, b) },
		order{}, order{7, []line{{"tea", 2.5}, {"", -1}}, map[string]string{"a": "b", "c": ""}, &paid, []byte("raw")}, order{ID: -1})
}

// words is a right codec of strings that may be made wrong.
type words struct {
	schema string
	append func(dst []byte, v *string) []byte
	decode func(src []byte, v *string) []byte
}

func (w words) Schema() string { return w.schema }

func (w words) Append(dst []byte, v *string) ([]byte, error) { return w.append(dst, v), nil }

func (w words) Decode(src []byte, v *string) ([]byte, error) {
	if len(src) == 0 || len(src) <= int(src[0]) {
		return nil, errors.New("too short")
	}
	return w.decode(src, v), nil
}

func right() words {
	return words{
		"a byte for the length",
		func(dst []byte, v *string) []byte { return append(append(dst, byte(len(*v))), *v...) },
		func(src []byte, v *string) []byte {
			n := 1 + int(src[0])
			*v = string(src[1:n])
			return src[n:]
		},
	}
}

// complaints gathers what the suite says.
type complaints struct {
	testing.TB
	all []string
}

func (c *complaints) Helper()                      {}
func (c *complaints) Error(args ...any)            { c.all = append(c.all, fmt.Sprint(args...)) }
func (c *complaints) Errorf(f string, args ...any) { c.all = append(c.all, fmt.Sprintf(f, args...)) }

func TestSuiteFindsWrongCodecs(t *testing.T) {
	for _, c := range []struct {
		about, complaint string
		breaks           func(w *words)
	}{
		{"nothing", "", func(*words) {}},
		{"no schema", "Schema is empty", func(w *words) { w.schema = "" }},
		{"dst is lost", "changed the bytes", func(w *words) {
			w.append = func(_ []byte, v *string) []byte { return append([]byte{byte(len(*v))}, *v...) }
		}},
		{"rest is lost", "left", func(w *words) {
			w.decode = func(src []byte, v *string) []byte { right().decode(src, v); return nil }
		}},
		{"the value is another", "became", func(w *words) {
			w.decode = func(src []byte, v *string) []byte { *v = "x"; return src[1+int(src[0]):] }
		}},
		{"the value points into the bytes", "must copy", func(w *words) {
			w.decode = func(src []byte, v *string) []byte {
				*v = unsafe.String(unsafe.SliceData(src[1:]), int(src[0]))
				return src[1+int(src[0]):]
			}
		}},
		{"some bytes panic", "panics", func(w *words) {
			w.decode = func(src []byte, v *string) []byte {
				if src[1] > 0x7f {
					panic("no ASCII")
				}
				return right().decode(src, v)
			}
		}},
	} {
		w, got := right(), &complaints{}
		c.breaks(&w)
		codectest.Run(got, codec.Codec[string](w), func(a, b string) bool { return a == b }, "first", "second")
		text := strings.Join(got.all, "\n")
		if (c.complaint == "") != (text == "") || !strings.Contains(text, c.complaint) {
			t.Errorf("%s: the suite should say %q, and says\n%s", c.about, c.complaint, text)
		}
	}
}
