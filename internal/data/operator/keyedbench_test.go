package operator_test

import (
	"iter"
	"runtime"
	"testing"
	"time"

	"github.com/flott-dev/flott/aggregate"
	"github.com/flott-dev/flott/internal/data/operator"
	"github.com/flott-dev/flott/internal/data/record"
	"github.com/flott-dev/flott/internal/id"
	"github.com/flott-dev/flott/process"
	"github.com/flott-dev/flott/window"
)

func self(v int64) int64 { return v }

func countByKey() operator.Constructor {
	return operator.KeyedProcessFunc(self,
		func(rt *process.KeyedRuntime[int64]) func(*process.KeyedContext[int64, int64], int64) error {
			n := rt.Value[int64]("n")
			return func(c *process.KeyedContext[int64, int64], _ int64) error {
				v, _ := n.Get()
				n.Set(v + 1)
				c.Emit(v + 1)
				return nil
			}
		})
}

func countByWindow() operator.Constructor {
	return operator.WindowAggregate(
		operator.Windows[int64, int64]{Key: self, Assigner: window.TumblingEventTime(time.Second)},
		aggregate.Count[int64](), func(_ int64, _ window.Window, n int64) int64 { return n })
}

// A feed is batches of random keys as an exchange delivers them: with places. Time goes on by a millisecond each perMilli records.
type feed struct {
	batches []record.Batch[int64]
	lent    record.Batch[int64]
	n       int
	time    int64
	span    int64 // of all batches
}

func newFeed(keys uint64, perMilli int) *feed {
	hash, err := id.HashOf[int64]()
	if err != nil {
		panic(err)
	}
	f, groups := &feed{}, id.KeyGroupsOf(128)
	for i := range 1 << 10 {
		b := record.Batch[int64]{}
		for j := range record.Size {
			n := i*record.Size + j
			k := int64(hash(int64(n)) >> 1 % keys)
			b.V = append(b.V, k)
			b.H = append(b.H, groups.Place(hash(k)))
			b.TS = append(b.TS, int64(n/perMilli))
			f.span = b.TS[j] + 1
		}
		f.batches = append(f.batches, b)
	}
	return f
}

// next is the next batch. When the feed begins again, time goes on.
func (f *feed) next() *record.Batch[int64] {
	b := &f.batches[f.n%len(f.batches)]
	if f.n++; f.n > len(f.batches) {
		for i := range b.TS {
			b.TS[i] += f.span
		}
	}
	f.time = b.TS[0]
	return b
}

func feedOne(tb testing.TB, in record.Input[int64], f *feed) {
	f.lent = *f.next()
	if err := in.Receive(&f.lent); err != nil {
		tb.Fatal(err)
	}
	if f.n%64 == 0 {
		if err := in.Watermark(f.time - 1); err != nil {
			tb.Fatal(err)
		}
	}
}

// TestNoAllocation: in steady state a record costs no allocation, nor does a window per key.
func TestNoAllocation(t *testing.T) {
	for name, c := range map[string]operator.Constructor{
		"keyed value":  countByKey(),
		"reduce":       operator.Reduce(self, func(a, b int64) int64 { return a + b }),
		"aggregate":    operator.Aggregate(self, aggregate.Count[int64](), func(k, n int64) int64 { return n }),
		"window":       countByWindow(),
		"event timers": operator.KeyedProcess(self, func(*process.KeyedRuntime[int64]) (reminder, error) { return reminder{}, nil }),
	} {
		t.Run(name, func(t *testing.T) {
			r, f := newKeyedRig(t, c, &sum{}, nil), newFeed(1000, 100)
			in := input[int64](r, 0)
			for range 2_000 {
				feedOne(t, in, f)
				r.resume(t)
			}
			const batches = 500
			allocs := testing.AllocsPerRun(1, func() {
				for range batches {
					feedOne(t, in, f)
					r.resume(t)
				}
			})
			// Pages that grow, split and join now and then are part of the steady state of windows and timers.
			if perRecord := allocs / batches / record.Size; perRecord > 0.001 {
				t.Errorf("%v allocations per record", perRecord)
			}
		})
	}
}

// Firing a window of Apply costs no allocation per element, neither of what it holds nor of what it makes.
func TestApplyFiresWithoutAllocation(t *testing.T) {
	const elements = 10_000
	r := newKeyedRig(t, operator.WindowApply(
		operator.Windows[int64, int64]{Key: func(int64) int64 { return 0 }, Assigner: window.TumblingEventTime(time.Second)},
		func(_ int64, _ window.Window, all iter.Seq[int64]) iter.Seq[int64] { return all }), &sum{}, nil)
	in := input[int64](r, 0)
	b := record.Batch[int64]{V: make([]int64, record.Size), TS: make([]int64, record.Size)}
	for range elements / record.Size {
		noError(t, in.Receive(&b))
	}
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	noError(t, in.Watermark(999))
	runtime.ReadMemStats(&after)
	if n := after.Mallocs - before.Mallocs; n > 100 {
		t.Errorf("%d allocations for %d elements", n, elements)
	}
}

// A reminder sets an event-time timer for each record, a second later.
type reminder struct{}

func (reminder) Process(c *process.KeyedContext[int64, int64], in int64) error {
	ts, _ := c.Timestamp()
	c.EventTimer(ts.Add(time.Second))
	return nil
}

func (reminder) OnEventTimer(c *process.KeyedContext[int64, int64], at time.Time) error {
	c.Emit(c.Key())
	return nil
}

// against measures an operator against a loop that does the same with a Go map, in turn, and reports both and the ratio.
func against(b *testing.B, c operator.Constructor, f *feed, loop func(*record.Batch[int64])) {
	r := newKeyedRig(b, c, &sum{}, nil)
	in := input[int64](r, 0)
	var engine, byHand time.Duration
	for b.Loop() {
		start := time.Now()
		for range 64 {
			feedOne(b, in, f)
			r.resume(b)
		}
		engine += time.Since(start)
		start = time.Now()
		for range 64 {
			loop(f.next())
		}
		byHand += time.Since(start)
	}
	records := float64(b.N) * 64 * record.Size
	b.ReportMetric(float64(engine.Nanoseconds())/records, "ns/record")
	b.ReportMetric(float64(byHand.Nanoseconds())/records, "ns/record-by-hand")
	b.ReportMetric(float64(engine)/float64(byHand), "ratio")
	b.ReportMetric(0, "ns/op")
}

func BenchmarkKeyedCount(b *testing.B) {
	m, total := map[int64]int64{}, int64(0)
	against(b, countByKey(), newFeed(100_000, 1000), func(batch *record.Batch[int64]) {
		for _, k := range batch.V {
			n := m[k] + 1
			m[k] = n
			total += n
		}
	})
}

func BenchmarkRollingCount(b *testing.B) {
	m, total := map[int64]int64{}, int64(0)
	count := operator.Aggregate(self, aggregate.Count[int64](), func(k, n int64) int64 { return n })
	against(b, count, newFeed(100_000, 1000), func(batch *record.Batch[int64]) {
		for _, k := range batch.V {
			n := m[k] + 1
			m[k] = n
			total += n
		}
	})
}

func BenchmarkWindowCount(b *testing.B) {
	for name, perMilli := range map[string]int{"dense": 10_000, "sparse": 200} {
		b.Run(name, func(b *testing.B) {
			m, current, total := map[int64]int64{}, int64(0), int64(0)
			against(b, countByWindow(), newFeed(10_000, perMilli), func(batch *record.Batch[int64]) {
				for i, k := range batch.V {
					if start := batch.TS[i] / 1000; start != current {
						for _, n := range m {
							total += n
						}
						clear(m)
						current = start
					}
					m[k]++
				}
			})
		})
	}
}

func BenchmarkEventTimers(b *testing.B) {
	r := newKeyedRig(b, operator.KeyedProcess(self, func(*process.KeyedRuntime[int64]) (reminder, error) { return reminder{}, nil }), &sum{}, nil)
	in, f := input[int64](r, 0), newFeed(100_000, 100)
	for b.Loop() {
		feedOne(b, in, f)
		r.resume(b)
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/record.Size, "ns/record")
}
