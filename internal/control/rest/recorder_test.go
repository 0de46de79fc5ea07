package rest

import (
	"encoding/json"
	"fmt"
	"math"
	"slices"
	"testing"
	"time"

	"github.com/flott-dev/flott/internal/control/rest/series"
	"github.com/flott-dev/flott/internal/control/view"
)

// live shows a job over some steps, in which each of its tasks does as much in each as before; do changes it in each step.
func (b *bench) live(steps int, do func(j *view.Job, step int)) (at int64) {
	at = now() / series.Step * series.Step
	for step := range steps {
		at += series.Step
		j := b.cluster.replace(b.cluster.list[0], func(j *view.Job) {
			for v := range j.Vertices {
				for s := range j.Vertices[v].Subtasks {
					a := j.Vertices[v].Subtasks[s].Current()
					m := *a.Metrics
					m.At = at
					m.Busy += 2500 * time.Millisecond
					m.Operators = slices.Clone(m.Operators)
					for o := range m.Operators {
						m.Operators[o].RecordsIn += 5000
						m.Operators[o].RecordsOut += 5000
					}
					a.Metrics = &m
				}
			}
			do(j, step)
		})
		b.rest.history.recorder.note(j, at)
	}
	return at
}

// setWatermarks lets all tasks have come so far.
func setWatermarks(j *view.Job, mark int64) {
	for v := range j.Vertices {
		for s := range j.Vertices[v].Subtasks {
			for o := range j.Vertices[v].Subtasks[s].Current().Metrics.Operators {
				j.Vertices[v].Subtasks[s].Current().Metrics.Operators[o].Watermark = mark
			}
		}
	}
}

func TestHistoryOfAVertex(t *testing.T) {
	b := newBench(t, nil, Options{})
	path := "/jobs/" + running + "/flott/history?vertex=" + vertexForProfile
	at := b.live(4, func(j *view.Job, step int) {
		setWatermarks(j, math.MinInt64)
		if step == 3 {
			setWatermarks(j, j.Vertices[0].Subtasks[0].Current().Metrics.At-1500)
		}
	})
	var h map[string]any
	b.into(path+"&names=in,busy,lag&subtask=0", &h)
	want := fmt.Sprintf("map[from:%v lanes:[0] series:map[busy:[[x 250 250 250]] in:[[x 500 500 500]] lag:[[<nil> <nil> <nil> 1500]]] step:10000]", float64(at-3*series.Step))
	for _, figure := range []string{"in", "busy"} {
		h["series"].(map[string]any)[figure].([]any)[0].([]any)[0] = "x" // the first is over all its life
	}
	if got := fmt.Sprint(h); got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
	if b.into(path, &h); len(h["series"].(map[string]any)) != len(taskFigures) {
		t.Errorf("all figures are %v", h["series"])
	}
	for query, status := range map[string]int{"&names=x": 400, "&subtask=1": 400, "&subtask=-1": 400, "&subtask=x": 400, "x": 400} {
		if a, _ := b.ask("GET", path+query, ""); a.StatusCode != status {
			t.Errorf("%s: %s, want %d", query, a.Status, status)
		}
	}
	if a, _ := b.ask("GET", "/jobs/"+running+"/flott/history?vertex="+nobody, ""); a.StatusCode != 404 {
		t.Errorf("of no vertex: %s", a.Status)
	}
}

func TestHistoryOfManySubtasksIsSummed(t *testing.T) {
	b := newBench(t, nil, Options{})
	thousand(b)
	b.live(3, func(j *view.Job, step int) {
		for s := range j.Vertices[2].Subtasks {
			j.Vertices[2].Subtasks[s].Current().Metrics.Busy += time.Duration(step*s*10) * time.Millisecond
		}
	})
	path := "/jobs/" + running + "/flott/history?names=busy&vertex=" + vertexForProfile
	last := func(query string) (all string) {
		var h struct {
			Lanes  []string
			Series struct{ Busy [][]float64 }
		}
		b.into(path+query, &h)
		for i, lane := range h.Lanes {
			all += fmt.Sprintf("%s %v ", lane, h.Series.Busy[i][2])
		}
		return all
	}
	if got := last(""); got != "p50 498 p99 744 max 748 " {
		t.Errorf("all: %s", got)
	}
	if got := last("&subtask=7"); got != "7 264 " {
		t.Errorf("one: %s", got)
	}
}

func TestJobsHaveSparks(t *testing.T) {
	b := newBench(t, nil, Options{})
	mark := now() - 5000
	b.live(8, func(j *view.Job, _ int) { setWatermarks(j, mark) })
	var raw struct {
		Jobs []struct{ Flott map[string]json.RawMessage }
	}
	b.into("/jobs/overview", &raw)
	f := raw.Jobs[0].Flott
	var s struct {
		Step     int64
		RPS, Lag []float64
	}
	if err := json.Unmarshal(f["series"], &s); err != nil {
		t.Fatal(err)
	}
	if s.Step != series.Step || len(s.RPS) != 8 || s.RPS[7] != 1000 || len(s.Lag) != 8 || s.Lag[7]-s.Lag[0] < 69_000 {
		t.Errorf("series %s", f["series"])
	}
	var lag, trend, since int64
	for name, v := range map[string]*int64{"lag": &lag, "lagTrend": &trend, "since": &since} {
		if err := json.Unmarshal(f[name], v); err != nil {
			t.Fatal(name, err)
		}
	}
	if lag < 5000 || lag > 60_000 || trend != 1000 || since != b.cluster.list[0].Entered[view.Running] {
		t.Errorf("lag %d, trend %d, since %d", lag, trend, since)
	}
	if f := raw.Jobs[3].Flott; string(f["lagTrend"]) != "null" || f["series"] != nil {
		t.Errorf("of a job that nobody has measured: %s", f)
	}
	if over := raw.Jobs[1].Flott; string(over["lag"]) != "null" {
		t.Errorf("a job that is over is behind: %s", over)
	}
}

func TestEventTimeBeyondCalendarsIsBehind(t *testing.T) {
	for _, test := range []struct{ watermark, want int64 }{
		{5, 95}, {105, -5}, {math.MinInt64 + 1, 1<<62 + 100}, {math.MaxInt64 - 1, 101 - math.MaxInt64},
	} {
		if got := behind(test.watermark, 100); got != test.want {
			t.Errorf("%d is %d behind 100, want %d", test.watermark, got, test.want)
		}
	}
}

// What a job did is still known when it is over, and forgotten when it is not known any more.
func TestHistoryGoesWithItsJob(t *testing.T) {
	b := newBench(t, nil, Options{})
	b.live(1, func(*view.Job, int) {})
	j := b.cluster.replace(b.cluster.list[0], func(j *view.Job) { j.State = view.Finished })
	rings := func() (is bool) {
		b.rest.history.recorder.with(j.ID, func(r *series.Job) { is = r != nil })
		return is
	}
	if b.rest.watch(t.Context()); !rings() {
		t.Error("it is forgotten when the job is over")
	}
	b.cluster.mu.Lock()
	b.cluster.list = b.cluster.list[1:]
	b.cluster.mu.Unlock()
	if b.rest.watch(t.Context()); rings() {
		t.Error("it is not forgotten with its job")
	}
}
