package jobdoc

import (
	"cmp"
	"encoding/json"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strings"

	"github.com/flott-dev/flott/internal/graph/jobgraph"
)

// mostDifferences is how many are told; those behind them mostly follow from them.
const mostDifferences = 5

// Difference says in words where the graph that was built differs from the one that was submitted; "" if it does not. Operators are
// compared in the order in which the program made them, so that the first difference is close to its cause.
func Difference(submitted, built *jobgraph.Graph) string {
	c := comparison{submitted: submitted, built: built}
	c.job()
	if c.operators() {
		c.edges()
	}
	if len(c.found) == 0 {
		c.rest("", plain(submitted), plain(built))
	}
	more := len(c.found) - mostDifferences
	if more > 0 {
		c.found = append(c.found[:mostDifferences], fmt.Sprintf("and %d more", more))
	}
	return strings.Join(c.found, "; ")
}

type comparison struct {
	submitted, built *jobgraph.Graph
	found            []string
}

// differ notes a difference between two values of something.
func differ[T comparable](c *comparison, what string, submitted, built T) {
	if submitted != built {
		c.note("%s was submitted as %#v and is built as %#v", what, submitted, built)
	}
}

func (c *comparison) note(format string, args ...any) {
	c.found = append(c.found, fmt.Sprintf(format, args...))
}

func (c *comparison) job() {
	differ(c, "the name of the job", c.submitted.Name, c.built.Name)
	differ(c, "the number of vertices", len(c.submitted.Vertices), len(c.built.Vertices))
}

// operators says whether both programs have the same operators, so that their properties can be compared.
func (c *comparison) operators() bool {
	a, b := located(c.submitted), located(c.built)
	for i := range max(len(a), len(b)) {
		switch {
		case i >= len(b):
			c.note("%s was submitted and is not built", a[i])
		case i >= len(a):
			c.note("%s is built and was not submitted", b[i])
		case a[i].Name != b[i].Name || a[i].UID != b[i].UID || a[i].HasUID != b[i].HasUID:
			c.note("operator %d was submitted as %s and is built as %s", i+1, a[i], b[i])
		default:
			c.operator(a[i], b[i])
			continue
		}
		return false // what comes after it is shifted
	}
	return true
}

func (c *comparison) operator(a, b place) {
	differ(c, "the parallelism of "+a.String(), a.vertex.Parallelism, b.vertex.Parallelism)
	differ(c, "the max parallelism of "+a.String(), a.vertex.MaxParallelism, b.vertex.MaxParallelism)
	differ(c, "the vertex of "+a.String(), a.vertex.Name, b.vertex.Name)
	differ(c, "the description of "+a.String(), a.Description, b.Description)
}

func (c *comparison) edges() {
	a, b := edgesOf(c.submitted), edgesOf(c.built)
	for _, e := range slices.Sorted(maps.Keys(a)) {
		if p, ok := b[e]; ok {
			differ(c, "the partitioning from "+e, a[e], p)
		} else {
			c.note("the edge from %s was submitted and is not built", e)
		}
	}
	for _, e := range slices.Sorted(maps.Keys(b)) {
		if _, ok := a[e]; !ok {
			c.note("the edge from %s is built and was not submitted", e)
		}
	}
}

// edgesOf is the partitioners of all edges between vertices, by their ends.
func edgesOf(g *jobgraph.Graph) map[string]string {
	edges := map[string]string{}
	for i := range g.Vertices {
		v := &g.Vertices[i]
		for _, in := range v.Inputs {
			from := &g.Vertices[in.Producer]
			d := &from.Produces[in.DataSet]
			ends := fmt.Sprintf("%s to input %d of vertex %q", place{&from.Chain[d.Operator], from}, in.Number()+1, v.Name)
			if d.Tag != "" {
				ends = fmt.Sprintf("side output %q of %s", d.Tag, ends)
			}
			edges[ends] += string(in.Partitioner)
		}
	}
	return edges
}

// A place is an operator with the vertex that it is in.
type place struct {
	*jobgraph.Operator
	vertex *jobgraph.Vertex
}

// String names the operator for people.
func (p place) String() string {
	if p.HasUID {
		return fmt.Sprintf("operator %q (uid %q)", p.Name, p.UID)
	}
	return fmt.Sprintf("operator %q", p.Name)
}

// located is the operators in the order in which the program made them.
func located(g *jobgraph.Graph) []place {
	var all []place
	for i := range g.Vertices {
		v := &g.Vertices[i]
		for k := range v.Chain {
			all = append(all, place{&v.Chain[k], v})
		}
	}
	slices.SortStableFunc(all, func(a, b place) int { return cmp.Compare(a.Node, b.Node) })
	return all
}

// plain is what graphs must agree about, as JSON has it.
func plain(g *jobgraph.Graph) (v any) {
	text, err := json.Marshal(common(g))
	if err == nil {
		err = json.Unmarshal(text, &v)
	}
	if err != nil {
		panic(fmt.Sprintf("jobdoc: %v", err)) // see Fingerprint
	}
	return v
}

// rest finds the differences that none of the others has words for, and names them by where they stand in the document.
func (c *comparison) rest(path string, a, b any) {
	switch a := a.(type) {
	case map[string]any:
		if b, ok := b.(map[string]any); ok {
			both := maps.Clone(a)
			maps.Copy(both, b)
			for _, k := range slices.Sorted(maps.Keys(both)) {
				c.rest(path+"."+k, a[k], b[k])
			}
			return
		}
	case []any:
		if b, ok := b.([]any); ok && len(a) == len(b) {
			for i := range a {
				c.rest(fmt.Sprintf("%s[%d]", path, i), a[i], b[i])
			}
			return
		}
	}
	if !reflect.DeepEqual(a, b) {
		c.note("%s was submitted as %v and is built as %v", strings.TrimPrefix(path, "."), a, b)
	}
}
