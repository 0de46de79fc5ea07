package jobgraph

import (
	"strconv"
	"strings"
)

// name is the name of a vertex: those of its operators as `a -> (b -> c, d)`, sources in front of the head as `head [s1, s2]`.
func (g *Graph) name(vertex int) string {
	var b strings.Builder
	if g.VertexNames.IndexPrefix {
		b.WriteString("[vertex-" + strconv.Itoa(vertex) + "]")
	}
	v := &g.Vertices[vertex]
	v.line(&b, v.Head(), ", ", func(o *Operator) string { return o.Name })
	return b.String()
}

// Description is what the vertex does, in the form that the user chose: a tree of lines, or one line. It is made out of the
// descriptions of its operators whenever it is asked for; long chains have long ones.
func (g *Graph) Description(vertex int) string {
	var b strings.Builder
	v := &g.Vertices[vertex]
	if g.VertexNames.Cascading {
		v.line(&b, v.Head(), " , ", func(o *Operator) string { return o.Description })
	} else {
		v.tree(&b, v.Head(), "", "")
	}
	return b.String()
}

// Head is the index in Chain of the first operator, sources in front of it aside.
func (v *Vertex) Head() int {
	for i := range v.Chain {
		if v.Chain[i].Head() {
			return i
		}
	}
	return -1 // no chain is without
}

// line writes an operator and its successors in one line.
func (v *Vertex) line(b *strings.Builder, at int, comma string, text func(*Operator) string) {
	o := &v.Chain[at]
	b.WriteString(v.own(o, text))
	switch len(o.Chained) {
	case 0:
	case 1:
		b.WriteString(" -> ")
		v.line(b, o.Chained[0].Target, comma, text)
	default:
		b.WriteString(" -> (")
		for i, next := range o.Chained {
			if i > 0 {
				b.WriteString(comma)
			}
			v.line(b, next.Target, comma, text)
		}
		b.WriteString(")")
	}
}

// tree writes an operator and its successors, a line each. first stands in front of the operator, rest in front of what hangs
// from it.
func (v *Vertex) tree(b *strings.Builder, at int, first, rest string) {
	o := &v.Chain[at]
	b.WriteString(first)
	b.WriteString(v.own(o, func(o *Operator) string { return o.Description }))
	b.WriteByte('\n')
	for i, next := range o.Chained {
		if i < len(o.Chained)-1 {
			v.tree(b, next.Target, rest+":- ", rest+":  ")
		} else {
			v.tree(b, next.Target, rest+"+- ", rest+"   ")
		}
	}
}

// own is the text of one operator, with those of the sources in front of it.
func (v *Vertex) own(o *Operator, text func(*Operator) string) string {
	var sources []string
	for _, in := range o.Inputs {
		if in.Kind == ChainedInput {
			sources = append(sources, text(&v.Chain[in.Source]))
		}
	}
	if sources == nil {
		return text(o)
	}
	return text(o) + " [" + strings.Join(sources, ", ") + "]"
}
