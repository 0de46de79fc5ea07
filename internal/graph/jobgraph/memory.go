package jobgraph

import (
	"math/big"

	"github.com/flott-dev/flott/internal/graph/program"
	"github.com/flott-dev/flott/internal/graph/streamgraph"
)

// divideMemory divides the managed memory of slots among the operators of each slot sharing group. What is for single operators
// they share by weight; the state backend is one for a whole slot, and an operator either uses it or not.
func (cs *chains) divideMemory(g *Graph, o order) {
	for i := range g.SlotSharingGroups {
		total := map[program.MemoryUse]int{}
		uses := map[program.MemoryUse]bool{}
		for _, v := range g.SlotSharingGroups[i].Vertices {
			for n := range o[v].operators {
				for use, weight := range n.OperatorWeights {
					total[use] += weight
				}
				for use, yes := range n.SlotUses {
					if yes {
						uses[use] = true
					}
				}
			}
		}
		if len(total)+len(uses) == 0 {
			continue
		}
		for _, v := range g.SlotSharingGroups[i].Vertices {
			for n := range o[v].operators {
				g.Vertices[v].Chain[cs.place[n.ID]].MemoryFractions = fractions(n, total, uses)
			}
		}
	}
}

// fractions is one operator's part of what its group uses.
func fractions(n *streamgraph.Node, total map[program.MemoryUse]int, uses map[program.MemoryUse]bool) map[program.MemoryUse]float64 {
	f := make(map[program.MemoryUse]float64, len(total)+len(uses))
	for use, t := range total {
		f[use] = fraction(n.OperatorWeights[use], t)
	}
	for use := range uses {
		f[use] = 0
		if n.SlotUses[use] {
			f[use] = 1
		}
	}
	return f
}

// fraction is weight / total, rounded down to 16 decimals as Flink does, so that the sum never exceeds 1.
func fraction(weight, total int) float64 {
	if weight == 0 {
		return 0
	}
	decimals := big.NewInt(1e16)
	n := new(big.Int).Mul(big.NewInt(int64(weight)), decimals)
	f, _ := new(big.Rat).SetFrac(n.Quo(n, big.NewInt(int64(total))), decimals).Float64()
	return f
}
