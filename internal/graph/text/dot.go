package text

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/flott-dev/flott/internal/graph/execgraph"
	"github.com/flott-dev/flott/internal/graph/jobgraph"
	"github.com/flott-dev/flott/internal/graph/streamgraph"
	"github.com/flott-dev/flott/internal/graph/taskplan"
)

// StreamDot is the StreamGraph for Graphviz.
func StreamDot(g *streamgraph.Graph) string {
	d := newDot("StreamGraph " + g.JobName)
	for _, n := range g.Nodes {
		d.node(strconv.Itoa(n.ID), n.Name+" "+times(n.Parallelism))
		for _, e := range n.In {
			d.edge(strconv.Itoa(e.Source.ID), strconv.Itoa(n.ID), edgeText(e))
		}
	}
	return d.end()
}

// JobDot is the JobGraph for Graphviz.
func JobDot(g *jobgraph.Graph) string {
	d := newDot("JobGraph " + g.Name)
	for i := range g.Vertices {
		v := &g.Vertices[i]
		d.node(v.ID.String(), v.Name+" "+times(v.Parallelism))
		for _, in := range v.Inputs {
			d.edge(g.Vertices[in.Producer].ID.String(), v.ID.String(), string(in.Partitioner))
		}
	}
	return d.end()
}

// ExecutionDot is the ExecutionGraph for Graphviz: a box per slot sharing subtask, an edge per pair of connected subtasks.
func ExecutionDot(g *execgraph.Graph) string {
	d := newDot("ExecutionGraph " + g.Job.Name)
	for i := range g.Vertices {
		v := &g.Vertices[i]
		for s := range v.Parallelism {
			d.node(pair(i, s), v.Job.Name+" "+subtask(s, v.Parallelism))
		}
		for k, w := range v.Inputs {
			in := v.Job.Inputs[k]
			for s := range v.Parallelism {
				for q := w.ReadBy(s).First; q < w.ReadBy(s).End; q++ {
					d.edge(pair(in.Producer, q), pair(i, s), "")
				}
			}
		}
	}
	return d.end()
}

// TasksDot is the task plans for Graphviz: a box per task, with its chain inside.
func TasksDot(plans []*taskplan.Plan) string {
	name := ""
	if len(plans) > 0 {
		name = plans[0].JobName
	}
	d := newDot("Tasks " + name)
	for _, t := range plans {
		names := []string{t.Name + " " + subtask(t.Subtask, t.Parallelism)}
		for i := range t.Chain {
			names = append(names, "· "+t.Chain[i].Name)
		}
		d.node(pair(t.Index, t.Subtask), strings.Join(names, "\n"))
		for i := range t.Partitions {
			for k := range t.Partitions[i].Targets {
				to := &t.Partitions[i].Targets[k]
				c := to.Consumers(t.Subtask)
				for s := c.First; s < c.End; s++ {
					d.edge(pair(t.Index, t.Subtask), pair(to.VertexIndex, s), string(t.Partitions[i].Partitioner))
				}
			}
		}
	}
	return d.end()
}

// pair names a subtask: vertex index and number.
func pair(vertex, subtask int) string { return fmt.Sprintf("%d:%d", vertex, subtask) }

// A dot is a Graphviz graph as it grows.
type dot struct{ b strings.Builder }

func newDot(title string) *dot {
	d := &dot{}
	fmt.Fprintf(&d.b, "digraph {\n  label=%s;\n  labelloc=t;\n  rankdir=LR;\n  node [shape=box, style=rounded, fontname=\"sans-serif\"];\n", quote(title))
	return d
}

func (d *dot) node(id, label string) {
	fmt.Fprintf(&d.b, "  %s [label=%s];\n", quote(id), quote(label))
}

func (d *dot) edge(from, to, label string) {
	if label == "" {
		fmt.Fprintf(&d.b, "  %s -> %s;\n", quote(from), quote(to))
		return
	}
	fmt.Fprintf(&d.b, "  %s -> %s [label=%s];\n", quote(from), quote(to), quote(label))
}

func (d *dot) end() string {
	d.b.WriteString("}\n")
	return d.b.String()
}

// quote is s as a Graphviz string.
func quote(s string) string {
	return `"` + strings.NewReplacer(`\`, `\\`, `"`, `\"`, "\n", `\n`).Replace(s) + `"`
}
