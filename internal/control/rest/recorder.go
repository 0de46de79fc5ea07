package rest

import (
	"math"
	"sync"

	"github.com/flott-dev/flott/internal/control/rest/series"
	"github.com/flott-dev/flott/internal/control/view"
	"github.com/flott-dev/flott/internal/id"
)

// A recorder keeps what jobs did in the last hour. It takes a row of a job every ten seconds, from whoever looks at it then; the server
// looks at running jobs every few seconds.
type recorder struct {
	mu struct {
		sync.Mutex
		store *series.Store
		last  map[id.Job]*view.Job // as it was when its last row was taken
	}
}

// mostSeriesBytes bounds the memory for all jobs together.
const mostSeriesBytes = 64 << 20

// taskFigures is what is kept of each subtask: shares of a second in milliseconds, numbers a second, milliseconds behind the clock.
var taskFigures = []string{"busy", "bp", "idle", "in", "out", "bytesIn", "bytesOut", "lag", "late"}

// jobFigures is what is kept of a job.
var jobFigures = []string{"rps", "lag"}

func newRecorder() *recorder {
	r := &recorder{}
	r.mu.store, r.mu.last = series.NewStore(mostSeriesBytes), map[id.Job]*view.Job{}
	return r
}

// note takes a row, if it is time for one.
func (r *recorder) note(j *view.Job, at int64) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if j.State.Terminal() {
		return
	}
	parallelism := make([]int, len(j.Vertices))
	for v := range j.Vertices {
		parallelism[v] = len(j.Vertices[v].Subtasks)
	}
	rings := r.mu.store.Begin(j.ID, len(jobFigures), len(taskFigures), parallelism)
	if rings == nil || !rings.Total.Wants(at) {
		return
	}
	var before []*snapshot
	if last := r.mu.last[j.ID]; last != nil {
		before = []*snapshot{{job: last}}
	}
	r.mu.last[j.ID] = j
	var rps float64
	for v := range j.Vertices {
		p := place{j, v, &j.Graph.Vertices[v], &j.Vertices[v]}
		rings.Vertices[v].Put(at, measured(before, p))
		rps += producedBy(before, p)
	}
	rings.Total.Put(at, []float32{float32(rps), lag(watermarkAtEnd(j), at)})
}

// measured is the figures of a vertex, by figure and subtask.
func measured(before []*snapshot, p place) [][]float32 {
	all := make([][]float32, len(taskFigures))
	for k := range all {
		all[k] = make([]float32, len(p.now.Subtasks))
	}
	for i, a := range current(p.now) {
		r, ok := ratesSince(before, p, i, a)
		row := [...]float64{r.busy, r.backPressured, r.idle, r.recordsIn, r.recordsOut, r.bytesIn, r.bytesOut, 0, r.late}
		for k := range all {
			all[k][i] = float32(row[k])
			if !ok || a.State.Terminal() {
				all[k][i] = series.Unknown
			}
		}
		if ok {
			all[7][i] = lag(watermarkOf(p, a.Metrics), a.Metrics.At)
		}
	}
	return all
}

// lag is how far a watermark is behind the clock, in milliseconds. Event time that has not begun, or is over, is behind nothing.
func lag(watermark, at int64) float32 {
	if watermark == math.MinInt64 || watermark == math.MaxInt64 {
		return series.Unknown
	}
	return float32(behind(watermark, at))
}

// behind is the same of event time that there is. Beyond all calendars it is as far as can be counted.
func behind(watermark, at int64) int64 { return at - max(watermark, math.MinInt64/2) }

// watermarkAtEnd is how far the event time of a job has come: in the vertices that nobody reads from, where it is furthest behind.
func watermarkAtEnd(j *view.Job) int64 {
	least := int64(math.MaxInt64)
	for v := range j.Vertices {
		p := place{j, v, &j.Graph.Vertices[v], &j.Vertices[v]}
		if len(p.graph.Produces) > 0 {
			continue
		}
		for _, a := range current(p.now) {
			least = min(least, watermarkOf(p, a.Metrics))
		}
	}
	return least
}

// keep forgets jobs that no longer exist. Of those that are over it still knows the last hour, as long as there is room.
func (r *recorder) keep(jobs []*view.Job) {
	r.mu.Lock()
	defer r.mu.Unlock()
	retain(r.mu.last, jobs, func(j *view.Job) bool { return !j.State.Terminal() })
	known := map[id.Job]bool{}
	for _, j := range jobs {
		known[j.ID] = true
		if j.State.Terminal() {
			r.mu.store.Over(j.ID)
		}
	}
	r.mu.store.Keep(func(j id.Job) bool { return known[j] })
}

// with calls f with the rings of a job, which must not be used any more when it has returned; nil: there are none.
func (r *recorder) with(job id.Job, f func(*series.Job)) {
	r.mu.Lock()
	defer r.mu.Unlock()
	f(r.mu.store.Job(job))
}
