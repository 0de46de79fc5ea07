// Package backendtest is the suite that every state backend must pass.
//
//	func TestBackend(t *testing.T) {
//		backendtest.Run(t, func() backend.Backend { return mine.New(t.TempDir()) })
//	}
package backendtest

import (
	"maps"
	"slices"
	"testing"

	"github.com/flott-dev/flott/backend"
	"github.com/flott-dev/flott/internal/data/keyed"
	"github.com/flott-dev/flott/internal/id"
	"github.com/flott-dev/flott/state"
)

// Run checks that backends made by open keep state as package state promises.
func Run(t *testing.T, open func() backend.Backend) {
	for name, test := range map[string]func(*testing.T, backend.Backend){
		"Value": value, "Ref": ref, "List": list, "Map": mapState, "Range": rangeWhileChanging,
		"Keys": keys, "States": states, "Len": length, "Types": types,
		"Table": table, "Windows": windows,
	} {
		t.Run(name, func(t *testing.T) { test(t, open()) })
	}
	t.Run("Model", func(t *testing.T) { model(t, open) })
}

const maxParallelism = 128

// An operator is the states of one, for all key groups.
type operator[K comparable] struct {
	*keyed.States[K]
	hash   func(K) uint64
	groups id.KeyGroups
}

func newOperator[K comparable](b backend.Backend) operator[K] {
	hash, err := id.HashOf[K]()
	if err != nil {
		panic(err)
	}
	all := id.KeyGroupRange{First: 0, Last: maxParallelism - 1}
	return operator[K]{keyed.NewStates[K](b, all, maxParallelism), hash, id.KeyGroupsOf(maxParallelism)}
}

// at makes k the key at work.
func (o operator[K]) at(k K) { o.Key.K, o.Key.Place = k, o.groups.Place(o.hash(k)) }

func check[V comparable](t *testing.T, what string, got V, ok bool, want V, wantOK bool) {
	t.Helper()
	if got != want || ok != wantOK {
		t.Errorf("%s: %v, %v, want %v, %v", what, got, ok, want, wantOK)
	}
}

func value(t *testing.T, b backend.Backend) {
	o := newOperator[string](b)
	v := state.NewValue(o.Value[int]("n"))
	o.at("a")
	got, ok := v.Get()
	check(t, "before anything is set", got, ok, 0, false)
	v.Clear()
	v.Set(1)
	got, ok = v.Get()
	check(t, "after Set(1)", got, ok, 1, true)
	v.Set(0)
	got, ok = v.Get()
	check(t, "after Set(0)", got, ok, 0, true)
	o.at("b")
	got, ok = v.Get()
	check(t, "of another key", got, ok, 0, false)
	v.Set(2)
	o.at("a")
	v.Clear()
	got, ok = v.Get()
	check(t, "after Clear", got, ok, 0, false)
	o.at("b")
	got, ok = v.Get()
	check(t, "of another key after Clear", got, ok, 2, true)
}

func ref(t *testing.T, b backend.Backend) {
	o := newOperator[int64](b)
	v := o.Value[[2]int]("n")
	for range 3 {
		for k := range int64(1000) {
			o.at(k)
			r, _ := v.Ref()
			r[1] += int(k)
		}
	}
	for k := range int64(1000) {
		o.at(k)
		got, ok := v.Get()
		check(t, "what was written through pointers", got, ok, [2]int{0, 3 * int(k)}, true)
		r, found := v.Ref()
		check(t, "the value in place", *r, found, got, true)
	}
	o.at(-1)
	r, found := v.Ref()
	check(t, "a new value in place", *r, found, [2]int{}, false)
	_, ok := v.Get()
	check(t, "a value that was made in place", [2]int{}, ok, [2]int{}, true)
}

func list(t *testing.T, b backend.Backend) {
	o := newOperator[string](b)
	l := state.NewList(o.List[string]("words"))
	expect := func(what string, want ...string) {
		t.Helper()
		if got := slices.Collect(l.All()); !slices.Equal(got, want) {
			t.Errorf("%s: %q, want %q", what, got, want)
		}
	}
	o.at("a")
	expect("before anything is added")
	l.Add()
	expect("after nothing was added")
	l.Add("x", "y")
	l.Add("x")
	o.at("b")
	expect("of another key")
	l.Add("z")
	o.at("a")
	expect("after additions", "x", "y", "x")
	l.Clear()
	expect("after Clear")
	l.Add("w")
	expect("anew", "w")
	o.at("b")
	expect("of another key after Clear", "z")
}

func mapState(t *testing.T, b backend.Backend) {
	o := newOperator[string](b)
	m := state.NewMap(o.Map[int, string]("names"))
	expect := func(what string, want map[int]string) {
		t.Helper()
		if got := maps.Collect(m.All()); !maps.Equal(got, want) {
			t.Errorf("%s: %v, want %v", what, got, want)
		}
	}
	o.at("a")
	m.Delete(1)
	expect("before anything is set", nil)
	m.Set(1, "one")
	m.Set(2, "two")
	m.Set(1, "ONE")
	got, ok := m.Get(1)
	check(t, "after Set", got, ok, "ONE", true)
	got, ok = m.Get(3)
	check(t, "of what was never set", got, ok, "", false)
	o.at("b")
	expect("of another key", nil)
	m.Set(2, "zwei")
	o.at("a")
	expect("after Set", map[int]string{1: "ONE", 2: "two"})
	m.Delete(1)
	expect("after Delete", map[int]string{2: "two"})
	m.Delete(2)
	expect("after all was deleted", nil)
	m.Set(5, "five")
	m.Clear()
	expect("after Clear", nil)
	o.at("b")
	expect("of another key after Clear", map[int]string{2: "zwei"})
}

// rangeWhileChanging changes what it ranges over, as package state allows.
func rangeWhileChanging(t *testing.T, b backend.Backend) {
	o := newOperator[string](b)
	l, m := state.NewList(o.List[int]("l")), state.NewMap(o.Map[int, int]("m"))
	o.at("a")
	l.Add(1, 2, 3)
	var got []int
	for v := range l.All() {
		got = append(got, v)
		if v == 1 {
			l.Add(4)
			l.Clear()
			l.Add(5, 6, 7)
		}
	}
	if !slices.Equal(got, []int{1, 2, 3}) {
		t.Errorf("a list that changed meanwhile: %v, want the old one", got)
	}
	for i := range 100 {
		m.Set(i, i)
	}
	came := map[int]bool{}
	for k := range m.All() {
		if came[k] {
			t.Errorf("%d comes twice", k)
		}
		came[k] = true
		m.Set(k, -1)
		m.Delete(k ^ 1)
		if k%10 == 0 {
			m.Set(1000+k, 0)
		}
		if came[k^1] && k < 100 {
			t.Errorf("%d comes though it was deleted before", k)
		}
	}
	for range m.All() {
		m.Clear()
	}
	if got := maps.Collect(m.All()); len(got) > 0 {
		t.Errorf("after Clear in a range: %v", got)
	}
}

func keys(t *testing.T, b backend.Backend) {
	type point struct {
		X, Y int32
		Name string
	}
	o := newOperator[point](b)
	v := o.Value[string]("v")
	o.at(point{1, 2, "a"})
	v.Set("here")
	for _, other := range []point{{2, 1, "a"}, {1, 2, "b"}, {}} {
		o.at(other)
		got, ok := v.Get()
		check(t, "of a similar key", got, ok, "", false)
	}
	o.at(point{1, 2, "a"})
	got, ok := v.Get()
	check(t, "of an equal key", got, ok, "here", true)

	// Different keys may share a place: windows of one key do not, but hashes may collide.
	one := keyed.NewStates[int](b, id.KeyGroupRange{}, 1)
	n := one.Value[int]("same place")
	for k := range 1000 {
		one.Key.K = k
		n.Set(k)
	}
	for k := range 1000 {
		one.Key.K = k
		got, ok := n.Get()
		check(t, "of a key that shares its place", got, ok, k, true)
	}
}

func states(t *testing.T, b backend.Backend) {
	o := newOperator[int64](b)
	x, y := o.Value[int]("x"), o.Value[int]("y")
	o.at(1)
	x.Set(1)
	got, ok := y.Get()
	check(t, "of another state", got, ok, 0, false)
	if err := o.Seal(); err == nil {
		t.Error("no complaint about a state that was written before the first record")
	}
}

func length(t *testing.T, b backend.Backend) {
	o := newOperator[int64](b)
	v, l, m := o.Value[int]("v"), o.List[int]("l"), o.Map[int, int]("m")
	expect := func(want int) {
		t.Helper()
		for _, s := range []any{v, l, m} {
			if got := s.(backend.Store).Len(); got != want {
				t.Errorf("%T of %d keys, want %d", s, got, want)
			}
		}
	}
	expect(0)
	for _, k := range []int64{1, 2, 2, 3} {
		o.at(k)
		v.Set(0)
		l.Add(0)
		m.Set(0, 0)
	}
	expect(3)
	o.at(2)
	v.Clear()
	l.Clear()
	m.Delete(0)
	expect(2)
	m.Get(0)
	l.Values()
	v.Get()
	expect(2)
}

// types keeps values of several kinds.
func types(t *testing.T, b backend.Backend) {
	type tree struct {
		Name     string
		Children []*tree
		Tags     map[string]int
	}
	o := newOperator[string](b)
	v := o.Value[tree]("tree")
	flag := o.Value[struct{}]("flag")
	o.at("a")
	v.Set(tree{"root", []*tree{{Name: "leaf"}}, map[string]int{"x": 1}})
	flag.Set(struct{}{})
	o.at("b")
	v.Set(tree{})
	o.at("a")
	got, _ := v.Get()
	if got.Name != "root" || len(got.Children) != 1 || got.Children[0].Name != "leaf" || got.Tags["x"] != 1 {
		t.Errorf("a tree came back as %+v", got)
	}
	_, ok := flag.Get()
	check(t, "a value without size", struct{}{}, ok, struct{}{}, true)
}

// count counts words, a batch at a time, in a table.
func (o operator[K]) count(t backend.Table[K, int], words ...K) (news int) {
	places := make([]uint64, len(words))
	for i, w := range words {
		places[i] = o.groups.Place(o.hash(w))
	}
	t.Update(places, words, func(_ int, n *int, found bool) bool {
		if !found {
			news++
		}
		*n++
		return true
	})
	return news
}

func scan[K comparable](t backend.Table[K, int]) map[K]int {
	all := map[K]int{}
	for s := t.Scan(); ; {
		k, n, ok := s.Next()
		if !ok {
			return all
		}
		all[k] += *n
	}
}

func table(t *testing.T, b backend.Backend) {
	o := newOperator[int](b)
	n := o.Table[int]("n")
	if got := scan(n); len(got) > 0 {
		t.Errorf("an empty table has %v", got)
	}
	want := map[int]int{}
	var words []int
	for i := range 10_000 {
		w := i * i % 4999
		words = append(words, w)
		want[w]++
	}
	if news := o.count(n, words...); news != len(want) {
		t.Errorf("%d new keys, want %d", news, len(want))
	}
	if got := scan(n); !maps.Equal(got, want) || n.Len() != len(want) {
		t.Errorf("%d keys, %d in the scan, want %d, or other counts", n.Len(), len(got), len(want))
	}
	if news := o.count(n, words[:10]...); news != 0 {
		t.Errorf("%d keys are new again", news)
	}
	o.count(n)
	for s := n.Scan(); ; { // changes in place
		_, v, ok := s.Next()
		if !ok {
			break
		}
		*v = 1
	}
	for w, c := range scan(n) {
		if c != 1 {
			t.Fatalf("%d is %d after a scan wrote 1", w, c)
		}
	}
}

func windows(t *testing.T, b backend.Backend) {
	o := newOperator[string](b)
	w := o.Windows[int]("w")
	expect := func(start int64, want map[string]int) {
		t.Helper()
		if got := scan(w.Window(start)); !maps.Equal(got, want) {
			t.Errorf("window %d has %v, want %v", start, got, want)
		}
	}
	o.count(w.Window(-10), "a", "b", "a")
	o.count(w.Window(0), "a")
	o.count(w.Window(-10), "c")
	expect(-10, map[string]int{"a": 2, "b": 1, "c": 1})
	expect(0, map[string]int{"a": 1})
	if w.Len() != 4 {
		t.Errorf("%d panes, want 4", w.Len())
	}
	w.Drop(-10)
	w.Drop(1 << 40)
	expect(-10, nil)
	expect(0, map[string]int{"a": 1})
	for i := range int64(100) {
		o.count(w.Window(i), "x")
		w.Drop(i)
		expect(i, nil)
	}
	if w.Len() != 0 {
		t.Errorf("%d panes after all windows were dropped", w.Len())
	}
}
