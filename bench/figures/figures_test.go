// Package figures measures what is neither throughput nor memory of a workload: how fast a job starts, how late its records are,
// and how many tasks fit into one process.
//
//	go test -run '^$' -bench . ./figures     the figures, on an idle machine
//	go test ./figures                        the same code with small numbers; by the clock of synctest, which sees only what the engine waits
package figures

import (
	"context"
	"errors"
	"runtime"
	"slices"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/flott-dev/flott"
)

func execute(t testing.TB, env *flott.Environment) *flott.Result {
	t.Helper()
	result, err := env.Execute(context.Background(), t.Name())
	if err != nil {
		t.Fatal(err)
	}
	return result
}

// firstResult runs a job of three operators and tells when its sink got the first record, and when Execute was back.
func firstResult(t testing.TB) (first, all time.Duration) {
	var start time.Time
	var seen atomic.Int64
	env := flott.New(flott.Parallelism(2))
	env.From(flott.Sequence(1, 100)).
		Map(func(n int64) int64 { return n * 2 }).
		To(flott.ForEach(func(int64) error {
			seen.CompareAndSwap(0, int64(time.Since(start)))
			return nil
		}))
	start = time.Now()
	execute(t, env)
	return time.Duration(seen.Load()), time.Since(start)
}

func BenchmarkFirstResult(b *testing.B) {
	var firsts, alls []time.Duration
	for b.Loop() {
		first, all := firstResult(b)
		firsts, alls = append(firsts, first), append(alls, all)
	}
	b.ReportMetric(ms(quantile(firsts, 0.5)), "first-ms")
	b.ReportMetric(ms(quantile(firsts, 0.99)), "first-p99-ms")
	b.ReportMetric(ms(quantile(alls, 0.5)), "whole-ms")
}

func TestFirstResult(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		if first, all := firstResult(t); first != 0 || all != 0 {
			t.Errorf("the first result came after %v, the end after %v: it waits for something", first, all)
		}
	})
}

// manyTasks runs an endless chain of stages, each in tasks of its own, and reports memory per task, and how long it took until a
// record had come through all of them in each of the parallel chains.
func manyTasks(t testing.TB, parallelism, stages int) (tasks int, perTask float64, took time.Duration) {
	const perChain = 2 // records a second
	env := flott.New(flott.Parallelism(parallelism), flott.MaxParallelism(1024), flott.DisableChaining())
	s := env.From(flott.Generate(-1, float64(perChain*parallelism), func(i int64) int64 { return i % int64(parallelism) }))
	for range stages - 2 {
		s = s.Map(flott.Identity)
	}
	var through sync.WaitGroup
	through.Add(parallelism)
	once := make([]sync.Once, parallelism)
	s.To(flott.ForEach(func(chain int64) error { once[chain].Do(through.Done); return nil }))
	before := memory()
	start := time.Now()
	job, err := env.Start(context.Background(), t.Name())
	if err != nil {
		t.Fatal(err)
	}
	through.Wait()
	took = time.Since(start)
	tasks = parallelism * stages
	perTask = float64(memory()-before) / float64(tasks)
	if err := job.Cancel(context.Background()); err != nil {
		t.Fatal(err)
	}
	if _, err := job.Wait(context.Background()); !errors.Is(err, context.Canceled) {
		t.Fatalf("the job ended with %v", err)
	}
	return tasks, perTask, took
}

// memory is what the heap and the stacks take.
func memory() int64 {
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return int64(m.HeapInuse + m.StackInuse)
}

func BenchmarkTenThousandTasks(b *testing.B) {
	for b.Loop() {
		tasks, perTask, took := manyTasks(b, 100, 100)
		b.ReportMetric(float64(tasks), "tasks")
		b.ReportMetric(perTask, "B/task")
		b.ReportMetric(ms(took), "start-ms")
	}
}

func TestTenThousandTasks(t *testing.T) {
	tasks, perTask, took := manyTasks(t, 100, 100)
	t.Logf("%d tasks, %.0f bytes each, all at work after %v", tasks, perTask, took)
}

// latencies sends records through keyBy at a rate and returns how long each took from source to sink.
func latencies(t testing.TB, perSecond float64, n int64) []time.Duration {
	start := time.Now()
	took := make([]time.Duration, 0, n)
	env := flott.New(flott.Parallelism(1))
	env.From(flott.Generate(n, perSecond, func(int64) time.Duration { return time.Since(start) })).
		KeyBy(func(d time.Duration) int64 { return int64(d) % 1000 }).
		Reduce(func(_, d time.Duration) time.Duration { return d }).
		To(flott.ForEachBatch(func(sent []time.Duration) error {
			now := time.Since(start)
			for _, s := range sent {
				took = append(took, now-s)
			}
			return nil
		}))
	execute(t, env)
	if int64(len(took)) != n {
		t.Fatalf("%d of %d records came through", len(took), n)
	}
	return took
}

// saturation is the rate of the same job when nothing holds it back.
func saturation(t testing.TB, n int64) float64 {
	start := time.Now()
	latencies(t, 0, n)
	return float64(n) / time.Since(start).Seconds()
}

func BenchmarkLatency1000PerSecond(b *testing.B) {
	for b.Loop() {
		report(b, latencies(b, 1000, 10_000))
	}
}

func BenchmarkLatencyHalfLoad(b *testing.B) {
	for b.Loop() {
		rate := saturation(b, 10_000_000) / 2
		report(b, latencies(b, rate, int64(5*rate)))
		b.ReportMetric(rate, "rec/s")
	}
}

func report(b *testing.B, took []time.Duration) {
	b.ReportMetric(ms(quantile(took, 0.5)), "p50-ms")
	b.ReportMetric(ms(quantile(took, 0.99)), "p99-ms")
}

func TestLatency(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		if last := slices.Max(latencies(t, 1000, 10_000)); last > time.Millisecond {
			t.Errorf("at 1,000 records a second one came after %v", last)
		}
	})
}

func ms(d time.Duration) float64 { return float64(d) / float64(time.Millisecond) }

// quantile is the smallest value with at least a part q of all values up to it.
func quantile(all []time.Duration, q float64) time.Duration {
	all = slices.Sorted(slices.Values(all))
	return all[min(len(all)-1, int(q*float64(len(all))))]
}
