package jobgraph

import (
	"github.com/flott-dev/flott/internal/graph/program"
	"github.com/flott-dev/flott/internal/graph/streamgraph"
)

// decideLater takes the parallelism from chains of a dynamic job where nobody configured one, and makes it agree again along the
// edges that need it to.
func (cs *chains) decideLater(r *program.Rejections) {
	if !cs.graph.Dynamic {
		return
	}
	if cs.graph.AutoParallelism {
		for _, c := range cs.made {
			if !c.configured {
				c.parallelism = program.Unset
			}
		}
	}
	for _, group := range cs.forwardGroups() {
		agree(group, r)
	}
}

// forwardGroups is the chains joined by FORWARD edges that somebody asked for, in groups of more than one.
func (cs *chains) forwardGroups() [][]*chain {
	for i, c := range cs.made {
		c.index = i
	}
	sets := NewSets(len(cs.made))
	for _, c := range cs.made {
		for _, e := range c.edges {
			if strategy(e) == program.Forward {
				sets.Join(c.index, cs.entries[e.Target.ID].index)
			}
		}
	}
	var groups [][]*chain
	for _, set := range sets.All() {
		if len(set) == 1 {
			continue
		}
		group := make([]*chain, len(set))
		for i, k := range set {
			group[i] = cs.made[k]
		}
		groups = append(groups, group)
	}
	return groups
}

// agree gives a forward group one parallelism, that of any member that has one, and the smallest max parallelism.
func agree(group []*chain, r *program.Rejections) {
	parallelism, maxParallelism := program.Unset, program.Unset
	var fixed, smallest *chain
	for _, c := range group {
		if c.parallelism > 0 {
			parallelism, fixed = c.parallelism, c
		}
		if c.maxParallelism > 0 && (smallest == nil || c.maxParallelism < maxParallelism) {
			maxParallelism, smallest = c.maxParallelism, c
		}
	}
	if fixed != nil && smallest != nil && maxParallelism < parallelism {
		r.Add(smallest.start.Transformation, "max parallelism %d is below the parallelism %d of operator %q, to which it is connected forward",
			maxParallelism, parallelism, fixed.start.Name)
	}
	for _, c := range group {
		if fixed != nil {
			c.parallelism, c.configured = parallelism, true
		}
		if smallest != nil {
			c.maxParallelism = maxParallelism
		}
	}
}

// strategy is the partitioner of an edge that is not chained: a FORWARD that nobody asked for has become RESCALE.
func strategy(e *streamgraph.Edge) program.Strategy {
	if e.Partitioner.Unspecified {
		return program.Rescale
	}
	return e.Partitioner.Strategy
}
