package text

import (
	"bytes"
	"encoding/json"

	"github.com/flott-dev/flott/internal/graph/execgraph"
	"github.com/flott-dev/flott/internal/graph/taskplan"
)

// The first two graphs have Flink's JSON, which they make themselves. The other two have flott's own schema, described in
// docs/formats/plan-json.md. Subtasks and channels count from 0; ranges are [first, last]. Fields are only ever added.

type executionJSON struct {
	Job      string                `json:"job"`
	Slots    int                   `json:"slots"`
	Regions  [][]string            `json:"regions"` // subtasks as "vertex:subtask"
	Vertices []executionVertexJSON `json:"vertices"`
}

type executionVertexJSON struct {
	ID             string        `json:"id"`
	Name           string        `json:"name"`
	Parallelism    int           `json:"parallelism"`
	MaxParallelism int           `json:"maxParallelism"`
	Inputs         []inputJSON   `json:"inputs"`
	Subtasks       []subtaskJSON `json:"subtasks"`
}

type inputJSON struct {
	Producer     string      `json:"producer"`
	DataSet      string      `json:"dataSet"`
	ShipStrategy string      `json:"shipStrategy"`
	Distribution string      `json:"distributionPattern"`
	Groups       []groupJSON `json:"groups"`
}

// A groupJSON is the consumers that all read the same partitions.
type groupJSON struct {
	Consumers  [2]int `json:"consumers"`
	Partitions [2]int `json:"partitions"`
}

type subtaskJSON struct {
	Slot      int    `json:"slot"`
	KeyGroups [2]int `json:"keyGroups"`
	Attempt   int    `json:"attempt"`
	State     string `json:"state"`
}

// ExecutionJSON is the ExecutionGraph in flott's schema.
func ExecutionJSON(g *execgraph.Graph) []byte {
	slots := g.Slots()
	of := slotOf(slots)
	doc := executionJSON{Job: g.Job.Name, Slots: len(slots), Regions: regionsJSON(g), Vertices: []executionVertexJSON{}}
	for i := range g.Vertices {
		v := &g.Vertices[i]
		out := executionVertexJSON{ID: v.Job.ID.String(), Name: v.Job.Name, Parallelism: v.Parallelism, MaxParallelism: v.MaxParallelism, Inputs: inputsJSON(g, v)}
		for s := range v.Executions {
			r, e := v.KeyGroups(s), &v.Executions[s]
			out.Subtasks = append(out.Subtasks, subtaskJSON{of[execgraph.Subtask{Vertex: i, Index: s}], [2]int{r.First, r.Last}, e.Attempt, e.State.String()})
		}
		doc.Vertices = append(doc.Vertices, out)
	}
	return marshal(doc)
}

func regionsJSON(g *execgraph.Graph) [][]string {
	all := [][]string{}
	for _, region := range g.Regions() {
		names := make([]string, len(region))
		for i, t := range region {
			names[i] = pair(t.Vertex, t.Index)
		}
		all = append(all, names)
	}
	return all
}

func inputsJSON(g *execgraph.Graph, v *execgraph.Vertex) []inputJSON {
	all := []inputJSON{}
	for k, w := range v.Inputs {
		in := v.Job.Inputs[k]
		from := g.Vertices[in.Producer].Job
		out := inputJSON{Producer: from.ID.String(), DataSet: from.Produces[in.DataSet].ID.String(), ShipStrategy: string(in.Partitioner), Distribution: string(in.Pattern())}
		for i := range w.Groups() {
			group := w.Group(i)
			out.Groups = append(out.Groups, groupJSON{closed(group.Consumers), closed(group.Partitions)})
		}
		all = append(all, out)
	}
	return all
}

// closed is a range with its last number in place of its end.
func closed(r execgraph.Range) [2]int { return [2]int{r.First, r.End - 1} }

type tasksJSON struct {
	Job   string     `json:"job"`
	Tasks []taskJSON `json:"tasks"`
}

type taskJSON struct {
	Vertex     string          `json:"vertex"`
	Name       string          `json:"name"`
	Subtask    int             `json:"subtask"`
	Gates      []gateJSON      `json:"gates"`
	Operators  []operatorJSON  `json:"operators"`
	Partitions []partitionJSON `json:"partitions"`
	KeyGroups  [2]int          `json:"keyGroups"`
}

type gateJSON struct {
	Input int            `json:"input"`
	Edges []gateEdgeJSON `json:"edges"`
}

type gateEdgeJSON struct {
	Producer     string `json:"producer"`
	Producers    [2]int `json:"producers"`
	Channels     [2]int `json:"channels"`
	ShipStrategy string `json:"shipStrategy"`
}

type operatorJSON struct {
	ID      string       `json:"id"`
	Name    string       `json:"name"`
	Chained []targetJSON `json:"chained"`
}

type targetJSON struct {
	Operator   int    `json:"operator"`
	Input      int    `json:"input"`
	SideOutput string `json:"sideOutput,omitempty"`
}

type partitionJSON struct {
	Operator        int          `json:"operator"`
	ShipStrategy    string       `json:"shipStrategy"`
	BufferTimeoutMs int64        `json:"bufferTimeoutMs"`
	Readers         []readerJSON `json:"readers"`
}

type readerJSON struct {
	Vertex    string `json:"vertex"`
	Gate      int    `json:"gate"`
	Consumers [2]int `json:"consumers"`
}

// TasksJSON is the task plans in flott's schema.
func TasksJSON(plans []*taskplan.Plan) []byte {
	doc := tasksJSON{Tasks: []taskJSON{}}
	for _, t := range plans {
		doc.Job = t.JobName
		doc.Tasks = append(doc.Tasks, taskJSON{
			Vertex: t.ID.String(), Name: t.Name, Subtask: t.Subtask, KeyGroups: [2]int{t.KeyGroups.First, t.KeyGroups.Last},
			Gates: gatesJSON(t), Operators: operatorsJSON(t), Partitions: partitionsJSON(t),
		})
	}
	return marshal(doc)
}

func gatesJSON(t *taskplan.Plan) []gateJSON {
	all := []gateJSON{}
	for i := range t.Gates {
		g := &t.Gates[i]
		out := gateJSON{Input: g.Input}
		for k := range g.Edges {
			e := &g.Edges[k]
			out.Edges = append(out.Edges, gateEdgeJSON{e.Producer.String(), closed(e.Producers(t.Subtask)), closed(g.Range(k, t.Subtask)), string(e.Partitioner)})
		}
		all = append(all, out)
	}
	return all
}

func operatorsJSON(t *taskplan.Plan) []operatorJSON {
	var all []operatorJSON
	for i := range t.Chain {
		o := &t.Chain[i]
		out := operatorJSON{ID: o.ID.String(), Name: o.Name, Chained: []targetJSON{}}
		for _, c := range o.Chained {
			out.Chained = append(out.Chained, targetJSON{c.Target, c.Input, c.Tag})
		}
		all = append(all, out)
	}
	return all
}

func partitionsJSON(t *taskplan.Plan) []partitionJSON {
	all := []partitionJSON{}
	for i := range t.Partitions {
		p := &t.Partitions[i]
		out := partitionJSON{Operator: p.Operator, ShipStrategy: string(p.Partitioner), BufferTimeoutMs: p.BufferTimeoutMs}
		for k := range p.Targets {
			to := &p.Targets[k]
			out.Readers = append(out.Readers, readerJSON{to.Vertex.String(), to.Gate, closed(to.Consumers(t.Subtask))})
		}
		all = append(all, out)
	}
	return all
}

// marshal cannot fail: the documents hold strings and numbers only.
func marshal(doc any) []byte {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	if err := e.Encode(doc); err != nil {
		panic(err)
	}
	return b.Bytes()
}
