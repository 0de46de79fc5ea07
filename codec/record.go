package codec

import (
	"fmt"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"unsafe"
)

// manySteps is when a struct that is met again is called instead of flattened, so that steps do not double with each level.
const manySteps = 64

// record compiles a struct. The schema defines it where it is met first, and names it elsewhere.
func (c *compiler) record(t reflect.Type, path string) *shape {
	if r, ok := c.records[t]; ok {
		if r.open || len(r.shape.steps) > manySteps {
			return r.call(path, c.named[t])
		}
		return r.again(path, c.named[t])
	}
	r := &record{shape: &shape{typ: t}, path: path, open: true}
	c.records[t] = r
	c.fill(r)
	r.close()
	return r.shape
}

// A record is a struct that was met at a path. While it is open, what leads back to it makes it recursive.
type record struct {
	shape *shape
	path  string
	open  bool
	calls []*shape // that were made while it is open, when how few bytes it takes is not known yet
}

// call is the same record at another path, as a box.
func (r *record) call(path, name string) *shape {
	s := leaf(r.shape.typ, path, boxed, &recordBox{r.shape}, max(r.shape.least, 1), name)
	if r.open {
		r.calls = append(r.calls, s)
	}
	return s
}

// close tells the calls how few bytes the record takes, so that bytes cannot promise more of them than there can be.
func (r *record) close() {
	r.open = false
	for _, s := range r.calls {
		s.least = max(r.shape.least, 1)
	}
}

// again is the same record at another path.
func (r *record) again(path, name string) *shape {
	s := *r.shape
	s.schema, s.steps = name, slices.Clone(s.steps)
	for i := range s.steps {
		s.steps[i].path = path + strings.TrimPrefix(s.steps[i].path, r.path)
	}
	return &s
}

func (c *compiler) fill(r *record) {
	s, t := r.shape, r.shape.typ
	name := c.name(t, r.path)
	f := &fields{compiler: c, record: s, path: r.path, seen: map[string]string{}}
	f.add(t, 0)
	if f.hidden > 0 && len(f.schemas) == 0 {
		c.refuse(t, r.path, "all its fields are unexported: give it a codec (flott.Codec)")
	}
	s.schema = object{"type": "record", "name": name, "fields": append([]object{}, f.schemas...)}
}

// A recordBox leads to a shape that may be open still.
type recordBox struct{ shape *shape }

func (b *recordBox) append(dst []byte, p unsafe.Pointer, depth int) ([]byte, error) {
	return b.shape.append(dst, p, depth)
}

func (b *recordBox) read(in []byte, p unsafe.Pointer, a *arena, depth int) ([]byte, error) {
	return b.shape.read(in, p, a, depth)
}

// fields gathers the fields of a record, also those of embedded structs.
type fields struct {
	*compiler
	record  *shape
	path    string
	seen    map[string]string // by Avro name, the Go field
	schemas []object
	hidden  int // unexported ones, which are left out
}

func (f *fields) add(t reflect.Type, offset uintptr) {
	for i := range t.NumField() {
		field := t.Field(i)
		tag, err := parseTag(field.Tag.Get("avro"))
		switch {
		case err != nil:
			f.refuse(field.Type, f.path+"."+field.Name, "%v", err)
		case tag.skip || field.Name == "_":
		case f.inlined(field, tag):
			f.add(field.Type, offset+field.Offset)
		case !field.IsExported():
			f.hide(field)
		default:
			f.field(field, tag, offset+field.Offset)
		}
	}
}

// inlined says whether the fields of a field count as those of the record: structs that are embedded without a name, or tagged so.
func (f *fields) inlined(field reflect.StructField, tag tag) bool {
	if field.Type.Kind() != reflect.Struct || !field.Anonymous && !tag.inline || tag.name != "" || tag.logical != "" {
		return false
	}
	_, custom := f.set.of(field.Type)
	return !custom && field.Type != timeType && !reflect.PointerTo(field.Type).Implements(parseType) &&
		!reflect.PointerTo(field.Type).Implements(messageType)
}

// hide leaves an unexported field out, and says so.
func (f *fields) hide(field reflect.StructField) {
	reason := fmt.Sprintf("it is unexported and would be lost: export it, tag it `avro:\"-\"` to leave it out on purpose, "+
		"or give %s a codec (flott.Codec)", f.record.typ)
	f.hidden++
	f.leftOut = append(f.leftOut, Problem{f.path + "." + field.Name, field.Type, reason})
}

func (f *fields) field(field reflect.StructField, tag tag, offset uintptr) {
	path := f.path + "." + field.Name
	name := tag.name
	if name == "" {
		name = field.Name
	}
	if other, ok := f.seen[name]; ok {
		f.refuse(field.Type, path, "its name %q is that of %s too: name one by a tag (`avro:\"name\"`)", name, other)
		return
	}
	f.seen[name] = field.Name
	s := f.shape(field.Type, path, tag)
	f.record.least += s.least
	for _, t := range s.steps {
		t.offset += offset
		f.record.steps = append(f.record.steps, t)
	}
	schema := object{"name": name, "type": s.schema}
	if len(tag.aliases) > 0 {
		schema["aliases"] = tag.aliases
	}
	if field.Type.Kind() == reflect.Pointer {
		schema["default"] = nil
	}
	f.schemas = append(f.schemas, schema)
}

// A tag is what `avro:"name,option,..."` says of a field, in the words of github.com/twmb/avro.
type tag struct {
	name             string
	skip, inline     bool
	logical          string
	precision, scale int
	aliases          []string
}

func parseTag(text string) (tag, error) {
	if text == "-" {
		return tag{skip: true}, nil
	}
	name, options, _ := strings.Cut(text, ",")
	t := tag{name: name}
	for options != "" {
		var option string
		option, options = cutOption(options)
		if err := t.option(option); err != nil {
			return t, err
		}
	}
	return t, nil
}

// cutOption cuts at the first comma outside of brackets.
func cutOption(s string) (option, rest string) {
	depth := 0
	for i, r := range s {
		switch {
		case r == '(' || r == '[':
			depth++
		case r == ')' || r == ']':
			depth--
		case r == ',' && depth == 0:
			return s[:i], s[i+1:]
		}
	}
	return s, ""
}

func (t *tag) option(o string) error {
	alias, isAlias := strings.CutPrefix(o, "alias=")
	digits, isDecimal := strings.CutPrefix(o, "decimal(")
	switch {
	case o == "inline":
		t.inline = true
	case isAlias:
		t.aliases = append(t.aliases, strings.Split(strings.Trim(alias, "[]"), ",")...)
	case isDecimal:
		return t.decimal(strings.TrimSuffix(digits, ")"))
	case o == "uuid" || wireOf[o] != "":
		t.logical = o
	default:
		return fmt.Errorf("the tag's option %q is none that flott has", o)
	}
	return nil
}

func (t *tag) decimal(digits string) (err error) {
	precision, scale, _ := strings.Cut(digits, ",")
	t.logical = "decimal"
	if t.precision, err = strconv.Atoi(precision); err != nil {
		return fmt.Errorf("decimal(%s): it must be decimal(precision,scale)", digits)
	}
	if t.scale, err = strconv.Atoi(scale); err != nil {
		return fmt.Errorf("decimal(%s): it must be decimal(precision,scale)", digits)
	}
	return nil
}

var wireOf = map[string]string{
	"timestamp-millis": "long", "timestamp-micros": "long", "timestamp-nanos": "long",
	"local-timestamp-millis": "long", "local-timestamp-micros": "long", "local-timestamp-nanos": "long",
	"time-micros": "long", "time-millis": "int", "date": "int",
}

var timeKinds = map[string]kind{"": nanosKind, "timestamp-nanos": nanosKind, "timestamp-micros": microsKind, "timestamp-millis": millisKind}

// logical compiles what a tag gave a meaning to, and times.
func (c *compiler) logical(t reflect.Type, path string, tag tag) *shape {
	if k, ok := timeKinds[tag.logical]; ok && t == timeType {
		if tag.logical == "" {
			tag.logical = "timestamp-nanos"
		}
		return leaf(t, path, k, nil, 1, object{"type": "long", "logicalType": tag.logical})
	}
	s := c.logicalByLibrary(t, path, tag)
	if b, ok := s.steps[0].box.(*libraryBox); ok {
		// What the library does not do for this type it says when it writes a value.
		if _, err := b.schema.AppendEncode(nil, reflect.New(t).Interface()); err != nil {
			return c.refuse(t, path, "%v", err)
		}
	}
	return s
}

func (c *compiler) logicalByLibrary(t reflect.Type, path string, tag tag) *shape {
	switch {
	case tag.logical == "decimal":
		return c.library(t, path, object{"type": "bytes", "logicalType": "decimal", "precision": tag.precision, "scale": tag.scale}, 1)
	case tag.logical == "uuid" && t.Kind() == reflect.Array:
		fixed := object{"type": "fixed", "name": c.name(t, "uuid"), "size": 16, "logicalType": "uuid"}
		return c.library(t, path, fixed, 16)
	case tag.logical == "uuid":
		return c.library(t, path, object{"type": "string", "logicalType": "uuid"}, 1)
	}
	return c.library(t, path, object{"type": wireOf[tag.logical], "logicalType": tag.logical}, 1)
}
