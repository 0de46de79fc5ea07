package series

import (
	"math"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/flott-dev/flott/internal/id"
)

// A ring is compared with a list that forgets nothing.
func TestRingIsTheEndOfAList(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var r Ring
		all := map[int64][]float32{} // by step
		at, newest := int64(rapid.IntRange(1, 1<<40).Draw(t, "begin"))+Step, int64(0)
		for range rapid.IntRange(0, 50).Draw(t, "rows") {
			at += rapid.SampledFrom([]int64{0, 1, Step / 2, Step, 3 * Step, (Length - 1) * Step, Length * Step, 5 * Length * Step}).Draw(t, "later")
			row := []float32{float32(at % 1000), float32(at % 77)}
			if r.Wants(at) != (at/Step > newest) {
				t.Fatalf("at %d the ring wants a row: %t", at, r.Wants(at))
			}
			if at/Step > newest {
				newest = at / Step
				all[newest] = row
			}
			r.Put(at, row)
		}
		from := at - rapid.Int64Range(0, 2*Length*Step).Draw(t, "from")
		var want []float32
		oldest := newest
		for step := max(1, newest-Length+1); step <= newest; step++ {
			row, known := all[step]
			if known {
				oldest = min(oldest, step)
			}
			switch {
			case step < from/Step:
			case known:
				want = append(want, row[1])
			default:
				want = append(want, Unknown)
			}
		}
		if got := r.Column(1, from); !slices.EqualFunc(got, want, same) {
			t.Fatalf("column is %v, want %v", got, want)
		}
		if r.From() != oldest*Step {
			t.Fatalf("it begins at %d, want %d", r.From(), oldest*Step)
		}
	})
}

func same(x, y float32) bool {
	return x == y || math.IsNaN(float64(x)) && math.IsNaN(float64(y))
}

// A store stays within its bound, whatever jobs come, and lets go of no job that is not over.
func TestStoreIsBounded(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		const total, figures = 2, 9
		most := rapid.IntRange(0, 20<<20).Draw(t, "most")
		s := NewStore(most)
		var alive []id.Job
		for n := range rapid.IntRange(1, 12).Draw(t, "jobs") {
			job := id.Job{byte(n + 1)}
			parallelism := rapid.SliceOfN(rapid.IntRange(1, 1500), 1, 3).Draw(t, "parallelism")
			if j := s.Begin(job, total, figures, parallelism); j != nil {
				alive = append(alive, job)
				if again := s.Begin(job, total, figures, parallelism); again != j {
					t.Fatal("a job that begins twice has other rings")
				}
			} else if whole := newJob(total, figures, parallelism, true).bytes; s.Bytes()+whole <= most {
				t.Fatalf("job %d has no rings, though there is room", n)
			}
			if s.Bytes() > most {
				t.Fatalf("%d bytes, above %d", s.Bytes(), most)
			}
			for _, a := range alive {
				if s.Job(a) == nil {
					t.Fatalf("job %v was dropped", a)
				}
			}
			if len(alive) > 0 && rapid.Bool().Draw(t, "ends") {
				s.Over(alive[0])
				alive = alive[1:]
			}
		}
	})
}

// measured is the bytes of the numbers that a job holds.
func measured(j *Job) (n int) {
	for i := range j.Vertices {
		for _, ring := range []*Ring{j.Vertices[i].each, j.Vertices[i].summary} {
			for k := 0; ring != nil && k < Length; k++ {
				n += 4 * cap(ring.rows[k].numbers)
			}
		}
	}
	return n
}

func TestManySubtasksAreSummed(t *testing.T) {
	s := NewStore(64 << 20)
	busy, idle := make([]float32, 1001), make([]float32, 1001)
	for i := range busy {
		busy[i], idle[i] = float32(1000-i), Unknown
	}
	idle[3] = 7
	for _, c := range []struct {
		parallelism []int
		of          int // vertex
		each, sums  bool
	}{
		{[]int{999, 1001}, 1, true, true},
		{[]int{1000, 1001}, 1, false, true}, // above mostSubtasks together
		{[]int{few, 1}, 0, true, false},
		{[]int{few + 1, 1}, 0, true, true},
		{[]int{2000, 1}, 1, false, true},
	} {
		job := id.Job{byte(c.parallelism[0]), byte(c.parallelism[1])}
		j := s.Begin(job, 2, 2, c.parallelism)
		v := &j.Vertices[c.of]
		for step := int64(1); step <= 2*Length; step++ {
			v.Put(step*Step, [][]float32{busy[:v.Subtasks], idle[:v.Subtasks]})
		}
		last := int64(2 * Length * Step)
		if v.From() != (Length+1)*Step {
			t.Errorf("%v begin at %d", c.parallelism, v.From())
		}
		if got := v.Figure(1, v.Subtasks-1, last); (got != nil) != c.each || c.each && !slices.EqualFunc(got, idle[v.Subtasks-1:v.Subtasks], same) {
			t.Errorf("%v: the last subtask is %v", c.parallelism, got)
		}
		if got := v.Summary(0, last); (got != nil) != c.sums || v.Subtasks == 1001 && !slices.Equal(slices.Concat(got...), []float32{500, 990, 1000}) {
			t.Errorf("%v: the summary of 0 to 1000 is %v", c.parallelism, got)
		}
		if got := v.Summary(1, last); v.Subtasks == 1001 && !slices.Equal(slices.Concat(got...), []float32{7, 7, 7}) {
			t.Errorf("%v: the summary of one that is known is %v", c.parallelism, got)
		}
		if got := measured(j); got > j.bytes {
			t.Errorf("%v: %d bytes are held, and %d counted", c.parallelism, got, j.bytes)
		}
		s.Keep(func(j id.Job) bool { return j != job })
		if s.Job(job) != nil || s.Bytes() != 0 {
			t.Error("a job that is not wanted is still there")
		}
	}
}
