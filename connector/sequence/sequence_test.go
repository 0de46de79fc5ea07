package sequence_test

import (
	"math"
	"slices"
	"strconv"
	"testing"
	"testing/synctest"
	"time"

	"github.com/flott-dev/flott/connector"
	"github.com/flott-dev/flott/connector/connectortest"
	"github.com/flott-dev/flott/connector/sequence"
)

func TestSequenceConforms(t *testing.T) {
	for _, c := range []struct{ first, last int64 }{
		{0, 0}, {1, 3}, {-5, 700}, {math.MaxInt64 - 10, math.MaxInt64}, {math.MinInt64, math.MinInt64 + 4},
	} {
		var want []int64
		for i := c.first; ; i++ {
			want = append(want, i)
			if i == c.last {
				break
			}
		}
		connectortest.Source(t, connectortest.SourceCase[int64]{
			New:  func() connector.Source[int64] { return sequence.Of(c.first, c.last) },
			Want: want,
		})
	}
}

func TestGenerateConforms(t *testing.T) {
	for _, n := range []int64{0, 1, 500} {
		for _, perSecond := range []float64{0, 100_000} {
			var want []string
			for i := range n {
				want = append(want, strconv.FormatInt(i, 10))
			}
			connectortest.Source(t, connectortest.SourceCase[string]{
				New: func() connector.Source[string] {
					return sequence.Generate(n, perSecond, func(i int64) string { return strconv.FormatInt(i, 10) })
				},
				Want: want,
			})
		}
	}
}

func TestGenerateBatchConforms(t *testing.T) {
	for _, perSecond := range []float64{0, 100_000} {
		var want []int64
		for i := range int64(500) {
			want = append(want, i*i)
		}
		connectortest.Source(t, connectortest.SourceCase[int64]{
			New:  func() connector.Source[int64] { return sequence.GenerateBatch(500, perSecond, squares) },
			Want: want,
		})
	}
}

func squares(out []int64, first, stride int64) {
	for j := range out {
		i := first + int64(j)*stride
		out[j] = i * i
	}
}

func TestMistakesAreFoundBeforeTheJob(t *testing.T) {
	f := func(i int64) int64 { return i }
	for name, s := range map[string]connector.Source[int64]{
		"backwards":      sequence.Of(3, 2),
		"too many":       sequence.Of(-2, math.MaxInt64),
		"far too many":   sequence.Of(math.MinInt64, math.MaxInt64),
		"nil":            sequence.Generate[int64](1, 0, nil),
		"nil batch":      sequence.GenerateBatch[int64](1, 0, nil),
		"negative rate":  sequence.Generate(1, -1, f),
		"not a number":   sequence.Generate(1, math.NaN(), f),
		"infinite speed": sequence.Generate(1, math.Inf(1), f),
	} {
		if err := s.(connector.Checker).Check(); err == nil {
			t.Errorf("%s: Check found nothing wrong", name)
		}
	}
	for name, s := range map[string]connector.Source[int64]{
		"longest":   sequence.Of(0, math.MaxInt64-1),
		"generator": sequence.Generate(-1, 0.5, f),
	} {
		if err := s.(connector.Checker).Check(); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// one reads what a single reader of s finds.
func one[T any](t *testing.T, s connector.Source[T], parallelism, subtask int, wake func()) connector.Reader[T] {
	t.Helper()
	e, err := s.Enumerator(t.Context(), connector.Setup{Parallelism: parallelism})
	if err != nil {
		t.Fatal(err)
	}
	splits, _, err := e.Next(t.Context(), subtask)
	if err != nil {
		t.Fatal(err)
	}
	r, err := s.Reader(t.Context(), wake)
	if err != nil {
		t.Fatal(err)
	}
	if err := r.Assign(splits); err != nil {
		t.Fatal(err)
	}
	return r
}

func read[T any](t *testing.T, r connector.Reader[T], capacity int) ([]T, connector.Status) {
	t.Helper()
	b := connector.Batch[T]{V: make([]T, 0, capacity)}
	status, err := r.Read(&b)
	if err != nil {
		t.Fatal(err)
	}
	return b.V, status
}

func TestNumbersAreDealtInTurn(t *testing.T) {
	for subtask := range 3 {
		r := one(t, sequence.Of(100, 109), 3, subtask, nil)
		got, _ := read(t, r, 256)
		var want []int64
		for i := 100 + int64(subtask); i <= 109; i += 3 {
			want = append(want, i)
		}
		if !slices.Equal(got, want) {
			t.Errorf("subtask %d of 3 has %v, want %v", subtask, got, want)
		}
	}
}

func TestEndlessGeneratorIsUnbounded(t *testing.T) {
	s := sequence.Generate(-1, 0, func(i int64) int64 { return i })
	if s.Bounded() {
		t.Error("Generate(-1) says that it is bounded")
	}
	r := one(t, s, 2, 1, nil)
	for i := range 100 {
		got, status := read(t, r, 10)
		if status != connector.More || len(got) != 10 || got[9] != int64(20*i+19) {
			t.Fatalf("batch %d: %v with status %d", i, got, status)
		}
	}
}

// arrivals reads a source for a while of virtual time, as a task does, and returns when each record came.
func arrivals(t *testing.T, s connector.Source[int64], parallelism, subtask int, during time.Duration) (at []time.Duration) {
	wake := make(chan struct{}, 1)
	start := time.Now()
	r := one(t, s, parallelism, subtask, func() { wake <- struct{}{} })
	defer func() { _ = r.Close() }()
	end := time.NewTimer(during)
	for {
		v, status := read(t, r, 256)
		for range v {
			at = append(at, time.Since(start))
		}
		if status != connector.Wait {
			continue
		}
		select {
		case <-wake:
		case <-end.C:
			return at
		}
	}
}

func TestPaceIsExactAndPrompt(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := sequence.Generate(-1, 1000, func(i int64) int64 { return i })
		for subtask := range 2 {
			at := arrivals(t, s, 2, subtask, 10*time.Second-time.Nanosecond)
			if len(at) != 5000 {
				t.Errorf("subtask %d made %d records in 10 s, want 5000", subtask, len(at))
			}
			for i, got := range at {
				due := time.Duration(2*i+subtask) * time.Millisecond
				if late := got - due; late < -time.Microsecond || late > time.Microsecond {
					t.Fatalf("record %d of subtask %d came %v after it was due", i, subtask, late)
				}
			}
		}
	})
}

func TestHighPaceWakesRarely(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := sequence.Generate(-1, 1e6, func(i int64) int64 { return i })
		at := arrivals(t, s, 1, 0, time.Second)
		if len(at) < 999_000 || len(at) > 1_000_001 {
			t.Errorf("made %d records in a second, want a million", len(at))
		}
		if wakes := len(slices.Compact(at)); wakes > 2001 {
			t.Errorf("woke %d times in a second", wakes)
		}
	})
}

func TestPaceCatchesUpASecondAtMost(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := one(t, sequence.Generate(-1, 100, func(i int64) int64 { return i }), 1, 0, func() {})
		defer func() { _ = r.Close() }()
		if v, _ := read(t, r, 1000); len(v) != 1 {
			t.Fatalf("%d records at the start, want 1", len(v))
		}
		time.Sleep(500 * time.Millisecond)
		if v, _ := read(t, r, 1000); len(v) != 50 {
			t.Errorf("%d records after half a second, want 50", len(v))
		}
		time.Sleep(time.Hour)
		if v, _ := read(t, r, 1000); len(v) != 100 {
			t.Errorf("%d records after an hour, want 100", len(v))
		}
		time.Sleep(10 * time.Millisecond)
		if v, _ := read(t, r, 1000); len(v) != 1 {
			t.Errorf("%d records 10 ms later, want 1", len(v))
		}
	})
}

func TestSlowPace(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := sequence.Generate(-1, 1.0/3600, func(i int64) int64 { return i })
		at := arrivals(t, s, 1, 0, 24*time.Hour+time.Minute)
		if len(at) != 25 {
			t.Errorf("one record an hour: %d in a day, want 25", len(at))
		}
	})
}

func FuzzSplit(f *testing.F) {
	f.Add("0/1", []byte(nil))
	f.Add("1/4", []byte("9"))
	f.Add("3/2", []byte("x"))
	f.Add("1/4", []byte("9223372036854775805"))
	f.Fuzz(func(t *testing.T, id string, position []byte) {
		r, err := sequence.Of(0, 1000).Reader(t.Context(), nil)
		if err != nil {
			t.Fatal(err)
		}
		if err := r.Assign([]connector.Split{{ID: id, Position: position}}); err != nil {
			return
		}
		last := int64(-1)
		for {
			b := connector.Batch[int64]{V: make([]int64, 0, 16)}
			status, err := r.Read(&b)
			if err != nil {
				t.Fatal(err)
			}
			for _, v := range b.V {
				if v <= last || v > 1000 {
					t.Fatalf("split %q at %q: %d after %d", id, position, v, last)
				}
				last = v
			}
			if status == connector.Done {
				return
			}
		}
	})
}

func BenchmarkSequence(b *testing.B) {
	benchmark(b, sequence.Of(1, math.MaxInt64))
}

func BenchmarkGenerate(b *testing.B) {
	benchmark(b, sequence.Generate(-1, 0, func(i int64) int64 { return i * 3 }))
}

func BenchmarkGenerateBatch(b *testing.B) { benchmark(b, sequence.GenerateBatch(-1, 0, squares)) }

func benchmark(b *testing.B, s connector.Source[int64]) {
	r, err := s.Reader(b.Context(), nil)
	if err != nil {
		b.Fatal(err)
	}
	if err := r.Assign([]connector.Split{{ID: "0/1"}}); err != nil {
		b.Fatal(err)
	}
	batch := connector.Batch[int64]{V: make([]int64, 0, 256)}
	b.ReportAllocs()
	n := 0
	for b.Loop() {
		batch.Reset()
		if _, err := r.Read(&batch); err != nil {
			b.Fatal(err)
		}
		n += len(batch.V)
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(n), "ns/record")
}
