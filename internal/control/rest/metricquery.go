package rest

import (
	"encoding/json"
	"errors"
	"math"
	"net/http"
	"slices"
	"strconv"
	"strings"

	"github.com/flott-dev/flott/internal/control/view"
)

// metricValue is a metric that was asked for; without value it is only named.
type metricValue struct {
	ID    string `json:"id"`
	Value string `json:"value,omitempty"`
}

// chosen is the metrics that a query names, or, if it names none, the names of all.
func (c *call) chosen(all []metric) []metricValue {
	values := []metricValue{}
	get := c.set("get")
	if len(get) == 0 {
		for _, m := range all {
			values = append(values, metricValue{ID: m.id})
		}
		return values
	}
	for _, m := range all {
		if get[m.id] {
			values = append(values, metricValue{m.id, m.text})
		}
	}
	return values
}

// jobMetrics knows nothing of a job that is over, nor of an unknown one, which is no error here.
func (c *call) jobMetrics() ([]metricValue, error) {
	j, err := c.known()
	if j == nil {
		return []metricValue{}, err
	}
	return c.chosen(jobMetrics(j, now())), nil
}

// known is the job in the path that metrics are asked of; nil: there is none, which is no error. A job that is over has none any more:
// what it did each second at its end would look like what it does now.
func (c *call) known() (*view.Job, error) {
	want, err := c.jobID()
	if err != nil {
		return nil, err
	}
	j, err := c.server.history.job(c.Context(), want)
	if errors.Is(err, view.ErrUnknownJob) || err == nil && j.State.Terminal() {
		return nil, nil
	}
	return j, err
}

// knownVertex is the vertex in the path; false: there is none, which is no error.
func (c *call) knownVertex() (place, bool, error) {
	want, err := c.vertexID()
	if err != nil {
		return place{}, false, err
	}
	j, err := c.known()
	if j == nil {
		return place{}, false, err
	}
	p, ok := placeOf(j, want)
	return p, ok, nil
}

// vertexMetrics has the metrics of all subtasks, with the subtask in front.
func (c *call) vertexMetrics() ([]metricValue, error) {
	p, ok, err := c.knownVertex()
	if !ok {
		return []metricValue{}, err
	}
	var all []metric
	for i := range p.now.Subtasks {
		for _, m := range c.server.subtaskMetrics(p, i) {
			m.id = strconv.Itoa(i) + "." + m.id
			all = append(all, m)
		}
	}
	return c.chosen(all), nil
}

func (c *call) subtaskMetrics() ([]metricValue, error) {
	i, err := c.number("subtaskindex")
	if err != nil {
		return nil, err
	}
	p, ok, err := c.knownVertex()
	if !ok || i >= len(p.now.Subtasks) {
		return []metricValue{}, err
	}
	return c.chosen(c.server.subtaskMetrics(p, i)), nil
}

// coordinatorMetrics is empty: enumerators have no metrics of their own yet.
func (c *call) coordinatorMetrics() ([]metricValue, error) {
	_, _, err := c.knownVertex()
	return []metricValue{}, err
}

// metricAggregate is a metric over several subtasks, jobs or TaskManagers, with what was asked for.
type metricAggregate struct {
	ID   string
	aggs []aggregation
	of   []float64
}

// MarshalJSON writes the members that were asked for.
func (m metricAggregate) MarshalJSON() ([]byte, error) {
	var b strings.Builder
	quoted, err := json.Marshal(m.ID)
	b.WriteString(`{"id":` + string(quoted))
	for _, a := range m.aggs {
		if len(m.of) == 0 {
			break
		}
		number, _ := double(a.of(m.of)).MarshalJSON() // never fails
		b.WriteString(`,"` + a.name + `":` + string(number))
	}
	b.WriteString("}")
	return []byte(b.String()), err
}

// An aggregation makes one number of many, at least one.
type aggregation struct {
	name string
	of   func([]float64) float64
}

var aggregations = []aggregation{
	{"min", func(v []float64) float64 { return slices.Min(v) }},
	{"max", func(v []float64) float64 { return slices.Max(v) }},
	{"avg", mean},
	{"sum", sum},
	{"skew", skew},
}

func sum(v []float64) (s float64) {
	for _, x := range v {
		s += x
	}
	return s
}

func mean(v []float64) float64 { return sum(v) / float64(len(v)) }

// skew is the mean distance from the mean, in percent of it.
func skew(v []float64) float64 {
	m, distance := mean(v), 0.0
	for _, x := range v {
		distance += math.Abs(x - m)
	}
	if m == 0 {
		return 0
	}
	return distance / float64(len(v)) / m * 100
}

// aggregations is what the query asks for; all if it does not say.
func (c *call) aggregations() ([]aggregation, error) {
	names := c.list("agg")
	if len(names) == 0 {
		return aggregations, nil
	}
	var chosen []aggregation
	for _, name := range names {
		i := slices.IndexFunc(aggregations, func(a aggregation) bool { return a.name == strings.ToLower(name) })
		if i < 0 {
			return nil, refuse(http.StatusBadRequest, "Bad request, could not parse parameters: Cannot resolve query parameter (agg) from value %q.", name)
		}
		chosen = append(chosen, aggregations[i])
	}
	return chosen, nil
}

// aggregated is what a query wants of several sets of metrics.
func (c *call) aggregated(sets [][]metric) ([]metricAggregate, error) {
	aggs, err := c.aggregations()
	if err != nil {
		return nil, err
	}
	get := c.set("get")
	all, index := []metricAggregate{}, map[string]int{}
	for _, set := range sets {
		for _, m := range set {
			if len(get) > 0 && (!get[m.id] || math.IsNaN(m.number)) {
				continue
			}
			i, ok := index[m.id]
			if !ok {
				i = len(all)
				index[m.id] = i
				all = append(all, metricAggregate{ID: m.id, aggs: aggs})
			}
			if len(get) > 0 {
				all[i].of = append(all[i].of, m.number)
			}
		}
	}
	return all, nil
}

func (c *call) subtasksMetrics() ([]metricAggregate, error) {
	p, ok, err := c.knownVertex()
	if err != nil {
		return nil, err
	}
	var all []view.Subtask
	if ok {
		all = p.now.Subtasks
	}
	wanted, err := c.subtasks(len(all))
	if err != nil {
		return nil, err
	}
	var sets [][]metric
	for i := range all {
		if wanted[i] {
			sets = append(sets, c.server.subtaskMetrics(p, i))
		}
	}
	return c.aggregated(sets)
}

// subtasks says which of n subtasks the query wants, such as 0-2,5. It takes no longer for wide ranges than for narrow ones.
func (c *call) subtasks(n int) ([]bool, error) {
	list := c.list("subtasks")
	if len(list) == 0 {
		return slices.Repeat([]bool{true}, n), nil
	}
	changes := make([]int, n+1) // by how many ranges more a subtask is wanted than the one before
	for _, r := range list {
		first, last, isRange := strings.Cut(r, "-")
		if !isRange {
			last = first
		}
		from, err := strconv.Atoi(first)
		to, err2 := strconv.Atoi(last)
		if err != nil || err2 != nil {
			return nil, c.badQuery("subtasks")
		}
		if from < n && from <= to {
			changes[from]++
			changes[min(to, n-1)+1]--
		}
	}
	wanted, ranges := make([]bool, n), 0
	for i := range wanted {
		ranges += changes[i]
		wanted[i] = ranges > 0
	}
	return wanted, nil
}

func (c *call) jobsMetrics() ([]metricAggregate, error) {
	jobs, err := c.server.source.Jobs(c.Context())
	if err != nil {
		return nil, err
	}
	wanted, at := c.list("jobs"), now()
	var sets [][]metric
	for _, j := range jobs {
		if !j.State.Terminal() && (len(wanted) == 0 || slices.Contains(wanted, j.ID.String())) {
			sets = append(sets, jobMetrics(j, at))
		}
	}
	return c.aggregated(sets)
}

func (c *call) managersMetrics() ([]metricAggregate, error) {
	managers, err := c.server.source.TaskManagers(c.Context())
	if err != nil {
		return nil, err
	}
	wanted := c.list("taskmanagers")
	var sets [][]metric
	for _, t := range managers {
		if len(wanted) == 0 || slices.Contains(wanted, t.ID) {
			sets = append(sets, processMetrics(t.Process))
		}
	}
	return c.aggregated(sets)
}

func (c *call) managerMetrics() ([]metricValue, error) {
	t, err := c.manager()
	if err != nil {
		return []metricValue{}, nil
	}
	return c.chosen(processMetrics(t.Process)), nil
}

func (c *call) jobManagerMetrics() ([]metricValue, error) {
	f, err := c.server.source.JobManager().Figures(c.Context())
	if err != nil {
		return nil, err
	}
	managers, err := c.server.source.TaskManagers(c.Context())
	if err != nil {
		return nil, err
	}
	jobs, err := c.server.source.Jobs(c.Context())
	return c.chosen(append(clusterMetrics(managers, jobs), processMetrics(f)...)), err
}
