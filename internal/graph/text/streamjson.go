package text

import (
	"github.com/flott-dev/flott/internal/graph/jobgraph"
	"github.com/flott-dev/flott/internal/graph/program"
	"github.com/flott-dev/flott/internal/graph/streamgraph"
)

// A StreamDocument is the StreamGraph as the page draws it: unlike Flink's JSON it has the edges, and for each the conditions for
// chaining. It is made where the program is compiled, and travels with the job, which has no stream graph any more.
type StreamDocument struct {
	Nodes []StreamNode `json:"nodes"`
	Edges []StreamEdge `json:"edges"`
}

// A StreamNode is an operator.
type StreamNode struct {
	ID               int     `json:"id"`
	OperatorID       string  `json:"operatorId"`
	Name             string  `json:"name"`
	Kind             string  `json:"kind"`      // source, sink or operator
	Operation        string  `json:"operation"` // what it does, as "Flat Map", whatever the user calls it; "": not known
	Parallelism      int     `json:"parallelism"`
	MaxParallelism   int     `json:"maxParallelism"`
	ChainingStrategy string  `json:"chainingStrategy"`
	SlotSharingGroup string  `json:"slotSharingGroup"`
	UID              *string `json:"uid"`
	DeclaredAt       string  `json:"declaredAt"` // "main.go:12"; "": no line of the user's made it
	State            string  `json:"state"`      // what it keeps; "": nothing
	Description      string  `json:"description"`
}

// A StreamEdge is an edge between operators.
type StreamEdge struct {
	ID              string   `json:"id"`
	Source          int      `json:"source"`
	Target          int      `json:"target"`
	Partitioner     string   `json:"partitioner"`
	TypeNumber      int      `json:"typeNumber"`
	OutputTag       *string  `json:"outputTag"`
	ExchangeMode    string   `json:"exchangeMode"`
	BufferTimeoutMs int64    `json:"bufferTimeoutMs"`
	Distribution    *string  `json:"distribution"`   // null: chained
	ResultType      *string  `json:"resultType"`     // null: chained
	Rate            *float64 `json:"rate,omitempty"` // records a second, while the job runs
	Chain           Chain    `json:"chain"`
}

// Chain says whether an edge is a call inside of a task, and if not, why.
type Chain struct {
	Chained bool    `json:"chained"`
	Checks  []Check `json:"checks"` // in Flink's order
	Why     string  `json:"why"`
	Short   string  `json:"short"`
}

// A Check is one condition for chaining.
type Check struct {
	Rule   string `json:"rule"`
	OK     bool   `json:"ok"`
	Detail string `json:"detail"` // names and values that it rests on
}

// StreamDocumentOf is the document of a program and its job graph.
func StreamDocumentOf(g *streamgraph.Graph, job *jobgraph.Graph) StreamDocument {
	operators, results := operatorsByNode(job), resultsByEdge(job)
	chaining := jobgraph.ChainingOf(g)
	doc := StreamDocument{Nodes: []StreamNode{}, Edges: []StreamEdge{}}
	for _, n := range g.Nodes {
		doc.Nodes = append(doc.Nodes, streamNode(n, operators[n.ID]))
		for _, e := range n.In {
			doc.Edges = append(doc.Edges, streamEdge(e, chaining, results[e.ID]))
		}
	}
	return doc
}

// StreamDocumentJSON is the document as JSON.
func StreamDocumentJSON(g *streamgraph.Graph, job *jobgraph.Graph) []byte {
	return marshal(StreamDocumentOf(g, job))
}

func operatorsByNode(job *jobgraph.Graph) map[int]string {
	ids := map[int]string{}
	for v := range job.Vertices {
		for i := range job.Vertices[v].Chain {
			o := &job.Vertices[v].Chain[i]
			ids[o.Node] = o.ID.String()
		}
	}
	return ids
}

func resultsByEdge(job *jobgraph.Graph) map[string]jobgraph.ResultType {
	results := map[string]jobgraph.ResultType{}
	for v := range job.Vertices {
		for _, in := range job.Vertices[v].Inputs {
			results[in.Edge] = job.Vertices[in.Producer].Produces[in.DataSet].Result
		}
	}
	return results
}

func streamNode(n *streamgraph.Node, operator string) StreamNode {
	doc := StreamNode{
		ID: n.ID, OperatorID: operator, Name: n.Name, Kind: "operator", Parallelism: n.Parallelism, MaxParallelism: n.MaxParallelism,
		ChainingStrategy: string(n.Chaining), SlotSharingGroup: n.SlotSharingGroup, Description: n.Description, State: stateOf(n),
	}
	switch {
	case n.Source:
		doc.Kind = "source"
	case len(n.Out) == 0:
		doc.Kind = "sink"
	}
	if n.HasUID {
		doc.UID = &n.UID
	}
	if n.Transformation != nil {
		doc.DeclaredAt, doc.Operation = n.Transformation.Site, n.Transformation.Operation
	}
	return doc
}

// stateOf is what a savepoint of the operator holds.
func stateOf(n *streamgraph.Node) string {
	switch {
	case n.SlotUses[program.MemoryStateBackend]:
		return "keyed state"
	case n.Transformation != nil && n.Transformation.Kind == program.KindBroadcastState:
		return "broadcast state"
	case n.NewSource:
		return "positions of its splits"
	}
	return ""
}

func streamEdge(e *streamgraph.Edge, c *jobgraph.Chaining, result jobgraph.ResultType) StreamEdge {
	doc := StreamEdge{
		ID: e.ID, Source: e.Source.ID, Target: e.Target.ID, Partitioner: string(e.Partitioner.Strategy), TypeNumber: e.TypeNumber,
		ExchangeMode: string(e.Exchange), BufferTimeoutMs: e.BufferTimeoutMs, Chain: chainOf(e, c),
	}
	if e.Tag != nil {
		doc.OutputTag = &e.Tag.Name
	}
	if !doc.Chain.Chained {
		pattern, kind := string(jobgraph.PatternOf(e.Partitioner.Strategy)), string(result)
		doc.Distribution, doc.ResultType = &pattern, &kind
	}
	return doc
}
