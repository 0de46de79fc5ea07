package file

import (
	"encoding"
	"errors"
	"fmt"
	"reflect"
	"strconv"
	"strings"
	"time"
)

// A csvField is a field of the struct that records are read into.
type csvField struct {
	name     string // of the column
	exact    bool   // the name comes from a tag
	index    []int  // see reflect.Value.FieldByIndex
	optional bool
	set      setter
}

// A setter sets a field from the text of a value.
type setter func(field reflect.Value, text string) error

// csvFields returns the fields of a struct type, with those of embedded structs, or all that is wrong with it.
func csvFields(t reflect.Type) ([]csvField, []error) {
	if t.Kind() != reflect.Struct {
		return nil, []error{fmt.Errorf("CSV is read into a struct with a field per column; %v is none", t)}
	}
	var fields []csvField
	var errs []error
	for _, f := range reflect.VisibleFields(t) {
		name, tagged := f.Tag.Lookup("csv")
		set := setterOf(f.Type)
		switch {
		case f.Anonymous && f.Type.Kind() == reflect.Pointer:
			errs = append(errs, fmt.Errorf("field %s of %v: CSV cannot be read into an embedded pointer", f.Name, t))
			continue
		case !f.IsExported(), name == "-", f.Anonymous && set == nil && f.Type.Kind() == reflect.Struct:
			continue // the fields of embedded structs come by themselves
		case set == nil:
			errs = append(errs, fmt.Errorf("field %s of %v: CSV cannot be read into a %v; tag it `csv:\"-\"` to leave it out", f.Name, t, f.Type))
			continue
		case !tagged:
			name = f.Name
		}
		fields = append(fields, csvField{
			name: name, exact: tagged, index: f.Index, optional: f.Type.Kind() == reflect.Pointer, set: set,
		})
	}
	if len(fields) == 0 && len(errs) == 0 {
		errs = append(errs, fmt.Errorf("CSV is read into a struct with a field per column; %v has no exported field", t))
	}
	return fields, errs
}

// A csvColumn takes the values of a column to a field.
type csvColumn struct {
	csvField
	at int // index in the record
}

// csvColumns finds the column of each field in a header, and says of every field whose column it does not find what is wrong.
func csvColumns(fields []csvField, header []string) (columns []csvColumn, wrong []string) {
	for _, f := range fields {
		switch found := f.find(header); {
		case len(found) == 1:
			columns = append(columns, csvColumn{f, found[0]})
		case len(found) > 1:
			wrong = append(wrong, fmt.Sprintf("column %q %d times", f.name, len(found)))
		case !f.optional:
			wrong = append(wrong, fmt.Sprintf("no column %q (a pointer field may be without one)", f.name))
		}
	}
	return columns, wrong
}

func (f csvField) find(header []string) (at []int) {
	for i, name := range header {
		name = strings.TrimSpace(name)
		if name == f.name || !f.exact && strings.EqualFold(name, f.name) {
			at = append(at, i)
		}
	}
	return at
}

var errEmpty = errors.New("the value is empty; a pointer field would take that as nil")

// setterOf returns the setter of fields of type t, or nil where CSV has no form for it.
func setterOf(t reflect.Type) setter {
	switch {
	case t.Kind() == reflect.Pointer:
		return optional(t.Elem())
	case reflect.PointerTo(t).Implements(reflect.TypeFor[encoding.TextUnmarshaler]()):
		return notEmpty(func(f reflect.Value, text string) error {
			return f.Addr().Interface().(encoding.TextUnmarshaler).UnmarshalText([]byte(text))
		})
	case t == reflect.TypeFor[time.Duration]():
		return parsed(t, time.ParseDuration, func(f reflect.Value, d time.Duration) { f.SetInt(int64(d)) })
	}
	switch t.Kind() {
	case reflect.String:
		return func(f reflect.Value, text string) error {
			f.SetString(text)
			return nil
		}
	case reflect.Bool:
		return parsed(t, strconv.ParseBool, reflect.Value.SetBool)
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		parse := func(text string) (int64, error) { return strconv.ParseInt(text, 10, t.Bits()) }
		return parsed(t, parse, reflect.Value.SetInt)
	case reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64:
		parse := func(text string) (uint64, error) { return strconv.ParseUint(text, 10, t.Bits()) }
		return parsed(t, parse, reflect.Value.SetUint)
	case reflect.Float32, reflect.Float64:
		parse := func(text string) (float64, error) { return strconv.ParseFloat(text, t.Bits()) }
		return parsed(t, parse, reflect.Value.SetFloat)
	}
	return nil
}

// optional leaves a pointer nil where there is no value.
func optional(elem reflect.Type) setter {
	set := setterOf(elem)
	if set == nil || elem.Kind() == reflect.Pointer {
		return nil
	}
	return func(f reflect.Value, text string) error {
		if text == "" {
			return nil
		}
		f.Set(reflect.New(elem))
		return set(f.Elem(), text)
	}
}

func notEmpty(set setter) setter {
	return func(f reflect.Value, text string) error {
		if text == "" {
			return errEmpty
		}
		return set(f, text)
	}
}

// parsed sets what parse makes of the text.
func parsed[V any](t reflect.Type, parse func(string) (V, error), set func(reflect.Value, V)) setter {
	return notEmpty(func(f reflect.Value, text string) error {
		v, err := parse(text)
		switch {
		case err == nil:
			set(f, v)
			return nil
		case errors.Is(err, strconv.ErrRange):
			return fmt.Errorf("%q is out of the range of %v", text, t)
		}
		return fmt.Errorf("%q is no %v", text, t)
	})
}
