package streamgraph

import (
	"cmp"
	"slices"
	"strconv"
	"strings"
)

// JSON is Flink's streaming plan, byte for byte: what StreamExecutionEnvironment.getExecutionPlan() returns.
func (g *Graph) JSON() string {
	nodes := slices.Clone(g.Nodes)
	slices.SortStableFunc(nodes, func(x, y *Node) int { return cmp.Compare(sinksLast(x), sinksLast(y)) })
	objects := make([]string, len(nodes))
	for i, n := range nodes {
		objects[i] = n.json()
	}
	return object("", field("nodes", array(objects)))
}

func sinksLast(n *Node) int {
	if n.LegacySink {
		return 1
	}
	return 0
}

const nodeIndent = "  "

func (n *Node) json() string {
	fields := []string{
		field("id", strconv.Itoa(n.ID)),
		field("type", Quote(n.Name)),
		field("pact", Quote(n.pact())),
		field("contents", Quote(n.Description)),
		field("parallelism", strconv.Itoa(n.Parallelism)),
	}
	if !n.Source {
		fields = append(fields, field("predecessors", array(n.predecessors())))
	}
	return object(nodeIndent, fields...)
}

func (n *Node) pact() string {
	switch {
	case n.Source:
		return "Data Source"
	case n.LegacySink:
		return "Data Sink"
	}
	return "Operator"
}

func (n *Node) predecessors() []string {
	objects := make([]string, len(n.In))
	for i, e := range n.In {
		objects[i] = object(nodeIndent+nodeIndent,
			field("id", strconv.Itoa(e.Source.ID)),
			field("ship_strategy", Quote(string(e.Partitioner.Strategy))),
			field("side", `"second"`)) // always: Flink looks at the list after it has added to it
	}
	return objects
}

func field(name, value string) string { return Quote(name) + " : " + value }

// object has a field a line; its closing brace stands at the indent.
func object(indent string, fields ...string) string {
	return "{\n" + indent + "  " + strings.Join(fields, ",\n"+indent+"  ") + "\n" + indent + "}"
}

// array keeps to one line.
func array(elements []string) string {
	if len(elements) == 0 {
		return "[ ]"
	}
	return "[ " + strings.Join(elements, ", ") + " ]"
}

// Quote writes a JSON string as Flink does: it escapes quotes, backslashes and control characters, and nothing else.
func Quote(s string) string {
	var b strings.Builder
	b.WriteByte('"')
	for i := range len(s) {
		writeEscaped(&b, s[i])
	}
	b.WriteByte('"')
	return b.String()
}

var shortEscapes = map[byte]byte{'"': '"', '\\': '\\', '\b': 'b', '\f': 'f', '\n': 'n', '\r': 'r', '\t': 't'}

func writeEscaped(b *strings.Builder, c byte) {
	const hex = "0123456789ABCDEF"
	short, ok := shortEscapes[c]
	switch {
	case ok:
		b.Write([]byte{'\\', short})
	case c < ' ':
		b.WriteString(`\u00`)
		b.Write([]byte{hex[c>>4], hex[c&15]})
	default:
		b.WriteByte(c)
	}
}
