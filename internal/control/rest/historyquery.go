package rest

import (
	"math"
	"net/http"
	"slices"
	"strconv"

	"github.com/flott-dev/flott/internal/control/rest/series"
	"github.com/flott-dev/flott/internal/control/view"
	"github.com/flott-dev/flott/internal/id"
)

// A seriesBody is figures over the last hour: a number for each step from a time on, for each lane.
type seriesBody struct {
	From   int64              `json:"from"` // 0: there is nothing yet
	Step   int64              `json:"step"`
	Lanes  []string           `json:"lanes"` // subtasks, or percentiles over them, or the job
	Series map[string][]curve `json:"series"`
}

// A curve is the numbers of one lane. What was not measured is null.
type curve []float32

// MarshalJSON writes the numbers with the digits that can be seen.
func (c curve) MarshalJSON() ([]byte, error) {
	b := []byte{'['}
	for i, v := range c {
		if i > 0 {
			b = append(b, ',')
		}
		if math.IsNaN(float64(v)) {
			b = append(b, "null"...)
		} else {
			b = strconv.AppendFloat(b, digits(float64(v)), 'f', -1, 64)
		}
	}
	return append(b, ']'), nil
}

// seriesOf answers for a job, a vertex or one of its subtasks.
func (c *call) seriesOf() (b seriesBody, err error) {
	j, err := c.job()
	if err != nil {
		return b, err
	}
	b = seriesBody{Step: series.Step, Lanes: []string{}, Series: map[string][]curve{}}
	if c.param("vertex") == "" {
		return b, c.jobSeries(j, &b)
	}
	return b, c.vertexSeries(j, &b)
}

func (c *call) jobSeries(j *view.Job, b *seriesBody) error {
	figures, err := c.figures(jobFigures)
	c.server.history.recorder.with(j.ID, func(rings *series.Job) {
		if rings == nil {
			return
		}
		b.From, b.Lanes = rings.Total.From(), []string{"job"}
		for _, k := range figures {
			b.Series[jobFigures[k]] = []curve{rings.Total.Column(k, b.From)}
		}
	})
	return err
}

func (c *call) vertexSeries(j *view.Job, b *seriesBody) error {
	p, only, err := c.lane(j)
	if err != nil {
		return err
	}
	figures, err := c.figures(taskFigures)
	c.server.history.recorder.with(j.ID, func(rings *series.Job) {
		if rings == nil {
			return
		}
		ring := &rings.Vertices[p.index]
		b.From = ring.From()
		for _, k := range figures {
			b.Series[taskFigures[k]], b.Lanes = curves(ring, k, only, b.From)
		}
	})
	return err
}

// curves is one figure of one subtask of a vertex, or with -1 of all: of many, and where no more is known, the summary.
func curves(v *series.Vertex, figure, subtask int, from int64) (all []curve, lanes []string) {
	if subtask >= 0 {
		if one := v.Figure(figure, subtask, from); one != nil {
			return []curve{one}, []string{strconv.Itoa(subtask)}
		}
	}
	if sums := v.Summary(figure, from); sums != nil {
		for _, s := range sums {
			all = append(all, s)
		}
		return all, series.Summary
	}
	for i := range v.Subtasks {
		all, lanes = append(all, v.Figure(figure, i, from)), append(lanes, strconv.Itoa(i))
	}
	return all, lanes
}

// lane is the vertex that the query names, and the subtask; -1: none.
func (c *call) lane(j *view.Job) (p place, subtask int, err error) {
	want, err := id.ParseOperator(c.param("vertex"))
	if err != nil {
		return p, -1, c.badQuery("vertex")
	}
	p, ok := placeOf(j, want)
	if !ok {
		return p, -1, notFound("JobVertex %s not found", want)
	}
	if c.param("subtask") == "" {
		return p, -1, nil
	}
	subtask, err = strconv.Atoi(c.param("subtask"))
	if err != nil || subtask < 0 || subtask >= len(p.now.Subtasks) {
		return p, -1, c.badQuery("subtask")
	}
	return p, subtask, nil
}

// figures is which of some the query names; all if it does not say.
func (c *call) figures(of []string) ([]int, error) {
	var all []int
	for _, name := range c.list("names") {
		k := slices.Index(of, name)
		if k < 0 {
			return nil, refuse(http.StatusBadRequest, "There is no figure %q: there are %v.", name, of)
		}
		all = append(all, k)
	}
	if all == nil {
		for k := range of {
			all = append(all, k)
		}
	}
	return all, nil
}

// A spark is what a job did in the last minutes, short enough for a row of a table.
type spark struct {
	From int64 `json:"from"`
	Step int64 `json:"step"`
	RPS  curve `json:"rps"`
	Lag  curve `json:"lag"`
}

// sparkSteps is how long a spark is: ten minutes.
const sparkSteps = 60

// spark is nil if nothing was measured.
func (r *recorder) spark(job id.Job) (all *spark) {
	r.with(job, func(rings *series.Job) {
		if rings == nil || rings.Total.From() == 0 {
			return
		}
		from := max(rings.Total.From(), rings.Total.Last()-(sparkSteps-1)*series.Step)
		all = &spark{from, series.Step, rings.Total.Column(0, from), rings.Total.Column(1, from)}
	})
	return all
}

// trendSteps is over how long a trend is taken: five minutes, of which a fifth must be there.
const trendSteps = 30

// lagTrend is how many milliseconds event time falls behind in each second; nil: it is not known yet.
func (r *recorder) lagTrend(job id.Job) (trend *int64) {
	r.with(job, func(rings *series.Job) {
		if rings == nil {
			return
		}
		lag := rings.Total.Column(1, rings.Total.Last()-(trendSteps-1)*series.Step)
		lag = lag[max(0, slices.IndexFunc(lag, known)):]
		if n := len(lag) - 1; n >= trendSteps/5 && known(lag[0]) && known(lag[n]) {
			gained := int64(float64(lag[n]-lag[0]) / float64(n*series.Step/1000))
			trend = &gained
		}
	})
	return trend
}

func known(v float32) bool { return !math.IsNaN(float64(v)) }
