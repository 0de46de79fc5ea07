package execgraph

import (
	"testing"

	"pgregory.net/rapid"
)

// Two nodes are in one group exactly when each can reach the other.
func TestCircles(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		const nodes = 7
		after := map[int][]int{}
		for _, e := range rapid.SliceOfN(rapid.Custom(func(t *rapid.T) [2]int {
			return [2]int{rapid.IntRange(0, nodes-1).Draw(t, "from"), rapid.IntRange(0, nodes-1).Draw(t, "to")}
		}), 0, 14).Draw(t, "edges") {
			after[e[0]] = append(after[e[0]], e[1])
		}
		group := map[int]int{}
		for i, g := range circles(after) {
			for _, n := range g {
				if _, twice := group[n]; twice {
					t.Fatalf("%d is in two groups", n)
				}
				group[n] = i
			}
		}
		reach := closure(after, nodes)
		for a := range nodes {
			for b := range nodes {
				ga, oka := group[a]
				gb, okb := group[b]
				together := oka && okb && ga == gb
				if want := a != b && reach[a][b] && reach[b][a]; a != b && together != want {
					t.Fatalf("%d and %d in one group: %v", a, b, together)
				}
			}
		}
	})
}

// closure is which nodes reach which.
func closure(after map[int][]int, nodes int) [][]bool {
	reach := make([][]bool, nodes)
	for a := range reach {
		reach[a] = make([]bool, nodes)
		for _, b := range after[a] {
			reach[a][b] = true
		}
	}
	for k := range nodes {
		for a := range nodes {
			for b := range nodes {
				reach[a][b] = reach[a][b] || reach[a][k] && reach[k][b]
			}
		}
	}
	return reach
}
