package pace

import (
	"slices"
	"testing"

	"pgregory.net/rapid"
)

const (
	µs    = 1000
	ms    = 1000 * µs
	bound = 10 * ms
	most  = 256
)

// A worker takes steps, in a time of its own.
type worker struct {
	*Pace
	time   int64
	fixed  int64 // what a step takes, and
	record int64 // what each of its records adds
}

func newWorker(fixed, record int64) *worker {
	w := &worker{fixed: fixed, record: record}
	w.Pace = New(func() int64 { return w.time }, bound, most)
	return w
}

// step takes a step if so many records are there, and says how many it took, and how long that took.
func (w *worker) step(there int) (records int, took int64) {
	records = min(w.Begin(), there)
	took = w.fixed + int64(records)*w.record
	w.time += took
	w.End(records)
	return records, took
}

// strides are how many records the next n steps take.
func (w *worker) strides(n int) (all []int) {
	for range n {
		records, _ := w.step(most)
		all = append(all, records)
	}
	return all
}

func TestStrides(t *testing.T) {
	for _, c := range []struct {
		name          string
		fixed, record int64
		want          []int
	}{
		{"fast", 0, 10, []int{1, 2, 4, 8, 16, 32, 64, 128, 256, 256}},
		{"a step may take 100 records", 0, 100 * µs, []int{1, 2, 4, 8, 16, 32, 64, 64, 128, 64, 64}},
		{"slower than the bound", 0, 12 * ms, []int{1, 2, 1, 1, 1}},
		{"the bound itself", 0, 10 * ms, []int{1, 2, 1, 1, 1}},
		{"a request a step", 20 * ms, 0, []int{1, 2, 2, 4, 8, 16, 32, 64, 128, 256, 128, 256}},
		{"a request a step, and a little a record", 20 * ms, ms / 10, []int{1, 2, 2, 4, 8, 16, 32, 64, 128, 256, 128, 256}},
		{"a request a step, and much a record", 20 * ms, 10 * ms, []int{1, 2, 2, 4, 2, 4, 4, 4}},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got := newWorker(c.fixed, c.record).strides(len(c.want)); !slices.Equal(got, c.want) {
				t.Errorf("got %v, want %v", got, c.want)
			}
		})
	}
}

// Whatever steps cost, as long as they cost the same: after a few of them they all have one length, but for the trials. That is no
// longer than it should be if the records allow it, and costs at most half of what full steps would get done.
func TestSteadyCosts(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		w := newWorker(cost(t, "fixed"), cost(t, "record"))
		w.strides(20)
		limit := max(bound, fixedShare*w.fixed)
		one, _ := w.step(most)
		start, done := w.time, 0
		for i := range 500 {
			records, took := w.step(most)
			done += records
			switch {
			case records != one && records != min(2*one, most) && records != one/2:
				t.Fatalf("step %d has %d records, others %d", i, records, one)
			case records == one && one > 1 && took > limit:
				t.Fatalf("a step of %d records takes %d ns", one, took)
			}
		}
		if full := w.fixed + most*w.record; int64(done)*full < most*(w.time-start)/2 {
			t.Fatalf("steps of %d records get %d done in %d ns; a full one takes %d", one, done, w.time-start, full)
		}
	})
}

// cost is nanoseconds, of any order of magnitude.
func cost(t *rapid.T, name string) int64 {
	return rapid.Int64Range(0, 9).Draw(t, name) * rapid.SampledFrom([]int64{0, 1, 10, 100, µs, 10 * µs, 100 * µs, ms, 10 * ms, 100 * ms}).Draw(t, name+" of")
}

// Whatever happens, a step has some records and not too many; and when the costs are steady again, all is as if nothing had happened.
func TestAnyCosts(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		w := newWorker(0, 0)
		for range rapid.IntRange(0, 50).Draw(t, "steps") {
			w.fixed, w.record = cost(t, "fixed"), cost(t, "record")
			if records, _ := w.step(rapid.IntRange(1, 2*most).Draw(t, "there")); records < 1 || records > most {
				t.Fatalf("a step of %d records", records)
			}
		}
		w.fixed, w.record = cost(t, "fixed"), cost(t, "record")
		w.strides(sampleEvery + trialEvery + 20)
		all := w.strides(2 * trialEvery)
		fresh := newWorker(w.fixed, w.record)
		fresh.strides(sampleEvery + trialEvery + 20)
		if a, b := slices.Min(all), slices.Min(fresh.strides(2*trialEvery)); a > 4*b || b > 4*a {
			t.Fatalf("steps have %d records, and %d without what was before", a, b)
		}
	})
}

// Fast steps are not all timed, so that a function that becomes slow from one record to the next shows after sampleEvery steps at
// the latest; those after one have the length that they should have.
func TestSuddenlySlow(t *testing.T) {
	for fast := range 20 {
		w := newWorker(0, 10)
		w.strides(20 + fast)
		w.record = 10 * ms
		slow := 0
		for w.strides(1)[0] == most {
			slow++
		}
		if slow > sampleEvery {
			t.Errorf("%d full steps while the records are slow", slow)
		}
		if next := w.strides(5); slices.Max(next) > 2 {
			t.Errorf("then steps of %v", next)
		}
	}
	w := newWorker(100*µs, 0) // worth timing each
	w.strides(20)
	w.record = 10 * ms
	if got, want := w.strides(4), []int{most, 1, 1, 1}; !slices.Equal(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
}

// A trickle of records says what they cost, however many a step might take.
func TestTrickle(t *testing.T) {
	w := newWorker(0, 2*ms)
	for range 100 {
		w.step(1)
	}
	if got := w.Begin(); got > 4 {
		t.Errorf("a step may take %d records of 2 ms", got)
	}
}

// A machine that stops for a moment does not make steps short for long.
func TestStall(t *testing.T) {
	w := newWorker(0, 100)
	w.strides(20)
	w.fixed = 3000 * ms
	w.strides(sampleEvery)
	w.fixed = 0
	if got := w.strides(12); got[11] != most {
		t.Errorf("got %v", got)
	}
}

func TestConstant(t *testing.T) {
	p := Constant(7)
	for range 3 {
		if got := p.Begin(); got != 7 {
			t.Errorf("got %d", got)
		}
		p.End(7)
	}
}
