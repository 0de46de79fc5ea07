package series

import (
	"cmp"
	"maps"
	"math"
	"slices"

	"github.com/flott-dev/flott/internal/id"
)

// mostSubtasks is how many subtasks a job has that are kept one by one.
const mostSubtasks = 2000

// Summary is what is kept of a vertex in place of its subtasks: two percentiles, and the largest.
var Summary = []string{"p50", "p99", "max"}

// A Store is the rings of all jobs. What they will be, once they are full, is within a bound: a job for whose subtasks there is no room has
// a summary of each vertex, and one for which there is no room either has none. Jobs that are over make room, the oldest first.
type Store struct {
	most int // bytes
	jobs map[id.Job]*Job
	made int // jobs so far
}

// NewStore is empty. It takes so many bytes at most.
func NewStore(most int) *Store { return &Store{most: most, jobs: map[id.Job]*Job{}} }

// A Job is the rings of a job: its own, and one for each vertex.
type Job struct {
	Total    Ring
	Vertices []Vertex
	bytes    int
	number   int
	over     bool
}

// A Vertex is the rings of a vertex. A row is figure by figure, each with its numbers of all subtasks, or the Summary of them. Both are
// kept when there are many, as nobody looks at so many curves, and summing up an hour of them takes time.
type Vertex struct {
	Subtasks int
	figures  int
	each     *Ring // nil: there is only the summary
	summary  *Ring // nil: there are only few subtasks
}

// few is up to how many subtasks there is no summary, but where there is nothing else.
const few = 64

// Job is the rings of a job; nil: it has none.
func (s *Store) Job(job id.Job) *Job { return s.jobs[job] }

// Begin makes rings for a job of these parallelisms, with so many figures of itself and of each subtask; nil: there is no room.
func (s *Store) Begin(job id.Job, total, figures int, parallelism []int) *Job {
	if j := s.jobs[job]; j != nil {
		return j
	}
	subtasks := 0
	for _, p := range parallelism {
		subtasks += p
	}
	for _, summed := range []bool{false, true} {
		if !summed && subtasks > mostSubtasks {
			continue
		}
		j := newJob(total, figures, parallelism, summed)
		if s.makeRoom(j.bytes) {
			s.made++
			j.number = s.made
			s.jobs[job] = j
			return j
		}
	}
	return nil
}

func newJob(total, figures int, parallelism []int, summed bool) *Job {
	j := &Job{Vertices: make([]Vertex, len(parallelism)), bytes: bytesOf(total)}
	for i, subtasks := range parallelism {
		v := &j.Vertices[i]
		*v = Vertex{Subtasks: subtasks, figures: figures}
		if !summed {
			v.each = &Ring{}
			j.bytes += bytesOf(subtasks * figures)
		}
		if summed || subtasks > few {
			v.summary = &Ring{}
			j.bytes += bytesOf(len(Summary) * figures)
		}
	}
	return j
}

// bytesOf is what a ring takes when it is full: numbers, and for each row a date and a slice.
func bytesOf(numbers int) int { return Length * (4*numbers + 32) }

// makeRoom drops jobs that are over until there is room.
func (s *Store) makeRoom(bytes int) bool {
	for s.Bytes()+bytes > s.most {
		oldest := s.oldestOver()
		if oldest == nil {
			return false
		}
		maps.DeleteFunc(s.jobs, func(_ id.Job, j *Job) bool { return j == oldest })
	}
	return true
}

func (s *Store) oldestOver() *Job {
	over := slices.Collect(maps.Values(s.jobs))
	over = slices.DeleteFunc(over, func(j *Job) bool { return !j.over })
	if len(over) == 0 {
		return nil
	}
	return slices.MinFunc(over, func(x, y *Job) int { return cmp.Compare(x.number, y.number) })
}

// Bytes is what all rings take when they are full.
func (s *Store) Bytes() (sum int) {
	for _, j := range s.jobs {
		sum += j.bytes
	}
	return sum
}

// Over says that nothing more will be measured of a job.
func (s *Store) Over(job id.Job) {
	if j := s.jobs[job]; j != nil {
		j.over = true
	}
}

// Keep drops the jobs that are not wanted any more.
func (s *Store) Keep(wanted func(id.Job) bool) {
	maps.DeleteFunc(s.jobs, func(job id.Job, _ *Job) bool { return !wanted(job) })
}

// Put adds what was measured of all subtasks of the vertex: figures[k][i] is figure k of subtask i.
func (v *Vertex) Put(at int64, figures [][]float32) {
	if v.each != nil {
		v.each.Put(at, slices.Concat(figures...))
	}
	if v.summary == nil || !v.summary.Wants(at) {
		return
	}
	var row []float32
	for _, of := range figures {
		row = append(row, Summarize(of)...)
	}
	v.summary.Put(at, row)
}

// From is the time of the oldest row that there is; 0: there is none.
func (v *Vertex) From() int64 {
	if v.each == nil {
		return v.summary.From()
	}
	return v.each.From()
}

// Figure is one figure of a subtask, from a time on; nil: only the summary is kept.
func (v *Vertex) Figure(figure, subtask int, from int64) []float32 {
	if v.each == nil {
		return nil
	}
	return v.each.Column(figure*v.Subtasks+subtask, from)
}

// Summary is one figure of the vertex, from a time on: a curve for each part of Summary; nil: there are so few subtasks that there is none.
func (v *Vertex) Summary(figure int, from int64) (curves [][]float32) {
	if v.summary == nil {
		return nil
	}
	for k := range Summary {
		curves = append(curves, v.summary.Column(figure*len(Summary)+k, from))
	}
	return curves
}

// Summarize is the Summary of the numbers that are known.
func Summarize(numbers []float32) []float32 {
	known := slices.DeleteFunc(slices.Clone(numbers), func(v float32) bool { return math.IsNaN(float64(v)) })
	if len(known) == 0 {
		return []float32{Unknown, Unknown, Unknown}
	}
	slices.Sort(known)
	return []float32{percentile(known, 50), percentile(known, 99), known[len(known)-1]}
}

// percentile is the least number that is not below so many percent of all.
func percentile(sorted []float32, percent int) float32 {
	return sorted[(len(sorted)*percent+99)/100-1]
}
