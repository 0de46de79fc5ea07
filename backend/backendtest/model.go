package backendtest

import (
	"maps"
	"slices"
	"testing"

	"github.com/flott-dev/flott/backend"
	"github.com/flott-dev/flott/state"
	"pgregory.net/rapid"
)

// A machine is an operator with three states, and the Go maps that they must equal.
type machine struct {
	operator[int64]
	value state.Value[string]
	list  state.List[int]
	table state.Map[string, int]

	values map[int64]string
	lists  map[int64][]int
	tables map[int64]map[string]int
}

// model runs random operations on random keys, and compares.
func model(t *testing.T, open func() backend.Backend) {
	rapid.Check(t, func(t *rapid.T) {
		o := newOperator[int64](open())
		m := &machine{
			operator: o,
			value:    state.NewValue(o.Value[string]("value")),
			list:     state.NewList(o.List[int]("list")),
			table:    state.NewMap(o.Map[string, int]("table")),
			values:   map[int64]string{}, lists: map[int64][]int{}, tables: map[int64]map[string]int{},
		}
		many := rapid.SampledFrom([]int64{1, 10, 1000}).Draw(t, "keys")
		t.Repeat(map[string]func(*rapid.T){
			"":       func(t *rapid.T) { m.compare(t) },
			"value":  func(t *rapid.T) { m.changeValue(t, m.turn(t, many)) },
			"list":   func(t *rapid.T) { m.changeList(t, m.turn(t, many)) },
			"map":    func(t *rapid.T) { m.changeMap(t, m.turn(t, many)) },
			"flood":  func(t *rapid.T) { m.flood(t) },
			"desert": func(*rapid.T) { m.desert() },
		})
	})
}

// turn makes a random key the one at work.
func (m *machine) turn(t *rapid.T, many int64) int64 {
	k := rapid.Int64Range(0, many-1).Draw(t, "key")
	m.at(k)
	return k
}

// compare looks at the key at work.
func (m *machine) compare(t *rapid.T) {
	k := m.Key.K
	if got, ok := m.value.Get(); got != m.values[k] || ok != (m.values[k] != "") {
		t.Fatalf("value of %d is %q, %v, want %q", k, got, ok, m.values[k])
	}
	if got := slices.Collect(m.list.All()); !slices.Equal(got, m.lists[k]) {
		t.Fatalf("list of %d is %v, want %v", k, got, m.lists[k])
	}
	if got := maps.Collect(m.table.All()); !maps.Equal(got, m.tables[k]) {
		t.Fatalf("map of %d is %v, want %v", k, got, m.tables[k])
	}
}

func (m *machine) changeValue(t *rapid.T, k int64) {
	v := rapid.SampledFrom([]string{"", "a", "b"}).Draw(t, "value")
	if v == "" {
		m.value.Clear()
		delete(m.values, k)
		return
	}
	m.value.Set(v)
	m.values[k] = v
}

func (m *machine) changeList(t *rapid.T, k int64) {
	add := rapid.SliceOfN(rapid.Int(), 0, 3).Draw(t, "add")
	if len(add) == 0 {
		m.list.Clear()
		delete(m.lists, k)
		return
	}
	m.list.Add(add...)
	m.lists[k] = append(m.lists[k], add...)
}

func (m *machine) changeMap(t *rapid.T, k int64) {
	at := rapid.SampledFrom([]string{"", "a", "b", "c"}).Draw(t, "at")
	switch v := rapid.IntRange(0, 3).Draw(t, "map value"); {
	case at == "":
		m.table.Clear()
		delete(m.tables, k)
	case v == 0:
		m.table.Delete(at)
		delete(m.tables[k], at)
	default:
		if m.tables[k] == nil {
			m.tables[k] = map[string]int{}
		}
		m.table.Set(at, v)
		m.tables[k][at] = v
	}
}

// flood gives many keys a value.
func (m *machine) flood(t *rapid.T) {
	for k := range int64(1000) {
		m.at(k)
		m.value.Set("flooded")
		m.values[k] = "flooded"
	}
	m.compare(t)
}

// desert takes all keys' values away.
func (m *machine) desert() {
	for k := range maps.Keys(m.values) {
		m.at(k)
		m.value.Clear()
	}
	clear(m.values)
}
