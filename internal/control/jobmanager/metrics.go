package jobmanager

import (
	"context"
	"math"
	"time"

	"github.com/flott-dev/flott/internal/control/rpc"
	"github.com/flott-dev/flott/internal/control/view"
	"github.com/flott-dev/flott/internal/decide/schedule"
	"github.com/flott-dev/flott/internal/graph/execgraph"
	"github.com/flott-dev/flott/internal/id"
	"github.com/flott-dev/flott/internal/label"
)

// OperatorMetrics is what all subtasks of an operator have counted together. A chain spends its time as one: its operators have
// the same Times.
type OperatorMetrics struct {
	ID   id.Operator
	Name string
	rpc.Times
	rpc.Counters // the watermark is the smallest of any subtask
}

// Metrics are those of the operators at this moment, or at the end of the job: in the order of the job graph, by vertex, then as
// in the chain. They have to be asked for; nothing is sent as long as nobody does.
func (m *JobMaster) Metrics(ctx context.Context) ([]OperatorMetrics, error) {
	return ask(ctx, m, func() []OperatorMetrics { return m.tally.operators(m.graph) })
}

// View is a snapshot of the job with its newest metrics.
func (m *JobMaster) View(ctx context.Context) (*view.Job, error) { return newest(ctx, m, m.view) }

// newest is what can be said with the newest metrics. Workers that do not answer soon are not waited for.
func newest[T any](ctx context.Context, m *JobMaster, of func() T) (T, error) {
	soon, cancel := context.WithTimeout(ctx, answerWithin)
	defer cancel()
	v, err := ask(soon, m, of)
	if err != nil && ctx.Err() == nil {
		return last(ctx, m, of)
	}
	return v, err
}

// answerWithin is how long newest waits for metrics.
const answerWithin = 500 * time.Millisecond

// last is what can be said with the metrics that came last.
func last[T any](ctx context.Context, m *JobMaster, of func() T) (answer T, err error) {
	got := make(chan T, 1)
	m.inbox.Put(func() { label.Watch(func() { got <- of() }) })
	select {
	case answer = <-got:
		return answer, nil
	case <-m.done:
		return of(), nil
	case <-ctx.Done():
		return answer, ctx.Err()
	}
}

// ask gets an answer of the job's goroutine when all workers have sent their metrics. When the job is over nobody needs to be asked.
func ask[T any](ctx context.Context, m *JobMaster, of func() T) (answer T, err error) {
	got := make(chan T, 1)
	m.inbox.Put(func() { label.Watch(func() { m.measure(func() { got <- of() }) }) })
	select {
	case answer = <-got:
		return answer, nil
	case <-m.done:
		return of(), nil
	case <-ctx.Done():
		return answer, ctx.Err()
	}
}

// An asked is a request for metrics that not all workers have answered. They need not: messages may be lost, or the job over.
type asked struct {
	missing map[rpc.WorkerID]bool
	answer  func()
}

// mostAsked is how many requests may wait for answers. Those that came before have found their end in another way.
const mostAsked = 100

// measure asks the workers on behalf of who waits for the answer.
func (m *JobMaster) measure(answer func()) {
	m.requests++
	delete(m.asked, m.requests-mostAsked)
	a := &asked{map[rpc.WorkerID]bool{}, answer}
	m.asked[m.requests] = a
	for id := range m.workers {
		a.missing[id] = true
	}
	if len(a.missing) == 0 {
		answer()
	}
	m.all(func(w *member) { w.Measure(rpc.MetricsRequest{Header: m.header, Number: m.requests}) })
}

// measured takes an answer, which may come twice.
func (m *JobMaster) measured(r rpc.MetricsReport) {
	m.inbox.Put(func() { label.Watch(func() { m.take(r) }) })
}

func (m *JobMaster) take(r rpc.MetricsReport) {
	for _, t := range r.Tasks {
		m.tally.note(t.Attempt, t.TaskMetrics)
	}
	a := m.asked[r.Number]
	if a == nil {
		return
	}
	if delete(a.missing, r.Worker); len(a.missing) == 0 {
		a.answer()
		delete(m.asked, r.Number)
	}
}

// A tally keeps the metrics of attempts, by vertex and subtask: newest first, those that came last.
type tally [][][]tallied

type tallied struct {
	rpc.TaskMetrics
	attempt int
	final   bool // the task has ended
	at      int64
}

// mostTallied is of how many attempts of a subtask metrics are kept: the current one and those that the decider remembers.
const mostTallied = 17

func newTally(g *execgraph.Graph) tally {
	t := make(tally, len(g.Vertices))
	for v := range g.Vertices {
		t[v] = make([][]tallied, len(g.Vertices[v].Executions))
	}
	return t
}

// of is what is known of an attempt; nil: nothing.
func (t tally) of(a schedule.Attempt) *tallied {
	if a.Vertex < 0 || a.Vertex >= len(t) || a.Index < 0 || a.Index >= len(t[a.Vertex]) {
		return nil
	}
	for i := range t[a.Vertex][a.Index] {
		if all := t[a.Vertex][a.Index]; all[i].attempt == a.Number {
			return &all[i]
		}
	}
	return nil
}

// begin makes room for attempts that are deployed.
func (t tally) begin(attempts []schedule.Attempt) {
	for _, a := range attempts {
		all := append([]tallied{{attempt: a.Number}}, t[a.Vertex][a.Index]...)
		t[a.Vertex][a.Index] = all[:min(len(all), mostTallied)]
	}
}

// last takes the metrics of an attempt that has ended.
func (t tally) last(a schedule.Attempt, m rpc.TaskMetrics) {
	if at := t.of(a); at != nil {
		at.TaskMetrics, at.final, at.at = m, true, now()
	}
}

// note takes the metrics of an attempt that goes on, unless it has ended since.
func (t tally) note(a schedule.Attempt, m rpc.TaskMetrics) {
	if at := t.of(a); at != nil && !at.final {
		at.TaskMetrics, at.at = m, now()
	}
}

func (t tally) operators(g *execgraph.Graph) []OperatorMetrics {
	var all []OperatorMetrics
	for v := range g.Vertices {
		chain := g.Vertices[v].Job.Chain
		for i := range chain {
			o := OperatorMetrics{ID: chain[i].ID, Name: chain[i].Name}
			o.Watermark = math.MaxInt64
			for _, attempts := range t[v] {
				var current rpc.TaskMetrics
				if len(attempts) > 0 {
					current = attempts[0].TaskMetrics
				}
				o.add(current, i)
			}
			all = append(all, o)
		}
	}
	return all
}

// add adds what operator i of one task has counted. A task that did not get so far has no counters.
func (o *OperatorMetrics) add(m rpc.TaskMetrics, i int) {
	o.Busy += m.Busy
	o.Idle += m.Idle
	o.BackPressured += m.BackPressured
	if i >= len(m.Operators) {
		o.Watermark = math.MinInt64
		return
	}
	c := &m.Operators[i]
	o.RecordsIn += c.RecordsIn
	o.RecordsOut += c.RecordsOut
	o.LateRecords += c.LateRecords
	o.Watermark = min(o.Watermark, c.Watermark)
}
