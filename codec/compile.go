package codec

import (
	"encoding"
	"encoding/json"
	"fmt"
	"math/big"
	"reflect"
	"strconv"
	"strings"
	"time"

	"github.com/twmb/avro"
	"google.golang.org/protobuf/proto"
)

// A compiler makes the shapes of a type and of its parts, and gathers all that stands in the way.
type compiler struct {
	set      *Set
	records  map[reflect.Type]*record
	named    map[reflect.Type]string // what types are called in the schema
	names    map[string]bool
	problems []Problem
	leftOut  []Problem // unexported fields that no tag leaves out
}

func newCompiler(set *Set) *compiler {
	return &compiler{set: set, records: map[reflect.Type]*record{}, named: map[reflect.Type]string{}, names: map[string]bool{}}
}

func (c *compiler) compile(t reflect.Type) (*shape, string, error) {
	s := c.shape(t, rootName(t), tag{})
	if len(c.problems) > 0 {
		return nil, "", &TypeError{t, c.problems}
	}
	schema, err := json.Marshal(s.schema)
	if err != nil {
		return nil, "", err
	}
	if _, err := avro.Parse(string(schema)); err != nil {
		return nil, "", &TypeError{t, []Problem{{rootName(t), t, err.Error()}}}
	}
	return s, string(schema), nil
}

func rootName(t reflect.Type) string {
	if t.Name() != "" {
		return t.Name()
	}
	return t.String()
}

func (c *compiler) refuse(t reflect.Type, path, format string, args ...any) *shape {
	c.problems = append(c.problems, Problem{path, t, fmt.Sprintf(format, args...)})
	return &shape{typ: t, least: 1, schema: "null"}
}

// leaf is the shape of one step.
func leaf(t reflect.Type, path string, k kind, b box, least int, schema any) *shape {
	return &shape{typ: t, steps: []step{{kind: k, box: b, path: path}}, least: least, schema: schema}
}

type object = map[string]any

var (
	timeType     = reflect.TypeFor[time.Time]()
	ratType      = reflect.TypeFor[big.Rat]()
	messageType  = reflect.TypeFor[proto.Message]()
	appenderType = reflect.TypeFor[encoding.TextAppender]()
	marshalType  = reflect.TypeFor[encoding.TextMarshaler]()
	parseType    = reflect.TypeFor[encoding.TextUnmarshaler]()
)

// shape compiles a type. What types say of themselves comes before what they are made of.
func (c *compiler) shape(t reflect.Type, path string, tag tag) *shape {
	if custom, ok := c.set.of(t); ok {
		return leaf(t, path, boxed, &customBox{custom}, 1, object{"type": "bytes", "flott.schema": custom.schema})
	}
	pointer := reflect.PointerTo(t)
	switch {
	case t.Kind() == reflect.Pointer:
		return c.pointer(t, path, tag)
	case t == timeType && tag.logical == "" || tag.logical != "":
		return c.logical(t, path, tag)
	case t.Kind() == reflect.Struct && pointer.Implements(messageType):
		name := string(reflect.New(t).Interface().(proto.Message).ProtoReflect().Descriptor().FullName())
		return leaf(t, path, boxed, &protoBox{t}, 1, object{"type": "bytes", "protobuf": name})
	case t == ratType:
		return c.refuse(t, path, "how many digits to keep must be said: tag the field `avro:\",decimal(precision,scale)\"`")
	case pointer.Implements(parseType) && (pointer.Implements(marshalType) || pointer.Implements(appenderType)):
		return c.library(t, path, "string", 1)
	}
	return c.plain(t, path)
}

func (c *compiler) plain(t reflect.Type, path string) *shape {
	switch t.Kind() {
	case reflect.Bool:
		return leaf(t, path, boolKind, nil, 1, "boolean")
	case reflect.Int8, reflect.Int16, reflect.Int32, reflect.Uint8, reflect.Uint16:
		return leaf(t, path, intKinds[t.Kind()], nil, 1, "int")
	case reflect.Int64, reflect.Uint32, reflect.Uint64:
		return leaf(t, path, intKinds[t.Kind()], nil, 1, "long")
	case reflect.Int, reflect.Uint:
		return leaf(t, path, wordKind(t), nil, 1, "long")
	case reflect.Float32:
		return leaf(t, path, float32Kind, nil, 4, "float")
	case reflect.Float64:
		return leaf(t, path, float64Kind, nil, 8, "double")
	case reflect.String:
		return leaf(t, path, stringKind, nil, 1, "string")
	case reflect.Slice:
		return c.slice(t, path)
	case reflect.Array:
		return c.array(t, path)
	case reflect.Map:
		return c.mapping(t, path)
	case reflect.Struct:
		return c.record(t, path)
	case reflect.Interface:
		return c.refuse(t, path, "what is in an interface is not known beforehand: give it a codec (flott.Codec)")
	}
	return c.refuse(t, path, "a %s cannot leave its process", t.Kind())
}

var intKinds = map[reflect.Kind]kind{
	reflect.Int8: int8Kind, reflect.Int16: int16Kind, reflect.Int32: int32Kind, reflect.Int64: int64Kind,
	reflect.Uint8: uint8Kind, reflect.Uint16: uint16Kind, reflect.Uint32: uint32Kind, reflect.Uint64: int64Kind,
}

// wordKind is that of int and uint, which are as wide as the machine's words.
func wordKind(t reflect.Type) kind {
	switch {
	case t.Size() == 8:
		return int64Kind
	case t.Kind() == reflect.Int:
		return int32Kind
	}
	return uint32Kind
}

func (c *compiler) slice(t reflect.Type, path string) *shape {
	if t.Elem().Kind() == reflect.Uint8 {
		return leaf(t, path, bytesKind, nil, 1, "bytes")
	}
	if recursive(t) {
		return c.refuse(t, path, "a type of slices or maps of itself has no schema: put a struct in between")
	}
	item := c.shape(t.Elem(), path+"[]", tag{})
	if item.least == 0 {
		return c.refuse(t, path, "its elements have nothing to encode, so that bytes cannot tell a plausible length")
	}
	return leaf(t, path, boxed, &sliceBox{t, item}, 1, object{"type": "array", "items": item.schema})
}

func (c *compiler) array(t reflect.Type, path string) *shape {
	if t.Len() == 0 {
		return c.refuse(t, path, "an array of no elements has nothing to encode")
	}
	if t.Elem().Kind() == reflect.Uint8 {
		if name, ok := c.named[t]; ok {
			return leaf(t, path, boxed, fixedBox(t.Len()), t.Len(), name)
		}
		name := c.name(t, "fixed_"+strconv.Itoa(t.Len()))
		return leaf(t, path, boxed, fixedBox(t.Len()), t.Len(), object{"type": "fixed", "name": name, "size": t.Len()})
	}
	item := c.shape(t.Elem(), path+"[]", tag{})
	if item.least == 0 {
		return c.refuse(t, path, "its elements have nothing to encode")
	}
	return leaf(t, path, boxed, &arrayBox{item, t.Len()}, 2+t.Len()*item.least, object{"type": "array", "items": item.schema})
}

func (c *compiler) mapping(t reflect.Type, path string) *shape {
	if recursive(t) {
		return c.refuse(t, path, "a type of slices or maps of itself has no schema: put a struct in between")
	}
	key, value := c.shape(t.Key(), path+"[key]", tag{}), c.shape(t.Elem(), path+"[]", tag{})
	if key.least+value.least == 0 {
		return c.refuse(t, path, "its entries have nothing to encode")
	}
	schema := object{"type": "map", "values": value.schema}
	if key.schema != "string" {
		schema = entries(c.name(t, path+"_entry"), key, value)
	}
	return leaf(t, path, boxed, &mapBox{typ: t, key: key, value: value}, 1, schema)
}

// entries is the schema of a map whose keys are no strings.
func entries(name string, key, value *shape) object {
	fields := []object{{"name": "key", "type": key.schema}, {"name": "value", "type": value.schema}}
	return object{"type": "array", "items": object{"type": "record", "name": name, "fields": fields}}
}

// recursive says whether a slice or map leads back to itself through slices, maps, arrays and pointers alone.
func recursive(t reflect.Type) bool {
	for e, n := t.Elem(), 0; n < maxDepth; n++ {
		if e == t {
			return true
		}
		switch e.Kind() {
		case reflect.Slice, reflect.Map, reflect.Array, reflect.Pointer:
			e = e.Elem()
		default:
			return false
		}
	}
	return true
}

func (c *compiler) pointer(t reflect.Type, path string, tag tag) *shape {
	if t.Elem().Kind() == reflect.Pointer {
		return c.refuse(t, path, "Avro has no pointer to a pointer")
	}
	to := c.shape(t.Elem(), path, tag)
	return leaf(t, path, boxed, &pointerBox{to}, 1, []any{"null", to.schema})
}

// library leaves a type to the Avro library.
func (c *compiler) library(t reflect.Type, path string, schema any, least int) *shape {
	text, err := json.Marshal(schema)
	if err != nil {
		return c.refuse(t, path, "%v", err)
	}
	s, err := avro.Parse(string(text))
	if err != nil {
		return c.refuse(t, path, "%v", err)
	}
	return leaf(t, path, boxed, &libraryBox{t, s}, least, schema)
}

// name finds a name for a type in the schema, which nothing else has.
func (c *compiler) name(t reflect.Type, otherwise string) string {
	base := sanitize(t.Name())
	if base == "" {
		base = sanitize(otherwise)
	}
	name := base
	for n := 2; c.names[name]; n++ {
		name = base + "_" + strconv.Itoa(n)
	}
	c.names[name], c.named[t] = true, name
	return name
}

// sanitize makes an Avro name of a Go one: those of instances of generic types have brackets and dots.
func sanitize(name string) string {
	name = strings.Map(func(r rune) rune {
		if r == '_' || r >= '0' && r <= '9' || r >= 'A' && r <= 'Z' || r >= 'a' && r <= 'z' {
			return r
		}
		return '_'
	}, name)
	if name != "" && name[0] >= '0' && name[0] <= '9' {
		return "_" + name
	}
	return name
}
