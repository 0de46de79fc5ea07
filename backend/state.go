package backend

import (
	"fmt"
	"reflect"
)

// A State is what a function declared.
type State struct {
	Name          string
	Kind          Kind
	Key           reflect.Type
	MapKey, Value reflect.Type // MapKey only of a Map
}

// String is the state as one would declare it: "list names of string".
func (s State) String() string {
	if s.Kind == Map {
		return fmt.Sprintf("map %q of %v to %v", s.Name, s.MapKey, s.Value)
	}
	return fmt.Sprintf("%v %q of %v", s.Kind, s.Name, s.Value)
}

// Kind is the shape of a state.
type Kind int

const (
	Value Kind = iota // one value per key
	List              // a list per key
	Map               // a map per key
)

// String is the kind's name in lower case.
func (k Kind) String() string { return [...]string{"value", "list", "map"}[k] }
