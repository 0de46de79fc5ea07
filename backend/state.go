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
	if s.Kind == KindMap {
		return fmt.Sprintf("map %q of %v to %v", s.Name, s.MapKey, s.Value)
	}
	return fmt.Sprintf("%v %q of %v", s.Kind, s.Name, s.Value)
}

// Kind is the shape of a state, and so of its store.
type Kind int

const (
	KindValue   Kind = iota // one value per key: a state.ValueStore
	KindList                // a list per key: a state.ListStore
	KindMap                 // a map per key: a state.MapStore
	KindTable               // one value per key, of an operator: a Table
	KindWindows             // one value per key and window, of an operator: Windows
)

// String is the kind's name in lower case.
func (k Kind) String() string {
	return [...]string{"value", "list", "map", "table", "windows"}[k]
}
