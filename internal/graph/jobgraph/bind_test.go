package jobgraph_test

import (
	"testing"

	"github.com/flott-dev/flott/internal/graph/jobgraph"
	"github.com/flott-dev/flott/internal/graph/program"
	"github.com/flott-dev/flott/internal/id"
)

func TestBind(t *testing.T) {
	p := program.New(program.Defaults())
	s := p.Source("s", true, nil)
	m := p.OneInput(s, "m", nil)
	m.Operator = "the operator"
	key, spread := p.KeyBy(m, "the key"), p.Repartition(s, program.Custom, "the function")
	o := p.TwoInput(key, p.Union(m, spread), "o", nil)
	o.SetUID("o")
	g := compile(t, p)
	b, err := jobgraph.Bind(g, jobOf(t, g))
	if err != nil {
		t.Fatal(err)
	}

	consumer := id.OperatorWithUID("o")
	for _, c := range []struct {
		input, index int
		from         string
		typed        any
	}{
		{0, 0, "m", "the key"},
		{1, 0, "m", nil},
		{1, 1, "Source: s", "the function"},
	} {
		e := b.Edge(consumer, c.input, c.index)
		if e == nil || e.Source.Name != c.from || e.Partitioner.Typed != c.typed {
			t.Errorf("edge %d of input %d is %+v", c.index, c.input, e)
		}
	}
	if e := b.Edge(consumer, 0, 1); e != nil {
		t.Errorf("input 0 has an edge too many: %+v", e)
	}
	if e := b.Edge(id.OperatorWithUID("nobody"), 0, 0); e != nil {
		t.Errorf("nobody has an edge: %+v", e)
	}

	m0 := b.Edge(consumer, 0, 0).Source
	m.Operator = "that of the next job"
	if got := b.Operator(operatorOf(t, jobOf(t, g), m0.ID)); got != "the operator" {
		t.Errorf("m's operator is %v", got)
	}
	if got := b.Operator(id.OperatorWithUID("nobody")); got != nil {
		t.Errorf("nobody's operator is %v", got)
	}
}

func operatorOf(t *testing.T, g *jobgraph.Graph, node int) id.Operator {
	for i := range g.Vertices {
		for k := range g.Vertices[i].Chain {
			if o := &g.Vertices[i].Chain[k]; o.Node == node {
				return o.ID
			}
		}
	}
	t.Fatalf("no operator of node %d", node)
	return id.Operator{}
}

func TestBindRefusesAnotherProgram(t *testing.T) {
	if _, err := jobgraph.Bind(pipelines(t, 1, 3), jobOf(t, pipelines(t, 1, 4))); err == nil {
		t.Error("a job is bound to a program that lacks one of its operators")
	}
}
