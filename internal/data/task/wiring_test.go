package task

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/flott-dev/flott/internal/data/operator"
	"github.com/flott-dev/flott/internal/data/record"
	"github.com/flott-dev/flott/internal/data/shuffle"
	"github.com/flott-dev/flott/internal/graph/execgraph"
	"github.com/flott-dev/flott/internal/graph/jobgraph"
	"github.com/flott-dev/flott/internal/graph/program"
	"github.com/flott-dev/flott/internal/id"
	"pgregory.net/rapid"
)

// A hop is a record that notes which subtasks it was sent by and read by.
type hop struct{ from, seq, to int }

// Any partitioning between any two parallelisms: every record arrives at a subtask that the wiring connects, once, or at all of them
// for a broadcast, in order.
func TestPartitioningsOfTasks(t *testing.T) {
	strategies := []program.Strategy{
		program.Rebalance, program.Rescale, program.Shuffle, program.Broadcast, program.Global, program.Hash, program.Custom, program.Forward,
	}
	rapid.Check(t, func(rt *rapid.T) {
		s := rapid.SampledFrom(strategies).Draw(rt, "strategy")
		producers := rapid.IntRange(1, 5).Draw(rt, "producers")
		consumers := rapid.IntRange(1, 5).Draw(rt, "consumers")
		if s == program.Forward {
			consumers = producers
		}
		n := rapid.IntRange(0, 300).Draw(rt, "records")
		arrived := hops(t, s, producers, consumers, n)
		w := execgraph.Wiring{Pattern: jobgraph.PatternOf(s), Producers: producers, Consumers: consumers}
		copies := 1
		if s == program.Broadcast {
			copies = consumers
		}
		if len(arrived) != producers*n*copies {
			rt.Fatalf("%d records arrived, want %d", len(arrived), producers*n*copies)
		}
		last := map[[2]int]int{}
		for _, h := range arrived {
			if pair := [2]int{h.from, h.to}; h.seq < last[pair] {
				rt.Fatalf("%v came after %d", h, last[pair]-1)
			} else {
				last[pair] = h.seq + 1
			}
			if r := w.ReadersOf(h.from); h.to < r.First || h.to >= r.End || s == program.Global && h.to != 0 || s == program.Forward && h.to != h.from {
				rt.Fatalf("%s %d -> %d: %v", s, producers, consumers, h)
			}
		}
	})
}

// hops runs a job that sends n records from every producer.
func hops(t *testing.T, s program.Strategy, producers, consumers, n int) []hop {
	hash, err := id.HashOf[int]()
	check(t, err)
	typed := map[program.Strategy]any{
		program.Hash:   shuffle.ByKey(func(h hop) int { return h.seq }, hash),
		program.Custom: shuffle.ByFunc(func(h hop, n int) int { return h.seq % n }),
	}
	f := newFlow(1)
	in := source[hop](f, "from", producers, script[hop](func(subtask int) (s []any) {
		for i := range n {
			s = append(s, hop{from: subtask, seq: i})
		}
		return s
	}))
	var arrived struct {
		sync.Mutex
		hops []hop
	}
	to := then[struct{}](f, f.Repartition(in, s, typed[s]), "to", operator.Func(func(env *operator.Env) (operator.Operator, error) {
		return &calling[hop]{operator.NewThrough[struct{}](env), func(b *record.Batch[hop]) {
			arrived.Lock()
			defer arrived.Unlock()
			for _, h := range b.V {
				arrived.hops = append(arrived.hops, hop{h.from, h.seq, env.Subtask})
			}
		}}, nil
	}))
	apart(to).SetParallelism(consumers)
	check(t, compile(t, f.Program).run(t.Context(), t))
	return arrived.hops
}

// calling calls f with every batch.
type calling[T any] struct {
	operator.Through[struct{}]
	f func(*record.Batch[T])
}

func (c *calling[T]) Input(int) any { return record.Input[T](c) }

func (c *calling[T]) Receive(b *record.Batch[T]) error {
	c.f(b)
	return nil
}

// An operator with two inputs ends when both have, and its watermark is the smaller one.
func TestTwoInputs(t *testing.T) {
	f, got := newFlow(1), &recorder{}
	left := source[int](f, "left", 1, script[int](steps(1, watermark(10), 2)))
	right := source[string](f, "right", 1, script[string](steps("a", watermark(5))))
	both := f.TwoInput(left, right, "both", shuffle.KindOf[string]())
	both.Operator = operator.CoMap(func(i int) string { return fmt.Sprint("left ", i) }, func(s string) string { return "right " + s })
	then[struct{}](f, both, "sink", sink[string](got))
	check(t, compile(t, f.Program).run(t.Context(), t))
	lines := got.lines()
	slices.Sort(lines[:slices.Index(lines, "end")])
	lines = slices.DeleteFunc(lines, func(l string) bool { return l == "w5" || l == "w10" }) // either may come, or be passed over at the end
	if s := strings.Join(lines, ", "); s != "left 1, left 2, right a, end, ended 0, finish, close" {
		t.Errorf("got %s", s)
	}
}

// A task says which producer holds the watermark of each of its inputs.
func TestInputsSayWhoHoldsThem(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		end := time.Now().Add(time.Second)
		f := newFlow(1)
		left := source[int](f, "left", 3, script[int](func(subtask int) []any { return []any{watermark(10 * (3 - subtask)), untilTime(end)} }))
		right := source[int](f, "right", 1, script[int](steps(idle(true), untilTime(end))))
		both := f.TwoInput(f.Repartition(left, program.Global, nil), right, "both", shuffle.KindOf[int]())
		both.Operator = operator.CoMap(func(i int) int { return i }, func(i int) int { return i })
		then[struct{}](f, both, "sink", sink[int](&recorder{}))
		j := compile(t, f.Program)
		j.deploy()
		if got := fmt.Sprint(j.task("both", 0).Metrics().Inputs); got != fmt.Sprint([]InputTime{{math.MinInt64, true, 0, 0}, {math.MinInt64, true, 1, 0}}) {
			t.Errorf("before anything came: %s", got)
		}
		var done sync.WaitGroup
		done.Go(func() { check(t, j.run(t.Context(), t)) })
		synctest.Wait()
		if got := fmt.Sprint(j.task("both", 0).Metrics().Inputs); got != fmt.Sprint([]InputTime{{10, true, 0, 2}, {math.MinInt64, false, 0, 0}}) {
			t.Errorf("got %s", got)
		}
		done.Wait()
	})
}

// A channel that is idle does not hold the watermark; when it is back it does, although it says nothing new (row B4).
func TestIdleChannel(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		start := time.Now()
		after := func(s int) func(*operator.Env) bool { return untilTime(start.Add(time.Duration(s) * time.Second)) }
		f, got := newFlow(1), &recorder{}
		in := source[int](f, "s", 2, script[int](func(subtask int) []any {
			if subtask == 0 {
				return []any{watermark(100), after(1), idle(true), after(3), idle(false), at[int]{7, 250}, after(5), watermark(400), after(7)}
			}
			return []any{watermark(200), after(2), watermark(300), after(4), watermark(900), after(6)}
		}))
		to := then[struct{}](f, f.Repartition(in, program.Global, nil), "sink", sink[int](got))
		to.SetParallelism(1)
		got.arrived = func(line string) {
			got.mu.lines[len(got.mu.lines)-1] = fmt.Sprintf("%d: %s", int(time.Since(start).Seconds()), line)
		}
		check(t, compile(t, f.Program).run(t.Context(), t))
		same(t, got.lines(), []string{
			"0: w100", "1: w200", "2: w300", "3: 7@250", "5: w400", "7: end", "7: ended 0", "7: finish", "7: close",
		})
	})
}

// Records are copied where they are queued: a source may use its batch again, and a reader may change what is its own, whatever
// other readers there are.
func TestScenario_C26(t *testing.T) {
	const n = 5000
	f := newFlow(1)
	reusing := operator.Func(func(env *operator.Env) (operator.Operator, error) {
		return &reuser{Through: operator.NewThrough[int](env), v: make([]int, 100), n: n}, nil
	})
	in := source[int](f, "numbers", 1, reusing)
	sums := [4]int{}
	spoil := func(i int) operator.Constructor {
		return operator.Func(func(env *operator.Env) (operator.Operator, error) {
			return &calling[int]{operator.NewThrough[struct{}](env), func(b *record.Batch[int]) {
				for k, v := range b.V {
					sums[i] += v
					if !b.Shared {
						b.V[k] = -1
					}
				}
			}}, nil
		})
	}
	then[struct{}](f, in, "chained", spoil(0))
	then[struct{}](f, in, "chained too", spoil(1))
	apart(then[struct{}](f, in, "apart", spoil(2)))
	then[struct{}](f, f.Repartition(in, program.Broadcast, nil), "broadcast", spoil(3))
	check(t, compile(t, f.Program).run(t.Context(), t))
	if want := n * (n - 1) / 2; sums != [4]int{want, want, want, want} {
		t.Errorf("got %v, want %d", sums, want)
	}
}

// reuser is a source that has one batch.
type reuser struct {
	operator.Through[int]
	v       []int
	made, n int
}

func (s *reuser) Input(int) any { return nil }

func (s *reuser) Pull() (operator.Pulled, error) {
	if s.made == s.n {
		return operator.Ended, nil
	}
	for i := range s.v {
		s.v[i] = s.made + i
	}
	s.made += len(s.v)
	return operator.More, s.Out.Receive(&record.Batch[int]{V: s.v})
}
