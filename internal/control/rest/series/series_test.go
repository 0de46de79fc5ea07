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

// measured is the bytes of the numbers that a job holds after more than an hour.
func measured(j *Job) (n int) {
	for v := range j.Vertices {
		for _, r := range j.Vertices[v].rows {
			n += 4 * cap(r.numbers)
		}
	}
	return n
}

func TestLargeJobsAreSummed(t *testing.T) {
	s := NewStore(64 << 20)
	small, large := s.Begin(id.Job{1}, 2, 2, []int{1000, 1000}), s.Begin(id.Job{2}, 2, 2, []int{1000, 1001})
	if v := small.Vertices[1]; v.Summed || v.Lanes != 1000 {
		t.Errorf("2000 subtasks: %d lanes, %t", v.Lanes, v.Summed)
	}
	if v := large.Vertices[1]; !v.Summed || v.Lanes != 3 {
		t.Errorf("2001 subtasks: %d lanes, %t", v.Lanes, v.Summed)
	}
	busy, idle := make([]float32, 1001), make([]float32, 1001)
	for i := range busy {
		busy[i], idle[i] = float32(1000-i), Unknown
	}
	idle[3] = 7
	for step := int64(1); step <= 2*Length; step++ {
		large.Vertices[1].Put(step*Step, [][]float32{busy, idle})
	}
	last := int64(2 * Length * Step)
	for lane, want := range map[int]float32{0: 500, 1: 990, 2: 1000} {
		if got := large.Vertices[1].Figure(0, lane, last); !slices.Equal(got, []float32{want}) {
			t.Errorf("%s of 0 to 1000 is %v, want %v", Summary[lane], got, want)
		}
		if got := large.Vertices[1].Figure(1, lane, last); !slices.Equal(got, []float32{7}) {
			t.Errorf("%s of the only one that is known is %v", Summary[lane], got)
		}
	}
	if got := measured(large); got > large.bytes {
		t.Errorf("it holds %d bytes and counts %d", got, large.bytes)
	}
	s.Keep(func(j id.Job) bool { return j == id.Job{1} })
	if s.Job(id.Job{2}) != nil || s.Bytes() != small.bytes {
		t.Error("a job that is not wanted is still there")
	}
}
