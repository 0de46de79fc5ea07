package task

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/flott-dev/flott/internal/data/operator"
	"github.com/flott-dev/flott/internal/data/record"
	"github.com/flott-dev/flott/internal/data/shuffle"
	"github.com/flott-dev/flott/internal/fault"
	"github.com/flott-dev/flott/internal/graph/execgraph"
	"github.com/flott-dev/flott/internal/graph/program"
	"github.com/flott-dev/flott/internal/id"
)

// steps is a script that is the same for all subtasks.
func steps(s ...any) func(int) []any { return func(int) []any { return s } }

// count is a script of n numbers.
func count(n int) func(int) []any {
	return func(int) []any {
		s := make([]any, n)
		for i := range s {
			s[i] = i
		}
		return s
	}
}

func same(t *testing.T, got, want []string) {
	t.Helper()
	if !slices.Equal(got, want) {
		t.Errorf("got  %q\nwant %q", got, want)
	}
}

func TestPipeline(t *testing.T) {
	f, got := newFlow(1), &recorder{}
	in := source[int](f, "numbers", 1, script[int](steps(
		at[int]{1, 10}, at[int]{2, 20}, watermark(15), idle(true), idle(false), 3, watermark(30))))
	double := then[int](f, in, "double", operator.Map(func(i int) int { return 2 * i }))
	apart(then[struct{}](f, double, "sink", sink[int](got)))
	check(t, compile(t, f.Program).run(t.Context(), t))
	same(t, got.lines(), []string{
		"2@10", "4@20", "w15", "idle=true", "idle=false", "6", "w30", "end", "ended 0", "finish", "close",
	})
}

// What an operator emits when it finishes arrives, before the input of the next one ends.
func TestFinishEmits(t *testing.T) {
	f, got := newFlow(1), &recorder{}
	in := source[int](f, "numbers", 1, script[int](steps(1, 2)))
	total := apart(then[int](f, in, "sum", operator.Func(func(env *operator.Env) (operator.Operator, error) {
		return &total{Through: operator.NewThrough[int](env)}, nil
	})))
	apart(then[struct{}](f, total, "sink", sink[int](got)))
	check(t, compile(t, f.Program).run(t.Context(), t))
	same(t, got.lines(), []string{"end", "3", "ended 0", "finish", "close"})
}

type total struct {
	operator.Through[int]
	sum int
}

func (s *total) Input(int) any { return record.Input[int](s) }

func (s *total) Receive(b *record.Batch[int]) error {
	for _, v := range b.V {
		s.sum += v
	}
	return nil
}

func (s *total) Finish() error { return s.Out.Receive(&record.Batch[int]{V: []int{s.sum}}) }

// a.union(b).map: the map's count of records is that of both inputs.
func TestScenario_A11(t *testing.T) {
	f, got := newFlow(1), &recorder{}
	a := source[int](f, "a", 2, script[int](count(100)))
	b := source[int](f, "b", 1, script[int](count(23)))
	m := then[int](f, f.Union(a, b), "map", operator.Map(func(i int) int { return i }))
	then[struct{}](f, m, "sink", sink[int](got))
	j := compile(t, f.Program)
	check(t, j.run(t.Context(), t))
	m0 := j.task("map", 0).Metrics().Operators[0]
	if in, out := m0.RecordsIn.Load(), m0.RecordsOut.Load(); in != 223 || out != 223 {
		t.Errorf("numRecordsIn %d, numRecordsOut %d; want 223", in, out)
	}
}

// s.union(s): each element arrives twice, and the watermark, which waits for both edges, arrives.
func TestScenario_A2(t *testing.T) {
	f, got := newFlow(1), &recorder{}
	s := source[int](f, "s", 1, script[int](steps(at[int]{1, 1}, at[int]{2, 2}, watermark(20))))
	apart(then[struct{}](f, f.Union(s, s), "window", sink[int](got)))
	check(t, compile(t, f.Program).run(t.Context(), t))
	lines := got.lines()
	first := slices.Index(lines, "w20")
	if first < 0 {
		t.Fatalf("watermark 20 never arrived: %q", lines)
	}
	elements := slices.Sorted(slices.Values(lines[:first]))
	same(t, elements, []string{"1@1", "1@1", "2@2", "2@2"})
	same(t, lines[first:], []string{"w20", "end", "ended 0", "finish", "close"})
}

// Two side outputs of one operator, united: each record arrives once.
func TestScenario_A1(t *testing.T) {
	f, got := newFlow(1), &recorder{}
	in := source[int](f, "numbers", 1, script[int](steps(1, 2, 3, 4)))
	p := then[int](f, in, "split", operator.Func(newParity))
	a := f.SideOutput(p, program.Tag{Name: "A", Type: shuffle.KindOf[int]()})
	b := f.SideOutput(p, program.Tag{Name: "B", Type: shuffle.KindOf[int]()})
	apart(then[struct{}](f, f.Union(a, b), "sink", sink[int](got)))
	check(t, compile(t, f.Program).run(t.Context(), t))
	lines := got.lines()
	end := slices.Index(lines, "end")
	same(t, slices.Sorted(slices.Values(lines[:end])), []string{"1", "2", "3", "4"})
}

// parity emits odd numbers under A and even ones under B.
type parity struct {
	operator.Through[int]
	to [2]record.Input[int]
}

func newParity(env *operator.Env) (operator.Operator, error) {
	p := &parity{Through: operator.NewThrough[int](env)}
	p.to[1], _ = operator.SideOutput[int](env, "A")
	p.to[0], _ = operator.SideOutput[int](env, "B")
	return p, nil
}

func (p *parity) Input(int) any { return record.Input[int](p) }

func (p *parity) Receive(b *record.Batch[int]) error {
	for _, v := range b.V {
		if err := p.to[v%2].Receive(&record.Batch[int]{V: []int{v}}); err != nil {
			return err
		}
	}
	return nil
}

// Both ways of a diamond are fed by one source and meet again, behind a sink that is slower than everything; one way multiplies the
// records and sends them around, so that it is always full.
func TestDiamondDoesNotLock(t *testing.T) {
	const n = 20_000
	f := newFlow(2)
	in := source[int](f, "numbers", 2, script[int](count(n)))
	again := operator.Func(func(env *operator.Env) (operator.Operator, error) {
		return &repeat{operator.NewThrough[int](env), 5}, nil
	})
	long := then[int](f, f.Repartition(in, program.Rebalance, nil), "long", again)
	hash, err := id.HashOf[int]()
	check(t, err)
	short := then[int](f, f.KeyBy(in, shuffle.ByKey(func(i int) int { return i }, hash)), "short", operator.Map(func(i int) int { return i }))
	both := f.Repartition(f.Union(f.Repartition(long, program.Shuffle, nil), f.Repartition(short, program.Rebalance, nil)), program.Global, nil)
	var got int
	last := then[struct{}](f, both, "sink", operator.Func(func(env *operator.Env) (operator.Operator, error) {
		return &eater{operator.NewThrough[struct{}](env), &got}, nil
	}))
	last.SetParallelism(1)
	check(t, compile(t, f.Program).run(t.Context(), t))
	if want := 2 * n * (5 + 1); got != want {
		t.Errorf("%d records arrived, want %d", got, want)
	}
}

type repeat struct {
	operator.Through[int]
	times int
}

func (r *repeat) Input(int) any { return record.Input[int](r) }

func (r *repeat) Receive(b *record.Batch[int]) error {
	for range r.times {
		if err := r.Out.Receive(&record.Batch[int]{V: b.V, Shared: true}); err != nil {
			return err
		}
	}
	return nil
}

type eater struct {
	operator.Through[struct{}]
	n *int
}

func (e *eater) Input(int) any { return record.Input[int](e) }

func (e *eater) Receive(b *record.Batch[int]) error {
	*e.n += len(b.V)
	runtime.Gosched()
	return nil
}

// A task that waits for a free block serves mails and timers, measures the time, and receives nothing.
func TestBackPressureServesMails(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := newFlow(1)
		var made, served int
		in := source[int](f, "numbers", 1, operator.Func(func(env *operator.Env) (operator.Operator, error) {
			time.AfterFunc(time.Second, func() {
				env.Mails.Send(func() error { served++; return nil })
			})
			env.Clock.At(env.Clock.Now()+2000, func() error { served++; return nil })
			return &flood{operator.NewThrough[int](env), &made, 50_000}, nil
		}))
		open := make(chan struct{})
		apart(then[struct{}](f, in, "sink", operator.Func(func(env *operator.Env) (operator.Operator, error) {
			return &dam{operator.NewThrough[struct{}](env), open}, nil
		})))
		j := compile(t, f.Program)
		var done sync.WaitGroup
		done.Go(func() { check(t, j.run(t.Context(), t)) })
		synctest.Wait()
		before := made
		if before == 0 || before >= 50_000 {
			t.Fatalf("%d records made while the sink does not read", before)
		}
		time.Sleep(10 * time.Second)
		synctest.Wait()
		if served != 2 || made != before {
			t.Errorf("served %d of a mail and a timer; made %d records, %d before", served, made, before)
		}
		m := j.task("numbers", 0).Metrics()
		if m.BackPressured != 10*time.Second || m.Busy != 0 || m.Idle != 0 {
			t.Errorf("times are %+v, want 10s of back-pressure", m.Times)
		}
		close(open)
		done.Wait()
		if made != 50_000 {
			t.Errorf("%d records made, want 50000", made)
		}
	})
}

// flood is a source that makes n records as fast as it can.
type flood struct {
	operator.Through[int]
	made *int
	n    int
}

func (s *flood) Input(int) any { return nil }

func (s *flood) Pull() (operator.Pulled, error) {
	if *s.made >= s.n {
		return operator.Ended, nil
	}
	b := &record.Batch[int]{V: make([]int, min(record.Size, s.n-*s.made))}
	*s.made += len(b.V)
	return operator.More, s.Out.Receive(b)
}

// dam blocks in Receive until it is opened, as user code does that waits for a slow database.
type dam struct {
	operator.Through[struct{}]
	open <-chan struct{}
}

func (d *dam) Input(int) any { return record.Input[int](d) }

func (d *dam) Receive(*record.Batch[int]) error {
	<-d.open
	return nil
}

// Whatever a task is at, cancelling ends it: at once, or when the user's call returns, which can look at its context.
func TestCancel(t *testing.T) {
	waitForContext := func(env *operator.Env) bool { <-env.Context.Done(); return true }
	for _, c := range []struct {
		name   string
		source operator.Constructor
		sink   func(ctx context.Context) operator.Constructor
	}{
		{"idle", script[int](steps(1, func(*operator.Env) bool { return false })), nil},
		{"in user code", script[int](steps(1, waitForContext)), nil},
		{"back-pressured", flooding(1 << 30), damming},
		{"in the middle of a batch", operator.Func(func(env *operator.Env) (operator.Operator, error) {
			return &burst{operator.NewThrough[int](env)}, nil
		}), damming},
	} {
		t.Run(c.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				ctx, cancel := context.WithCancel(t.Context())
				f, got := newFlow(1), &recorder{}
				in := source[int](f, "numbers", 1, c.source)
				to := sink[int](got)
				if c.sink != nil {
					to = c.sink(ctx)
				}
				apart(then[struct{}](f, in, "sink", to))
				j := compile(t, f.Program)
				var errs [2]error
				j.deploy()
				var all sync.WaitGroup
				for i, task := range j.tasks {
					all.Go(func() { errs[i] = task.Run() })
				}
				time.Sleep(time.Minute)
				synctest.Wait()
				j.cancel(context.Canceled)
				cancel()
				within(t, 0, "the end of the tasks", all.Wait)
				for i, err := range errs {
					if !errors.Is(err, context.Canceled) {
						t.Errorf("task %d returned %v", i, err)
					}
				}
				if c.sink == nil && !slices.Contains(got.lines(), "close") {
					t.Error("the sink is not closed")
				}
			})
		})
	}
}

func flooding(n int) operator.Constructor {
	return operator.Func(func(env *operator.Env) (operator.Operator, error) {
		return &flood{operator.NewThrough[int](env), new(int), n}, nil
	})
}

func damming(ctx context.Context) operator.Constructor {
	return operator.Func(func(env *operator.Env) (operator.Operator, error) {
		return &dam{operator.NewThrough[struct{}](env), ctx.Done()}, nil
	})
}

// burst is a source that emits more in one call than all blocks hold.
type burst struct{ operator.Through[int] }

func (s *burst) Input(int) any { return nil }

func (s *burst) Pull() (operator.Pulled, error) {
	for range 1000 {
		if err := s.Out.Receive(&record.Batch[int]{V: make([]int, record.Size)}); err != nil {
			return operator.More, err
		}
	}
	return operator.Ended, nil
}

// Cancelling must not wait for a turn among ten thousand tasks that are busy: when Cancel returns, each of them will see it.
func TestCancelIsDoneWhenItReturns(t *testing.T) {
	f := newFlow(1)
	then[struct{}](f, source[int](f, "numbers", 1, flooding(1)), "sink", sink[int](&recorder{}))
	j := compile(t, f.Program)
	j.deploy()
	over := errors.New("over")
	for _, task := range j.tasks {
		task.Cancel(over)
		if user, box := context.Cause(task.context), task.box.Cancelled(); !errors.Is(user, over) || !errors.Is(box, over) {
			t.Errorf("user code sees %v, the task %v", user, box)
		}
		if err := task.Run(); !errors.Is(err, over) {
			t.Errorf("the task returned %v", err)
		}
	}
}

// An error while the task is being cancelled is not its result.
func TestErrorAfterCancel(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithCancel(t.Context())
		f := newFlow(1)
		in := source[int](f, "numbers", 1, script[int](steps(func(env *operator.Env) bool {
			<-env.Context.Done()
			panic("cancelled")
		})))
		then[struct{}](f, in, "sink", sink[int](&recorder{}))
		j := compile(t, f.Program)
		var log strings.Builder
		j.host.Logger = slog.New(slog.NewTextHandler(&log, nil))
		time.AfterFunc(time.Second, cancel)
		if err := j.run(ctx, t); !errors.Is(err, context.Canceled) {
			t.Errorf("got %v", err)
		}
		if !strings.Contains(log.String(), "cancelled") {
			t.Errorf("the panic is not in the log: %s", &log)
		}
	})
}

func TestFailures(t *testing.T) {
	fail := func(after int, how func() error) operator.Constructor {
		return operator.TryMap(func(i int) (int, error) {
			if i == after {
				return 0, how()
			}
			return i, nil
		})
	}
	var none *flood
	for _, c := range []struct {
		name  string
		how   func() error
		want  string
		stack string // a function in it; "": no stack
	}{
		{"error", func() error { return fmt.Errorf("row 3: %w", errUser) }, `operator "try" (1/1): row 3: user error`, ""},
		{"panic", func() error { panic("no") }, `operator "try" (1/1): panic: no`, "TestFailures"},
		{"panic with an error", func() error { panic(errUser) }, `operator "try" (1/1): panic: user error`, "TestFailures"},
		{"nil pointer", func() error { none.n++; return nil }, `operator "try" (1/1): panic: runtime error: invalid memory address or nil pointer dereference`, "TestFailures"},
	} {
		t.Run(c.name, func(t *testing.T) {
			f, got := newFlow(1), &recorder{}
			in := source[int](f, "numbers", 1, script[int](count(10)))
			m := then[int](f, in, "try", fail(3, c.how))
			m = then[int](f, apart(m), "after", operator.Map(func(i int) int { return i }))
			then[struct{}](f, m, "sink", sink[int](got))
			err := compile(t, f.Program).run(t.Context(), t)
			var failure *fault.Failure
			if !errors.As(err, &failure) {
				t.Fatalf("got %v", err)
			}
			first, stack, _ := strings.Cut(failure.Error(), "\n\n")
			if first != c.want {
				t.Errorf("got  %s\nwant %s", first, c.want)
			}
			if strings.Contains(c.name, "error") && !errors.Is(err, errUser) {
				t.Error("the user's error is not in it")
			}
			top, _, _ := strings.Cut(stack, "\n")
			if (stack != "") != (c.stack != "") || !strings.Contains(top, c.stack) {
				t.Errorf("the stack is\n%s", stack)
			}
			if !slices.Contains(got.lines(), "close") || slices.Contains(got.lines(), "finish") {
				t.Errorf("the sink got %q", got.lines())
			}
		})
	}
}

// Errors of opening and closing name their operator, too; a panic in Close does not keep others from being closed.
func TestFailuresAtTheEnds(t *testing.T) {
	for _, c := range []struct {
		name        string
		open, close func() error
		want        string
	}{
		{"open", func() error { return errUser }, nil, `operator "edge" (1/1): user error`},
		{"close", nil, func() error { return errUser }, `operator "edge" (1/1): user error`},
		{"panic in close", nil, func() error { panic("no") }, `operator "edge" (1/1): panic: no`},
		{"both", func() error { return errUser }, func() error { return errors.New("no") }, `operator "edge" (1/1): user error`},
	} {
		t.Run(c.name, func(t *testing.T) {
			f := newFlow(1)
			in := source[int](f, "numbers", 1, script[int](count(1)))
			then[struct{}](f, in, "edge", operator.Func(func(env *operator.Env) (operator.Operator, error) {
				return &ends{recording[int]{operator.NewThrough[struct{}](env), &recorder{}}, c.open, c.close}, nil
			}))
			err := compile(t, f.Program).run(t.Context(), t)
			if err == nil {
				t.Fatal("no error")
			}
			if got, _, _ := strings.Cut(err.Error(), "\n"); got != c.want {
				t.Errorf("got  %v\nwant %s", got, c.want)
			}
		})
	}
}

type ends struct {
	recording[int]
	open, close func() error
}

func (e *ends) Open(context.Context) error {
	if e.open != nil {
		return e.open()
	}
	return nil
}

func (e *ends) Close() error {
	if e.close != nil {
		return e.close()
	}
	return nil
}

// User code that ends the goroutine keeps Run from returning; its host learns all the same which operator it was.
func TestGoexit(t *testing.T) {
	f, got := newFlow(1), &recorder{}
	in := source[int](f, "numbers", 1, script[int](steps(1, func(*operator.Env) bool { runtime.Goexit(); return true })))
	then[struct{}](f, in, "sink", sink[int](got))
	j := compile(t, f.Program)
	j.deploy()
	var err error
	var all sync.WaitGroup
	all.Go(func() {
		defer func() { err = j.tasks[0].Err() }()
		err = j.tasks[0].Run()
	})
	all.Wait()
	var failure *fault.Failure
	if !errors.As(err, &failure) || failure.Operator != "Source: numbers" || !errors.Is(err, fault.ErrExit) {
		t.Errorf("got %v", err)
	}
	same(t, got.lines(), []string{"1", "close"})
}

// The goroutine of a task says in stack traces and profiles whose it is.
func TestLabels(t *testing.T) {
	f := newFlow(2)
	var headers [2]string
	in := source[int](f, "numbers", 2, script[int](steps(func(env *operator.Env) bool {
		var trace [1 << 10]byte
		headers[env.Subtask], _, _ = strings.Cut(string(trace[:runtime.Stack(trace[:], false)]), "\n")
		return true
	})))
	then[struct{}](f, in, "sink", sink[int](&recorder{}))
	check(t, compile(t, f.Program).run(t.Context(), t))
	for i, header := range headers {
		for _, label := range []string{"job: test", `task: "Source: numbers -> sink`, `subtask: "(` + fmt.Sprint(i+1)} {
			if !strings.Contains(header, label) {
				t.Errorf("task %d has no label %s: %s", i, label, header)
			}
		}
	}
}

func TestLogger(t *testing.T) {
	f := newFlow(2)
	in := source[int](f, "numbers", 2, script[int](steps(func(env *operator.Env) bool { env.Logger.Info("hello"); return true })))
	then[struct{}](f, in, "sink", sink[int](&recorder{}))
	j := compile(t, f.Program)
	var log strings.Builder
	j.host.Logger = slog.New(slog.NewTextHandler(&log, nil))
	check(t, j.run(t.Context(), t))
	for _, want := range []string{`msg=hello job=test task="Source: numbers -> sink" subtask=(1/2) attempt=0`, "subtask=(2/2) attempt=0"} {
		if !strings.Contains(log.String(), want) {
			t.Errorf("no %s in\n%s", want, &log)
		}
	}
}

func TestReports(t *testing.T) {
	f := newFlow(1)
	in := source[int](f, "numbers", 1, script[int](count(1)))
	then[struct{}](f, in, "sink", sink[int](&recorder{}))
	j := compile(t, f.Program)
	var got []execgraph.State
	j.host.Report = func(s execgraph.State) { got = append(got, s) }
	check(t, j.run(t.Context(), t))
	if !slices.Equal(got, []execgraph.State{execgraph.Initializing, execgraph.Running}) {
		t.Errorf("reported %v", got)
	}
}

// Timers of processing time run on time, between batches, while the task is idle as well as while it is busy.
func TestProcessingTime(t *testing.T) {
	for _, busy := range []bool{false, true} {
		t.Run(fmt.Sprintf("busy=%t", busy), func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				start := time.Now()
				f := newFlow(1)
				var fired []string
				in := source[int](f, "numbers", 1, script[int](func(int) (s []any) {
					s = append(s, func(env *operator.Env) bool {
						for _, ms := range []int64{30, 10, 20} {
							env.Clock.At(start.UnixMilli()+ms, func() error {
								fired = append(fired, fmt.Sprintf("%d:%d", ms, time.Since(start).Milliseconds()))
								return nil
							})
						}
						return true
					})
					for range 10 {
						if busy {
							s = append(s, func(*operator.Env) bool { time.Sleep(7 * time.Millisecond); return true })
						}
					}
					return append(s, untilTime(start.Add(50*time.Millisecond)))
				}))
				then[struct{}](f, in, "sink", sink[int](&recorder{}))
				check(t, compile(t, f.Program).run(t.Context(), t))
				want := []string{"10:10", "20:20", "30:30"}
				if busy {
					want = []string{"10:14", "20:21", "30:35"}
				}
				same(t, fired, want)
			})
		})
	}
}

// An operator with longer work goes on with it before anything else comes in, and serves mails between the parts.
func TestYielder(t *testing.T) {
	f, got := newFlow(1), &recorder{}
	in := source[int](f, "numbers", 1, script[int](steps(1, watermark(5), 2)))
	y := then[int](f, apart(in), "yield", operator.Func(func(env *operator.Env) (operator.Operator, error) {
		return &yielder{Through: operator.NewThrough[int](env), env: env, r: got}, nil
	}))
	then[struct{}](f, apart(y), "sink", sink[int](&recorder{}))
	check(t, compile(t, f.Program).run(t.Context(), t))
	same(t, got.lines(), []string{
		"receive 1", "watermark 5", "resume", "mail", "resume", "resume", "receive 2",
		"watermark 9223372036854775807", "resume", "mail", "resume", "resume", "ended",
	})
}

type yielder struct {
	operator.Through[int]
	env  *operator.Env
	r    *recorder
	left int
}

func (y *yielder) Input(int) any { return record.Input[int](y) }
func (y *yielder) Busy() bool    { return y.left > 0 }

func (y *yielder) Receive(b *record.Batch[int]) error {
	y.r.add("receive %d", b.V[0])
	return nil
}

func (y *yielder) Watermark(t int64) error {
	y.r.add("watermark %d", t)
	y.left = 3
	return nil
}

func (y *yielder) Resume() error {
	if y.left == 3 {
		y.env.Mails.Send(func() error { y.r.add("mail"); return nil })
	}
	y.left--
	y.r.add("resume")
	return nil
}

func (y *yielder) EndInput(int) error { y.r.add("ended"); return nil }

// A program whose pieces do not fit is refused with the name of the operator, or at least of the task.
func TestProgramThatDoesNotFit(t *testing.T) {
	for name, c := range map[string]struct {
		make func(f flow)
		want []string
	}{
		"no constructor": {func(f flow) {
			then[struct{}](f, source[int](f, "numbers", 1, nil), "sink", sink[int](&recorder{}))
		}, []string{`operator "Source: numbers" (1/1)`, "no constructor"}},
		"no key": {func(f flow) {
			in := source[int](f, "numbers", 1, flooding(1))
			then[struct{}](f, f.KeyBy(in, nil), "sink", sink[int](&recorder{}))
		}, []string{`task "Source: numbers" (1/1)`, "int"}},
		"no type": {func(f flow) {
			in := f.LegacySource("numbers", true, true, nil)
			in.Operator = flooding(1)
			apart(then[struct{}](f, in, "sink", sink[int](&recorder{})))
		}, []string{"(1/1)", "no element type"}},
	} {
		t.Run(name, func(t *testing.T) {
			f := newFlow(1)
			c.make(f)
			wants(t, compile(t, f.Program).run(t.Context(), t), c.want...)
		})
	}
}

// wants asserts that an error is a failure and says all these words.
func wants(t *testing.T, err error, words ...string) {
	t.Helper()
	var failure *fault.Failure
	if !errors.As(err, &failure) {
		t.Fatalf("got %v, want a failure", err)
	}
	for _, w := range words {
		if !strings.Contains(err.Error(), w) {
			t.Errorf("got %v, want %q in it", err, w)
		}
	}
}

// What goes wrong while operators are made names the one at fault, and those made before it are closed.
func TestFailuresWhileMade(t *testing.T) {
	for name, c := range map[string]struct {
		make func() error
		want []string
	}{
		"error": {func() error { return errUser }, []string{`operator "bad" (1/1): user error`}},
		"panic": {func() error { panic(errUser) }, []string{`operator "bad" (1/1): panic: user error`, "TestFailuresWhileMade"}},
	} {
		t.Run(name, func(t *testing.T) {
			f, got := newFlow(1), &recorder{}
			in := source[int](f, "numbers", 1, script[int](count(1)))
			bad := then[int](f, in, "bad", operator.Func(func(*operator.Env) (operator.Operator, error) { return nil, c.make() }))
			then[struct{}](f, bad, "sink", sink[int](got))
			err := compile(t, f.Program).run(t.Context(), t)
			wants(t, err, c.want...)
			if !errors.Is(err, errUser) {
				t.Errorf("the user's error is not in %v", err)
			}
			same(t, got.lines(), []string{"close"})
		})
	}
}
