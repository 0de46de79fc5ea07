package jobgraph

import "github.com/flott-dev/flott/internal/graph/program"

// locate makes a co-location group for each key. Its vertices have to be in one slot sharing group.
func (g *Graph) locate(o order, r *program.Rejections) {
	groups := map[string]int{}
	for i, c := range o {
		key := c.start.CoLocation
		if !c.start.HasCoLocation {
			continue
		}
		if _, ok := groups[key]; !ok {
			groups[key] = len(g.CoLocationGroups)
			g.CoLocationGroups = append(g.CoLocationGroups, CoLocationGroup{Key: key})
		}
		g.Vertices[i].CoLocationGroup = groups[key]
	}
	for _, i := range g.Created {
		k := g.Vertices[i].CoLocationGroup
		if k < 0 {
			continue
		}
		group := &g.CoLocationGroups[k]
		group.Vertices = append(group.Vertices, i)
		if first := group.Vertices[0]; g.Vertices[i].SlotSharingGroup != g.Vertices[first].SlotSharingGroup {
			r.Add(o[i].start.Transformation, "co-location key %q puts it beside operator %q, which is in another slot sharing group (%s, %s)",
				group.Key, o[first].start.Name, o[i].start.SlotSharingGroup, o[first].start.SlotSharingGroup)
		}
	}
}
