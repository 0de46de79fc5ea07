package resttest

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
)

// A shape is what a document is made of: kinds of values, members of objects, and the elements of arrays as one.
type shape struct {
	kinds   map[string]bool
	members map[string]*shape
	always  map[string]bool // members that every object here has
	element *shape
}

func shapeOf(data []byte) *shape {
	d := json.NewDecoder(strings.NewReader(string(data)))
	d.UseNumber()
	var v any
	s := &shape{kinds: map[string]bool{}}
	if err := d.Decode(&v); err != nil {
		s.kinds["no JSON"] = true
		return s
	}
	s.add(v)
	return s
}

func (s *shape) add(v any) {
	switch v := v.(type) {
	case nil:
		s.kinds["null"] = true
	case bool:
		s.kinds["boolean"] = true
	case string:
		s.kinds["string"] = true
	case json.Number:
		if strings.ContainsAny(v.String(), ".eE") {
			s.kinds["double"] = true
		} else {
			s.kinds["integer"] = true
		}
	case []any:
		s.kinds["array"] = true
		if s.element == nil {
			s.element = &shape{kinds: map[string]bool{}}
		}
		for _, e := range v {
			s.element.add(e)
		}
	case map[string]any:
		s.object(v)
	}
}

// object takes members whose names are ids as one.
func (s *shape) object(v map[string]any) {
	first := !s.kinds["object"]
	s.kinds["object"] = true
	if s.members == nil {
		s.members, s.always = map[string]*shape{}, map[string]bool{}
	}
	here := map[string]bool{}
	for name, e := range v {
		if len(name) == 32 {
			name = "ID"
		}
		here[name] = true
		if s.members[name] == nil {
			s.members[name] = &shape{kinds: map[string]bool{}}
			s.always[name] = first
		}
		s.members[name].add(e)
	}
	for name := range s.always {
		s.always[name] = s.always[name] && here[name]
	}
}

// differentShapes is what flott's answer lacks, or has of another kind. Members beyond Flink's are named too.
func differentShapes(at string, want, got *shape) (found []string) {
	for kind := range got.kinds {
		if len(want.kinds) > 0 && !want.kinds[kind] {
			found = append(found, fmt.Sprintf("%s is %s, want %s", at, kind, strings.Join(kindsOf(want), " or ")))
		}
	}
	if len(got.kinds) == 0 && len(want.kinds) > 0 && at != "" {
		return []string{fmt.Sprintf("%s is empty, want %s", at, strings.Join(kindsOf(want), " or "))}
	}
	for _, name := range slices.Sorted(maps.Keys(want.members)) {
		switch {
		case got.members[name] != nil:
			found = append(found, differentShapes(at+"."+name, want.members[name], got.members[name])...)
		case want.always[name] && got.kinds["object"]:
			found = append(found, fmt.Sprintf("%s.%s is missing", at, name))
		}
	}
	for _, name := range slices.Sorted(maps.Keys(got.members)) {
		if want.members[name] == nil && want.kinds["object"] {
			found = append(found, fmt.Sprintf("%s.%s is more", at, name))
		}
	}
	if want.element != nil && got.element != nil {
		found = append(found, differentShapes(at+"[]", want.element, got.element)...)
	}
	return found
}

func kindsOf(s *shape) (all []string) {
	for kind := range s.kinds {
		all = append(all, kind)
	}
	slices.Sort(all)
	return all
}
