package rest

import (
	"cmp"
	"fmt"
	"math"
	"net/http"
	"strconv"

	"github.com/flott-dev/flott/internal/control/view"
	"github.com/flott-dev/flott/internal/graph/execgraph"
)

// unassigned is where an attempt runs that has no slot yet.
const unassigned = "(unassigned)"

// noPort is Flink's for a TaskManager that exchanges records with no other.
const noPort = -1

func endpointOf(l view.Location) string {
	if l.TaskManager == "" {
		return unassigned
	}
	return fmt.Sprintf("%s:%d", l.Host, cmp.Or(l.DataPort, noPort))
}

func managerOf(l view.Location) string {
	if l.TaskManager == "" {
		return unassigned
	}
	return l.TaskManager
}

type vertexDetails struct {
	ID             string          `json:"id"`
	Name           string          `json:"name"`
	Parallelism    int             `json:"parallelism"`
	MaxParallelism int             `json:"maxParallelism"`
	Now            int64           `json:"now"`
	Subtasks       []subtaskDetail `json:"subtasks"`
	Aggregated     aggregated      `json:"aggregated"`
}

type aggregated struct {
	Metrics   map[string]statistics `json:"metrics"`
	Durations map[string]statistics `json:"status-duration"`
}

type subtaskDetail struct {
	Subtask  int    `json:"subtask"`
	Status   string `json:"status"`
	Attempt  int    `json:"attempt"`
	Endpoint string `json:"endpoint"`
	span
	Metrics     traffic          `json:"metrics"`
	TaskManager string           `json:"taskmanager-id"`
	Durations   map[string]int64 `json:"status-duration"`
	Legacy      int64            `json:"start_time"` // the same as start-time
	Flott       *subtaskFlott    `json:"flott,omitempty"`
}

// subtaskFlott is what Flink needs a call for each metric for, or lacks: milliseconds a second, records a second, the slot.
type subtaskFlott struct {
	Busy          int64  `json:"busy"`
	Idle          int64  `json:"idle"`
	BackPressured int64  `json:"backPressured"`
	RecordsIn     double `json:"recordsInPerSecond"`
	RecordsOut    double `json:"recordsOutPerSecond"`
	Watermark     *int64 `json:"watermark"` // null: none yet
	Slot          int    `json:"slot"`
}

func (c *call) vertexDetails() (vertexDetails, error) {
	p, err := c.vertex()
	if err != nil {
		return vertexDetails{}, err
	}
	at := now()
	d := vertexDetails{
		ID: p.graph.ID.String(), Name: p.graph.Name, Parallelism: p.now.Parallelism, MaxParallelism: p.now.MaxParallelism,
		Now: at, Subtasks: []subtaskDetail{},
	}
	for i := range p.now.Subtasks {
		d.Subtasks = append(d.Subtasks, c.server.detail(p, i, p.now.Subtasks[i].Current(), at))
	}
	d.Aggregated = aggregate(d.Subtasks)
	return d, nil
}

func (s *Server) detail(p place, subtask int, a *view.Attempt, at int64) subtaskDetail {
	created := p.job.Entered[view.Created]
	when := attemptSpan(a, at)
	return subtaskDetail{
		Subtask: subtask, Status: a.State.String(), Attempt: a.Execution.Attempt, Endpoint: endpointOf(a.Location), span: when,
		Metrics: trafficOf(p.graph, a), TaskManager: managerOf(a.Location),
		Durations: statusDurations(a, created, at), Legacy: when.Start, Flott: s.subtaskFlott(p, subtask, a),
	}
}

func (s *Server) subtaskFlott(p place, subtask int, a *view.Attempt) *subtaskFlott {
	r, ok := s.history.rates(p, subtask, a)
	if !ok {
		return nil
	}
	f := &subtaskFlott{int64(r.busy), int64(r.idle), int64(r.backPressured), double(r.recordsIn), double(r.recordsOut), nil, a.Slot}
	if w := watermarkOf(p, a.Metrics); w != math.MinInt64 {
		f.Watermark = &w
	}
	return f
}

// watermarkOf is how far the event time of a task has come: that of its head.
func watermarkOf(p place, m *view.TaskMetrics) int64 {
	if head := p.graph.Head(); m != nil && head < len(m.Operators) {
		return m.Operators[head].Watermark
	}
	return math.MinInt64
}

func aggregate(subtasks []subtaskDetail) aggregated {
	metrics, durations := spread{}, spread{}
	for i := range subtasks {
		subtasks[i].Metrics.spread(metrics)
		for state, d := range subtasks[i].Durations {
			durations.add(state, d)
		}
	}
	return aggregated{metrics.statistics(), durations.statistics()}
}

func (c *call) subtaskDetails() (subtaskDetail, error) {
	p, i, err := c.subtask()
	if err != nil {
		return subtaskDetail{}, err
	}
	return c.server.detail(p, i, p.now.Subtasks[i].Current(), now()), nil
}

func (c *call) attemptDetails() (subtaskDetail, error) {
	p, i, a, err := c.attempt()
	if err != nil {
		return subtaskDetail{}, err
	}
	return c.server.detail(p, i, a, now()), nil
}

type subtaskTimes struct {
	ID       string        `json:"id"`
	Name     string        `json:"name"`
	Now      int64         `json:"now"`
	Subtasks []subtaskTime `json:"subtasks"`
}

type subtaskTime struct {
	Subtask    int              `json:"subtask"`
	Endpoint   string           `json:"endpoint"`
	Duration   int64            `json:"duration"`
	Timestamps map[string]int64 `json:"timestamps"`
}

func (c *call) subtaskTimes() (subtaskTimes, error) {
	p, err := c.vertex()
	if err != nil {
		return subtaskTimes{}, err
	}
	at := now()
	t := subtaskTimes{p.graph.ID.String(), p.graph.Name, at, []subtaskTime{}}
	for i, a := range current(p.now) {
		when := spanOf(a.Entered[execgraph.Scheduled], ended(a), at)
		t.Subtasks = append(t.Subtasks, subtaskTime{i, endpointOf(a.Location), when.Duration, timestamps(a, p.job.Entered[view.Created])})
	}
	return t, nil
}

type vertexManagers struct {
	ID       string          `json:"id"`
	Name     string          `json:"name"`
	Now      int64           `json:"now"`
	Managers []vertexManager `json:"taskmanagers"`
}

type vertexManager struct {
	Endpoint string `json:"endpoint"`
	Status   string `json:"status"`
	span
	Metrics     traffic        `json:"metrics"`
	Counts      map[string]int `json:"status-counts"`
	TaskManager string         `json:"taskmanager-id"`
	Aggregated  aggregated     `json:"aggregated"`
}

// vertexManagers is a vertex by TaskManager.
func (c *call) vertexManagers() (vertexManagers, error) {
	p, err := c.vertex()
	if err != nil {
		return vertexManagers{}, err
	}
	at := now()
	all := vertexManagers{p.graph.ID.String(), p.graph.Name, at, []vertexManager{}}
	by := map[string][]int{}
	var order []string
	for i, a := range current(p.now) {
		m := managerOf(a.Location)
		if by[m] == nil {
			order = append(order, m)
		}
		by[m] = append(by[m], i)
	}
	for _, m := range order {
		all.Managers = append(all.Managers, c.server.managerOfVertex(p, m, by[m], at))
	}
	return all, nil
}

func (s *Server) managerOfVertex(p place, manager string, subtasks []int, at int64) vertexManager {
	counts := census{}
	var attempts []*view.Attempt
	var details []subtaskDetail
	for _, i := range subtasks {
		a := p.now.Subtasks[i].Current()
		counts[a.State]++
		attempts = append(attempts, a)
		details = append(details, s.detail(p, i, a, at))
	}
	return vertexManager{
		Endpoint: endpointOf(attempts[0].Location), Status: counts.overall().String(), span: attemptsSpan(attempts, at),
		Metrics: trafficOf(p.graph, attempts...), Counts: counts.named(), TaskManager: manager, Aggregated: aggregate(details),
	}
}

// watermarks is empty for sources, which have none to read, and when the job is over, like all metrics.
func (c *call) watermarks() ([]metricValue, error) {
	want, err := c.vertexID()
	if err != nil {
		return nil, err
	}
	j, err := c.job()
	if err != nil {
		return nil, err
	}
	p, ok := placeOf(j, want)
	if !ok {
		return nil, refuse(http.StatusNotFound, "No vertex with ID '%s' exists.", want)
	}
	all := []metricValue{}
	if len(p.graph.Inputs) == 0 || j.State.Terminal() {
		return all, nil
	}
	for i, a := range current(p.now) {
		if a.Metrics != nil {
			all = append(all, metricValue{strconv.Itoa(i) + ".currentInputWatermark", strconv.FormatInt(watermarkOf(p, a.Metrics), 10)})
		}
	}
	return all, nil
}
