package rest

import (
	"encoding/json"
	"fmt"
	"maps"
	"math"
	"slices"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/flott-dev/flott/internal/control/view"
	"github.com/flott-dev/flott/internal/cputime"
	"github.com/flott-dev/flott/internal/graph/execgraph"
)

// A frame is one as a page reads it.
type frame struct {
	Now      int64
	Seq      int64
	Vertices map[string]*vertexFrame
	Edges    map[string]float64
	Jobs     []jobFrame
}

type vertexFrame struct {
	Subtasks  []int // nil: all
	Busy      []int64
	BP        []int64
	Idle      []int64
	In        []float64
	Out       []float64
	Bytes     []float64
	State     []string
	Watermark []*int64
}

func readFrame(t interface{ Fatal(...any) }, text string) (f frame) {
	if err := json.Unmarshal([]byte(text), &f); err != nil {
		t.Fatal(err, text)
	}
	return f
}

// A page merges frames, as every page does.
type page struct {
	vertices map[string]*vertexFrame
	edges    map[string]float64
}

func (p *page) merge(f frame) (rows int) {
	for id, v := range f.Vertices {
		has := p.vertices[id]
		if has == nil {
			has = &vertexFrame{}
			p.vertices[id] = has
		}
		rows += max(len(v.Subtasks), len(v.Busy), len(v.BP), len(v.Idle), len(v.In), len(v.Out), len(v.Bytes), len(v.State), len(v.Watermark))
		mergeColumn(&has.Busy, v.Busy, v.Subtasks)
		mergeColumn(&has.BP, v.BP, v.Subtasks)
		mergeColumn(&has.Idle, v.Idle, v.Subtasks)
		mergeColumn(&has.In, v.In, v.Subtasks)
		mergeColumn(&has.Out, v.Out, v.Subtasks)
		mergeColumn(&has.Bytes, v.Bytes, v.Subtasks)
		mergeColumn(&has.State, v.State, v.Subtasks)
		mergeColumn(&has.Watermark, v.Watermark, v.Subtasks)
	}
	maps.Copy(p.edges, f.Edges)
	return rows
}

func mergeColumn[V any](has *[]V, next []V, subtasks []int) {
	switch {
	case next == nil:
	case subtasks == nil:
		*has = next
	default:
		for k, i := range subtasks {
			(*has)[i] = next[k]
		}
	}
}

// differs says where the page is not as the job is.
func (p *page) differs(s sample) string {
	for _, v := range s.vertices {
		has := p.vertices[v.id]
		for i, r := range v.rows {
			mark := int64(math.MinInt64)
			if has.Watermark[i] != nil {
				mark = *has.Watermark[i]
			}
			state := slices.IndexFunc(taskStates, func(s execgraph.State) bool { return s.String() == has.State[i] })
			if got := (row{has.Busy[i], has.BP[i], has.Idle[i], has.In[i], has.Out[i], has.Bytes[i], taskStates[state], mark}); got != r {
				return fmt.Sprintf("subtask %d of %s is %+v on the page, and %+v", i, v.id, got, r)
			}
		}
	}
	for node, rate := range s.rates {
		if p.edges[fmt.Sprint(node)] != rate {
			return fmt.Sprintf("edges of %d", node)
		}
	}
	return ""
}

func anyRow(t *rapid.T) row {
	share := rapid.Int64Range(0, 1000)
	rate := rapid.Map(rapid.Float64Range(0, 1e9), digits)
	return row{
		share.Draw(t, "busy"), share.Draw(t, "bp"), share.Draw(t, "idle"), rate.Draw(t, "in"), rate.Draw(t, "out"), rate.Draw(t, "bytes"),
		rapid.SampledFrom(taskStates).Draw(t, "state"), rapid.SampledFrom([]int64{math.MinInt64, 0, 7, math.MaxInt64}).Draw(t, "watermark"),
	}
}

// A page that merges all frames has what the job does.
func TestFramesAddUp(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := sample{rates: map[int]float64{}}
		for v := range rapid.IntRange(1, 4).Draw(t, "vertices") {
			c := columns{id: fmt.Sprint("v", v)}
			for range rapid.IntRange(1, 5).Draw(t, "parallelism") {
				c.rows = append(c.rows, anyRow(t))
			}
			s.vertices = append(s.vertices, c)
		}
		m, p := mirror{}, page{map[string]*vertexFrame{}, map[string]float64{}}
		changed := len(s.vertices) * 5
		for range 10 {
			if rows := p.merge(readFrame(t, "{"+string(m.append(nil, s)[1:])+"}")); rows > changed {
				t.Fatalf("%d subtasks go over the wire, and %d have changed", rows, changed)
			}
			if wrong := p.differs(s); wrong != "" {
				t.Fatal(wrong)
			}
			next := sample{rates: maps.Clone(s.rates)}
			changed = 0
			for _, v := range s.vertices {
				v.rows = slices.Clone(v.rows)
				for i := range v.rows {
					if rapid.Bool().Draw(t, "changes") {
						was := v.rows[i]
						v.rows[i] = anyRow(t)
						if v.rows[i] != was {
							changed++
						}
					}
				}
				next.vertices = append(next.vertices, v)
			}
			next.rates[rapid.IntRange(1, 3).Draw(t, "node")] = digits(rapid.Float64Range(0, 1e6).Draw(t, "rate"))
			s = next
		}
	})
}

// manyRows is a job of one vertex whose subtasks all change all the time.
func manyRows(n int, tick int64) sample {
	c := columns{id: "v", rows: make([]row, n)}
	for i := range c.rows {
		c.rows[i] = row{busy: (int64(i) + tick) % 1000, in: float64(tick), state: execgraph.Running, watermark: tick}
	}
	return sample{vertices: []columns{c}, rates: map[int]float64{}}
}

// A frame has a bound, and every subtask has its turn; those in another state first.
func TestFramesAreBounded(t *testing.T) {
	const many = 3*mostRows - 500
	m, p := mirror{}, page{map[string]*vertexFrame{}, map[string]float64{}}
	next := func(s sample) frame { return readFrame(t, "{"+string(m.append(nil, s)[1:])+"}") }
	if rows := p.merge(next(manyRows(many, 0))); rows != many {
		t.Errorf("the first frame has %d subtasks", rows)
	}
	seen := map[int]bool{}
	for tick := int64(1); tick <= 3; tick++ {
		s := manyRows(many, tick)
		s.vertices[0].rows[many-1].state = taskStates[tick]
		f := next(s)
		if rows := p.merge(f); rows > mostRows {
			t.Errorf("a frame has %d subtasks", rows)
		}
		if of := f.Vertices["v"].Subtasks; of[len(of)-1] != many-1 {
			t.Errorf("the one in another state is not in frame %d, which ends with %d", tick, of[len(of)-1])
		}
		for _, i := range f.Vertices["v"].Subtasks {
			seen[i] = true
		}
	}
	if len(seen) != many {
		t.Errorf("after three frames %d of %d subtasks were there", len(seen), many)
	}
}

func TestDigits(t *testing.T) {
	for v, want := range map[float64]float64{0: 0, 0.004: 0, 0.126: 0.13, 9.999: 10, 12.345: 12.35, 123.45: 123, 99950: 99950 + 50, 1234567: 1230000} {
		if got := digits(v); got != want {
			t.Errorf("%v becomes %v, want %v", v, got, want)
		}
	}
}

// thousand is a job of 1,000 subtasks that has run for a while.
func thousand(b *bench) *view.Job {
	return b.cluster.replace(b.cluster.list[0], func(j *view.Job) {
		for v := range j.Vertices {
			one := j.Vertices[v].Subtasks[0]
			j.Vertices[v].Subtasks = nil
			for range 250 {
				j.Vertices[v].Subtasks = append(j.Vertices[v].Subtasks, view.Subtask{Attempts: slices.Clone(one.Attempts)})
			}
		}
	})
}

// A frame of 1,000 subtasks is to cost less than 1 % of a core, 10 ms a second; five times that, as machines differ.
func TestFramesAreCheap(t *testing.T) {
	b := newBench(t, nil, Options{})
	j := thousand(b)
	b.rest.history.note(j, 1000)
	best := time.Hour
	for range 10 {
		began := cputime.Used(t)
		m := mirror{}
		if frame := m.append(nil, b.rest.sample(j)); len(frame) < 1000 {
			t.Fatal(string(frame))
		}
		best = min(best, cputime.Used(t)-began)
	}
	if best > 50*time.Millisecond {
		t.Errorf("it took %v", best)
	}
}

// BenchmarkFrame is what one page costs the JobManager a second, of a job of 1,000 subtasks that all work: a snapshot noted, rates, and
// a frame.
func BenchmarkFrame(b *testing.B) {
	bench := newBench(b, nil, Options{})
	j := thousand(bench)
	tick := int64(0)
	m := mirror{}
	size := 0
	b.ReportAllocs()
	for b.Loop() {
		tick++
		for v := range j.Vertices {
			for s := range j.Vertices[v].Subtasks {
				m := *j.Vertices[v].Subtasks[s].Current().Metrics
				m.At += 1000
				m.Busy += time.Duration(300+(int(tick)*s)%500) * time.Millisecond
				j.Vertices[v].Subtasks[s].Current().Metrics = &m
			}
		}
		bench.rest.history.note(j, tick*1000)
		size += len(m.append(nil, bench.rest.sample(j)))
	}
	b.ReportMetric(float64(size)/float64(b.N), "bytes/frame")
}
