package flott

import (
	"github.com/flott-dev/flott/codec"
	"github.com/flott-dev/flott/internal/data/shuffle"
	"github.com/flott-dev/flott/internal/graph/program"
)

// compileToCross makes the graphs of a job that is to run in several processes.
func (e *Environment) compileToCross(job string) (*graphs, error) {
	g, err := e.compile(job)
	if err != nil {
		return nil, err
	}
	if mistakes := g.uncrossable(); len(mistakes) > 0 {
		return nil, &ProgramError{Job: job, Mistakes: mistakes}
	}
	return g, nil
}

// uncrossable finds all records that cannot go from one process to another: those on edges between tasks, whose types have no codec,
// or one that would leave unexported fields behind. A job that runs in one process does without.
func (g *graphs) uncrossable() []*Mistake {
	type output struct {
		node int
		kind program.Type
	}
	vertex := g.vertexOfNode()
	seen := map[output]bool{}
	var mistakes []*Mistake
	for _, n := range g.stream.Nodes {
		for _, e := range n.In {
			from := output{e.Source.ID, e.Type}
			kind, typed := e.Type.(shuffle.Kind)
			if !typed || vertex[e.Source.ID] == vertex[n.ID] || seen[from] {
				continue
			}
			seen[from] = true
			c, err := kind.Codec(g.codecs)
			if err == nil {
				err = codec.Whole(c)
			}
			if err != nil {
				mistakes = append(mistakes, &Mistake{Site: e.Source.Transformation.Site, Operator: e.Source.Name, Problem: err.Error(), Err: err})
			}
		}
	}
	return mistakes
}

// vertexOfNode says in which vertex of the job graph each node of the stream graph runs.
func (g *graphs) vertexOfNode() map[int]int {
	of := make(map[int]int, len(g.stream.Nodes))
	for v := range g.job.Vertices {
		for _, o := range g.job.Vertices[v].Chain {
			of[o.Node] = v
		}
	}
	return of
}
