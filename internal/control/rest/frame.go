package rest

import (
	"cmp"
	"maps"
	"math"
	"slices"
	"strconv"

	"github.com/flott-dev/flott/internal/control/view"
	"github.com/flott-dev/flott/internal/graph/execgraph"
)

// # Frames
//
// A frame is what a job does now, as columns with a value for each subtask:
//
//	{"now": 1796000000000, "seq": 7, "vertices": {"ID": {"busy": [250, 990], "bp": ..., "idle": ..., "in": ..., "out": ..., "bytes": ...,
//	 "state": ["RUNNING", ...], "watermark": [null, ...]}}, "edges": {"3": 1000}, "jobs": [{"jid": "ID", "rps": 1000, ...}]}
//
// The first frame of a stream has everything; later ones only what has changed. A vertex with "subtasks" in it has values of these
// only; the others are as they were. A column that is not there is as it was. The figures of the job as a whole are in "jobs", which is
// empty when they are as they were. So that a frame is never long, at most mostRows subtasks are in it; the others come with the next
// ones, those in another state first.
//
// It is made once a second for each page that is open, so it is written without reflection, and compared without being written.

// mostRows is how many subtasks a frame has at most, after the first one.
const mostRows = 2000

// A sample is what a job does.
type sample struct {
	vertices []columns
	rates    map[int]float64 // records a second that operators send, by their id in the stream graph
}

// A columns is what the subtasks of a vertex do.
type columns struct {
	id   string
	rows []row
}

// A row is what one subtask does.
type row struct {
	busy, backPressured, idle int64
	in, out, bytes            float64
	state                     execgraph.State
	watermark                 int64
}

func (s *Server) sample(j *view.Job) sample {
	all := sample{make([]columns, len(j.Vertices)), map[int]float64{}}
	snapshots := s.history.of(j.ID)
	for v := range j.Vertices {
		p := place{j, v, &j.Graph.Vertices[v], &j.Vertices[v]}
		of := columns{p.graph.ID.String(), make([]row, len(p.now.Subtasks))}
		for i := range of.rows {
			a := p.now.Subtasks[i].Current()
			r, _ := ratesSince(snapshots, p, i, a)
			of.rows[i] = row{
				int64(r.busy), int64(r.backPressured), int64(r.idle), digits(r.recordsIn), digits(r.recordsOut), digits(r.bytesOut),
				a.State, watermarkOf(p, a.Metrics),
			}
			for k := range min(len(r.operators), len(p.graph.Chain)) {
				all.rates[p.graph.Chain[k].Node] += r.operators[k].recordsOut
			}
		}
		all.vertices[v] = of
	}
	for node, rate := range all.rates {
		all.rates[node] = digits(rate)
	}
	return all
}

// digits keeps the three digits of a number that a page shows.
func digits(v float64) float64 {
	switch {
	case v < 0.01:
		return 0
	case v < 100:
		return math.Round(v*100) / 100
	}
	unit := math.Pow10(int(math.Log10(v)) - 2)
	return math.Round(v/unit) * unit
}

// A mirror is what a page has of a job.
type mirror struct {
	vertices []columns // nil: nothing yet
	rates    map[int]float64
	turn     int // of the subtask that comes first when there are too many for one frame
}

// append adds to a frame what the page has not, and takes it that it will have that.
func (m *mirror) append(b []byte, next sample) []byte {
	b = append(b, `,"vertices":{`...)
	chosen := m.choose(next)
	if m.vertices == nil {
		m.vertices = make([]columns, len(next.vertices))
	}
	first := true
	for v := range next.vertices {
		if len(chosen[v]) == 0 {
			continue
		}
		if !first {
			b = append(b, ',')
		}
		first = false
		b = m.vertices[v].append(b, &next.vertices[v], chosen[v])
		m.vertices[v].take(&next.vertices[v], chosen[v])
	}
	return append(m.appendRates(append(b, `},"edges":{`...), next.rates), '}')
}

// A numbered is a subtask, counted through all vertices.
type numbered struct{ number, vertex, index int }

// choose is the subtasks of each vertex that go into the next frame.
func (m *mirror) choose(next sample) [][]int {
	chosen := make([][]int, len(next.vertices))
	for _, c := range m.changed(next) {
		chosen[c.vertex] = append(chosen[c.vertex], c.index)
	}
	return chosen
}

// changed is the subtasks that are not as the page has them, as many as fit.
func (m *mirror) changed(next sample) []numbered {
	var moved, due, later []numbered
	n := 0
	for v := range next.vertices {
		for i, now := range next.vertices[v].rows {
			at := numbered{n, v, i}
			switch was, known := m.row(v, i); {
			case known && now == was:
			case !known || now.state != was.state:
				moved = append(moved, at)
			case n < m.turn:
				later = append(later, at)
			default:
				due = append(due, at)
			}
			n++
		}
	}
	all := slices.Concat(moved, due, later)
	if len(all) <= mostRows || m.vertices == nil {
		m.turn = 0
		return sorted(all)
	}
	m.turn = all[mostRows].number
	return sorted(all[:mostRows])
}

func sorted(all []numbered) []numbered {
	slices.SortFunc(all, func(x, y numbered) int { return cmp.Compare(x.number, y.number) })
	return all
}

// row is what the page has of a subtask, if anything.
func (m *mirror) row(vertex, subtask int) (row, bool) {
	if vertex >= len(m.vertices) || subtask >= len(m.vertices[vertex].rows) {
		return row{}, false
	}
	return m.vertices[vertex].rows[subtask], true
}

// take copies rows.
func (c *columns) take(next *columns, chosen []int) {
	if len(c.rows) != len(next.rows) {
		c.rows = make([]row, len(next.rows))
	}
	for _, i := range chosen {
		c.rows[i] = next.rows[i]
	}
}

// fields are the columns of a frame.
var fields = []struct {
	name   string
	same   func(x, y *row) bool
	append func([]byte, *row) []byte
}{
	{"busy", func(x, y *row) bool { return x.busy == y.busy }, func(b []byte, r *row) []byte { return appendInt(b, r.busy) }},
	{"bp", func(x, y *row) bool { return x.backPressured == y.backPressured }, func(b []byte, r *row) []byte { return appendInt(b, r.backPressured) }},
	{"idle", func(x, y *row) bool { return x.idle == y.idle }, func(b []byte, r *row) []byte { return appendInt(b, r.idle) }},
	{"in", func(x, y *row) bool { return x.in == y.in }, func(b []byte, r *row) []byte { return appendFloat(b, r.in) }},
	{"out", func(x, y *row) bool { return x.out == y.out }, func(b []byte, r *row) []byte { return appendFloat(b, r.out) }},
	{"bytes", func(x, y *row) bool { return x.bytes == y.bytes }, func(b []byte, r *row) []byte { return appendFloat(b, r.bytes) }},
	{"state", func(x, y *row) bool { return x.state == y.state }, func(b []byte, r *row) []byte { return strconv.AppendQuote(b, r.state.String()) }},
	{"watermark", func(x, y *row) bool { return x.watermark == y.watermark }, appendWatermark},
}

func appendInt(b []byte, n int64) []byte { return strconv.AppendInt(b, n, 10) }

func appendFloat(b []byte, v float64) []byte { return strconv.AppendFloat(b, v, 'f', -1, 64) }

func appendWatermark(b []byte, r *row) []byte {
	if r.watermark == math.MinInt64 {
		return append(b, "null"...)
	}
	return appendInt(b, r.watermark)
}

// append adds the chosen subtasks of a vertex, of which the page has c.
func (c *columns) append(b []byte, next *columns, chosen []int) []byte {
	b = append(strconv.AppendQuote(b, next.id), ":{"...)
	comma := ""
	if len(chosen) < len(next.rows) {
		b = appendList(append(b, `"subtasks":`...), chosen, func(b []byte, i int) []byte { return appendInt(b, int64(i)) })
		comma = ","
	}
	for _, f := range fields {
		changed := len(c.rows) == 0 || slices.ContainsFunc(chosen, func(i int) bool { return !f.same(&c.rows[i], &next.rows[i]) })
		if !changed {
			continue
		}
		b = append(append(b, comma...), `"`+f.name+`":`...)
		b = appendList(b, chosen, func(b []byte, i int) []byte { return f.append(b, &next.rows[i]) })
		comma = ","
	}
	return append(b, '}')
}

func appendList(b []byte, of []int, one func([]byte, int) []byte) []byte {
	b = append(b, '[')
	for k, i := range of {
		if k > 0 {
			b = append(b, ',')
		}
		b = one(b, i)
	}
	return append(b, ']')
}

func (m *mirror) appendRates(b []byte, next map[int]float64) []byte {
	first := true
	for _, node := range slices.Sorted(maps.Keys(next)) {
		if was, known := m.rates[node]; known && was == next[node] {
			continue
		}
		if !first {
			b = append(b, ',')
		}
		first = false
		b = appendFloat(append(strconv.AppendQuote(b, strconv.Itoa(node)), ':'), next[node])
	}
	m.rates = next
	return b
}
