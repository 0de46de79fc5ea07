package rest

import (
	"encoding"
	"encoding/json"
	"net/http"
	"reflect"
	"strconv"
	"strings"
)

// An object is a JSON object of a document that is made once and read by machines.
type object = map[string]any

// OpenAPI is the table as an OpenAPI 3.1 document. Schemas are made from the structs of the answers.
func OpenAPI(version string) map[string]any {
	d := &schemas{all: object{}}
	paths := object{}
	for _, e := range endpoints {
		if e.Path == anyFile {
			continue
		}
		at := parameter.ReplaceAllString(e.Path, "{$1}")
		item, _ := paths[at].(object)
		if item == nil {
			item = object{}
			paths[at] = item
		}
		item[strings.ToLower(e.Method)] = d.operation(e)
	}
	return object{
		"openapi":    "3.1.0",
		"info":       object{"title": "flott", "version": version, "description": "Flink's REST API as flott serves it. Every path stands below /v1, too."},
		"paths":      paths,
		"components": object{"schemas": d.all},
	}
}

// schemas are those of named structs.
type schemas struct{ all object }

func (d *schemas) operation(e *endpoint) object {
	o := object{"summary": e.About, "responses": object{strconv.Itoa(e.Status): d.response(e)}, "x-flott": string(e.Fate)}
	if e.Why != "" {
		o["description"] = e.Why
	}
	if e.Fate != absent {
		o["responses"].(object)["default"] = object{"description": "An error.", "content": d.content("application/json", reflect.TypeFor[errorBody]())}
	}
	var parameters []any
	for _, name := range e.parameters() {
		parameters = append(parameters, object{"name": name, "in": "path", "required": true, "schema": object{"type": "string"}})
	}
	for _, name := range e.Query {
		parameters = append(parameters, object{"name": name, "in": "query", "schema": object{"type": "string"}})
	}
	if parameters != nil {
		o["parameters"] = parameters
	}
	if e.Request != nil {
		o["requestBody"] = object{"content": d.content("application/json", e.Request)}
	}
	return o
}

func (d *schemas) response(e *endpoint) object {
	r := object{"description": http.StatusText(e.Status)}
	switch {
	case e.Answer != nil:
		r["content"] = d.content("application/json", e.Answer)
	case e.Media != "":
		r["content"] = object{e.Media: object{"schema": object{"type": "string"}}}
	}
	return r
}

func (d *schemas) content(media string, t reflect.Type) object {
	return object{media: object{"schema": d.of(t)}}
}

// of is the schema of a type.
func (d *schemas) of(t reflect.Type) object {
	switch t {
	case reflect.TypeFor[double]():
		return object{"type": []any{"number", "string"}, "description": `A number; "NaN" where JSON has none.`}
	case reflect.TypeFor[json.RawMessage]():
		return object{}
	case reflect.TypeFor[curve]():
		return object{"type": "array", "items": object{"type": []any{"number", "null"}}}
	case reflect.TypeFor[metricAggregate]():
		return aggregateSchema()
	}
	if t.Implements(reflect.TypeFor[encoding.TextMarshaler]()) {
		return object{"type": "string"}
	}
	switch t.Kind() {
	case reflect.Pointer:
		return object{"anyOf": []any{d.of(t.Elem()), object{"type": "null"}}}
	case reflect.Slice:
		return object{"type": "array", "items": d.of(t.Elem())}
	case reflect.Array:
		return object{"type": "array", "items": d.of(t.Elem()), "minItems": t.Len(), "maxItems": t.Len()}
	case reflect.Map:
		return object{"type": "object", "additionalProperties": d.of(t.Elem())}
	case reflect.Struct:
		return d.named(t)
	case reflect.Bool:
		return object{"type": "boolean"}
	case reflect.String:
		return object{"type": "string"}
	case reflect.Float32, reflect.Float64:
		return object{"type": "number"}
	case reflect.Interface:
		return object{}
	default:
		return object{"type": "integer", "format": "int64"}
	}
}

func aggregateSchema() object {
	properties := object{"id": object{"type": "string"}}
	for _, a := range aggregations {
		properties[a.name] = object{"type": "number"}
	}
	return object{"type": "object", "properties": properties, "required": []any{"id"}}
}

// named is a reference to the schema of a struct, which is made when it is met first: a struct may have itself inside.
func (d *schemas) named(t reflect.Type) object {
	name := nameOf(t)
	if _, ok := d.all[name]; !ok {
		d.all[name] = object{}
		properties, required := object{}, []any{}
		d.fields(t, properties, &required)
		d.all[name] = object{"type": "object", "properties": properties, "required": required}
	}
	return object{"$ref": "#/components/schemas/" + name}
}

func (d *schemas) fields(t reflect.Type, properties object, required *[]any) {
	for i := range t.NumField() {
		f := t.Field(i)
		tag, ok := f.Tag.Lookup("json")
		switch {
		case f.Anonymous && !ok:
			d.fields(f.Type, properties, required)
		case ok:
			name, options, _ := strings.Cut(tag, ",")
			properties[name] = d.of(f.Type)
			if options == "" {
				*required = append(*required, name)
			}
		}
	}
}
