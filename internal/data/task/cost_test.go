package task

import (
	"context"
	"errors"
	"fmt"
	"math"
	"runtime"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/flott-dev/flott/internal/cputime"
	"github.com/flott-dev/flott/internal/data/operator"
	"github.com/flott-dev/flott/internal/data/record"
	"github.com/flott-dev/flott/internal/data/shuffle"
	"github.com/flott-dev/flott/internal/graph/program"
	"github.com/flott-dev/flott/internal/id"
)

// A row is a record of the benchmarks.
type row struct{ Key, Value, Time int64 }

func keyedByKey(t testing.TB) any {
	hash, err := id.HashOf[int64]()
	check(t, err)
	return shuffle.ByKey(func(r row) int64 { return r.Key }, hash)
}

// rows is a source of n rows per subtask without allocations. It calls mark, if there is one, before every batch.
type rows struct {
	operator.Through[row]
	n, made int
	mark    func(made int)
	b       record.Batch[row]
	v       []row
	ts      []int64
}

func rowSource(n int, mark func(int)) operator.Constructor {
	return operator.Func(func(env *operator.Env) (operator.Operator, error) {
		return &rows{Through: operator.NewThrough[row](env), n: n, mark: mark, v: make([]row, record.Size), ts: make([]int64, record.Size)}, nil
	})
}

func (s *rows) Input(int) any { return nil }

func (s *rows) Pull() (operator.Pulled, error) {
	if s.made == s.n {
		return operator.Ended, s.Out.Watermark(math.MaxInt64)
	}
	if s.mark != nil {
		s.mark(s.made)
	}
	k := min(record.Size, s.n-s.made)
	for i := range k {
		x := int64(s.made + i)
		s.v[i], s.ts[i] = row{x * 7919 % 100_003, x, 0}, x
	}
	s.made += k
	s.b = record.Batch[row]{V: s.v[:k], TS: s.ts[:k]}
	return operator.More, s.Out.Receive(&s.b)
}

// sumSink adds values up.
type sumSink struct {
	operator.Through[struct{}]
	sum int64
	n   int
}

func rowSink() operator.Constructor {
	return operator.Func(func(env *operator.Env) (operator.Operator, error) {
		return &sumSink{Through: operator.NewThrough[struct{}](env)}, nil
	})
}

func (s *sumSink) Input(int) any { return record.Input[row](s) }

func (s *sumSink) Receive(b *record.Batch[row]) error {
	for i := range b.V {
		s.sum += b.V[i].Value
	}
	s.n += len(b.V)
	return nil
}

// rowJob is source -> map -> (keyBy or rebalance) -> sum.
func rowJob(t testing.TB, parallelism, perSubtask int, s program.Strategy, mark func(int)) *job {
	f := newFlow(parallelism)
	in := source[row](f, "rows", parallelism, rowSource(perSubtask, mark))
	m := then[row](f, in, "map", operator.Map(func(r row) row { r.Value++; return r }))
	if s == program.Hash {
		m = f.KeyBy(m, keyedByKey(t))
	} else {
		m = f.Repartition(m, s, nil)
	}
	then[struct{}](f, m, "sum", rowSink())
	return compile(t, f.Program)
}

// In the steady state the engine allocates nothing for a record: a million of them cost as few allocations as the first ones leave
// over by chance.
func TestNoAllocationPerRecord(t *testing.T) {
	const n, warm = 1 << 20, 1 << 18
	for _, s := range []program.Strategy{program.Hash, program.Rebalance, program.Broadcast} {
		var before, after runtime.MemStats
		j := rowJob(t, 1, n, s, func(made int) {
			switch made {
			case warm:
				runtime.ReadMemStats(&before)
			case n - record.Size:
				runtime.ReadMemStats(&after)
			}
		})
		check(t, j.run(t.Context(), t))
		if got := after.Mallocs - before.Mallocs; got > 100 {
			t.Errorf("%s: %d allocations for %d records", s, got, n-warm)
		}
	}
}

func BenchmarkJob(b *testing.B) {
	const n = 1 << 21
	for _, parallelism := range []int{1, 2, 50} {
		for _, s := range []program.Strategy{program.Hash, program.Rebalance} {
			b.Run(fmt.Sprintf("%s/%d", s, parallelism), func(b *testing.B) {
				b.ReportAllocs()
				cpu, rounds := cputime.Used(b), 0
				for b.Loop() {
					check(b, rowJob(b, parallelism, n/parallelism, s, nil).run(b.Context(), b))
					rounds++
				}
				b.ReportMetric(float64(cputime.Used(b)-cpu)/float64(rounds)/n, "ns-CPU/rec")
			})
		}
	}
}

// BenchmarkLatency sends 1,000 records a second through a keyBy.
func BenchmarkLatency(b *testing.B) {
	var took []time.Duration
	for b.Loop() {
		took = append(took, latencies(b, 500)...)
	}
	slices.Sort(took)
	b.ReportMetric(float64(took[len(took)/2].Microseconds()), "p50-us")
	b.ReportMetric(float64(took[len(took)*99/100].Microseconds()), "p99-us")
	b.ReportMetric(0, "ns/op")
}

func latencies(t testing.TB, n int) (took []time.Duration) {
	f := newFlow(1)
	start := time.Now()
	in := source[row](f, "source", 1, operator.Func(func(env *operator.Env) (operator.Operator, error) {
		return &paced{rows: rows{Through: operator.NewThrough[row](env), n: n, v: make([]row, 1), ts: make([]int64, 1)}, start: start, env: env}, nil
	}))
	then[struct{}](f, f.KeyBy(in, keyedByKey(t)), "sink", operator.Func(func(env *operator.Env) (operator.Operator, error) {
		return &stopwatch{operator.NewThrough[struct{}](env), start, &took}, nil
	}))
	check(t, compile(t, f.Program).run(t.Context(), t))
	return took
}

// paced is a source that emits a record a millisecond, with the time since the start in it.
type paced struct {
	rows
	start time.Time
	env   *operator.Env
}

func (p *paced) Pull() (operator.Pulled, error) {
	if p.made == p.n {
		return operator.Ended, p.Out.Watermark(math.MaxInt64)
	}
	if due := p.start.Add(time.Duration(p.made) * time.Millisecond); time.Now().Before(due) {
		time.AfterFunc(time.Until(due), p.env.Mails.Wake)
		return operator.Waiting, nil
	}
	p.v[0] = row{Key: int64(p.made), Time: int64(time.Since(p.start))}
	p.made++
	p.b = record.Batch[row]{V: p.v, TS: p.ts}
	return operator.More, p.Out.Receive(&p.b)
}

type stopwatch struct {
	operator.Through[struct{}]
	start time.Time
	took  *[]time.Duration
}

func (s *stopwatch) Input(int) any { return record.Input[row](s) }

func (s *stopwatch) Receive(b *record.Batch[row]) error {
	now := time.Since(s.start)
	for _, r := range b.V {
		*s.took = append(*s.took, now-time.Duration(r.Time))
	}
	return nil
}

// 10,000 tasks in one process: what each of them costs while it waits, and after each had a few records.
func TestTenThousandTasks(t *testing.T) {
	const chains, perTask = 2500, 16 << 10
	f := newFlow(chains)
	release := make(chan struct{})
	in := source[row](f, "rows", chains, operator.Func(func(env *operator.Env) (operator.Operator, error) {
		return &gated{rows: rows{Through: operator.NewThrough[row](env), n: 3, v: make([]row, 1), ts: make([]int64, 1)}, env: env, open: release}, nil
	}))
	for i := range 3 {
		in = apart(then[row](f, in, fmt.Sprint("map ", i), operator.Map(func(r row) row { return r })))
	}
	var arrived sync.WaitGroup
	arrived.Add(3 * chains)
	then[struct{}](f, in, "sink", operator.Func(func(env *operator.Env) (operator.Operator, error) {
		return &calling[row]{operator.NewThrough[struct{}](env), func(b *record.Batch[row]) { arrived.Add(-len(b.V)) }}, nil
	}))
	start := time.Now()
	j := compile(t, f.Program)
	compiled, before := time.Since(start), memory()
	start = time.Now()
	j.deploy()
	var running, done sync.WaitGroup
	running.Add(len(j.tasks))
	for _, task := range j.tasks {
		done.Go(func() {
			running.Done()
			if err := task.Run(); !errors.Is(err, context.Canceled) {
				t.Error(err)
			}
		})
	}
	running.Wait()
	deployed := time.Since(start)
	idle := memory()
	close(release)
	for _, task := range j.tasks {
		task.box.Nudge()
	}
	arrived.Wait()
	worked := memory()
	start = time.Now()
	j.cancel(context.Canceled)
	done.Wait()
	n := uint64(len(j.tasks))
	t.Logf("%d tasks compiled in %v, deployed in %v, cancelled in %v; %d bytes a task while idle, %d after some records",
		n, compiled, deployed, time.Since(start), (idle-before)/n, (worked-before)/n)
	if n != 4*chains {
		t.Errorf("%d tasks", n)
	}
	if (worked-before)/n > 2*perTask {
		t.Errorf("%d bytes a task", (worked-before)/n)
	}
}

// memory is the heap that lives, and stacks.
func memory() uint64 {
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return m.HeapAlloc + m.StackInuse
}

// gated is a source that waits until it is let go, makes its rows one by one, and waits for ever.
type gated struct {
	rows
	env  *operator.Env
	open <-chan struct{}
}

func (g *gated) Pull() (operator.Pulled, error) {
	select {
	case <-g.open:
	default:
		return operator.Waiting, nil
	}
	if g.made == g.n {
		return operator.Waiting, nil
	}
	g.made++
	g.b = record.Batch[row]{V: g.v, TS: g.ts}
	return operator.More, g.Out.Receive(&g.b)
}
