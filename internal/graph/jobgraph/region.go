package jobgraph

// Regions is the logical pipelined regions: vertices joined by data sets that must be consumed while they are produced. Regions
// and the vertices in each are in topological order.
func (g *Graph) Regions() [][]int {
	s := NewSets(len(g.Vertices))
	for i := range g.Vertices {
		for k := range g.Vertices[i].Produces {
			d := &g.Vertices[i].Produces[k]
			if !d.Result.MustBePipelined() {
				continue
			}
			for _, to := range d.Consumers {
				s.Join(i, to.Vertex)
			}
		}
	}
	return s.All()
}

// RegionOf is the region of each vertex, as an index into Regions.
func (g *Graph) RegionOf() []int {
	of := make([]int, len(g.Vertices))
	for r, region := range g.Regions() {
		for _, v := range region {
			of[v] = r
		}
	}
	return of
}
