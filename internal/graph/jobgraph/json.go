package jobgraph

import (
	"strconv"
	"strings"

	"github.com/flott-dev/flott/internal/graph/streamgraph"
)

// JSON is the plan as Flink's REST interface prints it (the body of GET /jobs/:id/plan), byte for byte.
func (g *Graph) JSON() string {
	p := plan{g: g}
	p.text(`{"plan":{"jid":`).quote(g.ID.String())
	p.text(`,"name":`).quote(g.Name)
	p.text(`,"type":`).quote(string(g.Type))
	p.text(`,"nodes":[`)
	for i, v := range g.Created {
		if i > 0 {
			p.text(",")
		}
		p.vertex(v)
	}
	p.text("]}}")
	return p.b.String()
}

// A plan is the text of a JSON plan as it grows.
type plan struct {
	g *Graph
	b strings.Builder
}

func (p *plan) vertex(i int) {
	v := &p.g.Vertices[i]
	p.text(`{"id":`).quote(v.ID.String())
	p.text(`,"operator":"","parallelism":`).number(v.Parallelism)
	p.text(`,"operator_strategy":"","description":`).quote(lineBreaks.Replace(escapeHTML(p.g.Description(i))))
	p.text(`,"optimizer_properties":{}`)
	if len(v.Inputs) > 0 {
		p.inputs(v)
	}
	p.text("}")
}

func (p *plan) inputs(v *Vertex) {
	p.text(`,"inputs":[`)
	for i := range v.Inputs {
		if i > 0 {
			p.text(",")
		}
		in := &v.Inputs[i]
		from := &p.g.Vertices[in.Producer]
		p.text(`{"id":`).quote(from.ID.String())
		p.text(`,"num":`).number(i)
		p.text(`,"exchange":`).quote(strings.ToLower(string(from.Produces[in.DataSet].Result)))
		p.text(`,"ship_strategy":`).quote(string(in.Partitioner))
		p.text("}")
	}
	p.text("]")
}

func (p *plan) text(s string) *plan {
	p.b.WriteString(s)
	return p
}

func (p *plan) number(n int) { p.text(strconv.Itoa(n)) }

func (p *plan) quote(s string) { p.text(streamgraph.Quote(s)) }

// lineBreaks is what Flink does to descriptions after it has escaped them as HTML.
var lineBreaks = strings.NewReplacer("\n", "<br/>", `\`, "&#92;")

// escapeHTML names every character that HTML 4 has a name for. The apostrophe has none.
func escapeHTML(s string) string {
	var b strings.Builder
	for _, r := range s {
		if name, ok := entities[r]; ok {
			b.WriteString("&" + name + ";")
		} else {
			b.WriteRune(r)
		}
	}
	return b.String()
}
