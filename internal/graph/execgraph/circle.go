package execgraph

import (
	"maps"
	"slices"
)

// circles is the nodes of a directed graph that can reach each other, in groups (its strongly connected components, found by
// Tarjan's algorithm). Nodes on no circle are groups of one.
func circles(after map[int][]int) [][]int {
	t := tarjan{after: after, seen: map[int]int{}, low: map[int]int{}, open: map[int]bool{}}
	for _, n := range slices.Sorted(maps.Keys(after)) {
		if t.seen[n] == 0 {
			t.visit(n)
		}
	}
	return t.groups
}

type tarjan struct {
	after  map[int][]int
	seen   map[int]int // when a node was first seen, from 1
	low    map[int]int // the earliest open node that it reaches
	open   map[int]bool
	stack  []int // of open nodes
	groups [][]int
}

func (t *tarjan) visit(n int) {
	t.seen[n] = len(t.seen) + 1
	t.low[n] = t.seen[n]
	t.open[n] = true
	at := len(t.stack)
	t.stack = append(t.stack, n)
	for _, next := range t.after[n] {
		if t.seen[next] == 0 {
			t.visit(next)
			t.low[n] = min(t.low[n], t.low[next])
		} else if t.open[next] {
			t.low[n] = min(t.low[n], t.seen[next])
		}
	}
	if t.low[n] < t.seen[n] {
		return // n belongs to the group of a node before it
	}
	group := slices.Clone(t.stack[at:])
	t.stack = t.stack[:at]
	for _, m := range group {
		t.open[m] = false
	}
	t.groups = append(t.groups, group)
}
