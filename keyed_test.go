package flott_test

import (
	"context"
	"fmt"
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"github.com/flott-dev/flott"
	"github.com/flott-dev/flott/aggregate"
	"github.com/flott-dev/flott/flotttest"
	"github.com/flott-dev/flott/state"
	"github.com/flott-dev/flott/watermark"
)

// byDigit is a key with few values, each of which has more than one batch of records.
func byDigit(n int64) int64 { return n % 10 }

func onTime() watermark.Strategy[int64] {
	return watermark.Monotonic(func(n int64) time.Time { return time.UnixMilli(n) })
}

// running is, of each number that came, the sum or count of its key's numbers until then.
func running(fold func(acc, n int64) int64) (all []int64) {
	acc := map[int64]int64{}
	for n := int64(1); n <= many; n++ {
		acc[byDigit(n)] = fold(acc[byDigit(n)], n)
		all = append(all, acc[byDigit(n)])
	}
	return all
}

// Source subtasks deal the numbers of one key out to several consumers only after one producer: so that running results can be
// told beforehand, the source has one subtask here.
func TestRollingAggregations(t *testing.T) {
	at(t, func(t *testing.T, env *flott.Environment) {
		got := flotttest.Collect(t, sequence(env).Parallelism(1).KeyBy(byDigit).Reduce(add))
		same(t, got, running(add))
	})
	at(t, func(t *testing.T, env *flott.Environment) {
		got := flotttest.Collect(t, sequence(env).Parallelism(1).KeyBy(byDigit).
			Aggregate(aggregate.Count[int64](), func(_, n int64) int64 { return n }))
		same(t, got, running(func(acc, _ int64) int64 { return acc + 1 }))
	})
}

// historian keeps all kinds of state, and tells what it has when its input ends for a key: at an event-time timer that comes last.
type historian struct {
	last  state.Value[int64]
	all   state.List[int64]
	count state.Map[int64, int] // by the last digit but one
}

func openHistorian(rt *flott.KeyedRuntime[int64]) (*historian, error) {
	return &historian{rt.Value[int64]("last"), rt.List[int64]("all"), rt.Map[int64, int]("count")}, nil
}

func (h *historian) Process(c *flott.KeyedContext[int64, string], n int64) error {
	h.last.Set(n)
	h.all.Add(n)
	times, _ := h.count.Get(n / 10 % 10)
	h.count.Set(n/10%10, times+1)
	c.EventTimer(time.UnixMilli(many + 1))
	c.DeleteEventTimer(time.UnixMilli(many + 2)) // there is none
	return nil
}

func (h *historian) OnEventTimer(c *flott.KeyedContext[int64, string], at time.Time) error {
	last, _ := h.last.Get()
	numbers, digits, sum := 0, 0, int64(0)
	for n := range h.all.All() {
		numbers++
		sum += n
	}
	for range h.count.All() {
		digits++
	}
	c.Emit(fmt.Sprintf("%d at %d: last %d, %d numbers with sum %d, %d digits", c.Key(), at.UnixMilli(), last, numbers, sum, digits))
	h.last.Clear()
	h.all.Clear()
	h.count.Clear()
	return nil
}

func TestKeyedProcess(t *testing.T) {
	var want []string
	for digit := range int64(10) {
		last, sum := int64(0), int64(0)
		for n := int64(1); n <= many; n++ {
			if byDigit(n) == digit {
				last, sum = n, sum+n
			}
		}
		want = append(want, fmt.Sprintf("%d at %d: last %d, %d numbers with sum %d, 10 digits", digit, many+1, last, many/10, sum))
	}
	at(t, func(t *testing.T, env *flott.Environment) {
		same(t, flotttest.Collect(t, sequence(env).Parallelism(1).Watermarks(onTime()).KeyBy(byDigit).Process(openHistorian)), want)
	})
}

// An alarm rings 1.1 s of processing time after a key's last record.
type alarm struct {
	due state.Value[int64]
}

func openAlarm(rt *flott.KeyedRuntime[string]) (*alarm, error) {
	return &alarm{rt.Value[int64]("due")}, nil
}

func (a *alarm) Process(c *flott.KeyedContext[string, string], key string) error {
	if due, ok := a.due.Get(); ok {
		c.DeleteProcessingTimer(time.UnixMilli(due))
	}
	due := c.Now().Add(1100 * ms)
	a.due.Set(due.UnixMilli())
	c.ProcessingTimer(due)
	return nil
}

func (a *alarm) OnProcessingTimer(c *flott.KeyedContext[string, string], at time.Time) error {
	c.Emit(fmt.Sprint(c.Key(), " rang after ", at.Sub(startOfTime)))
	a.due.Clear()
	return nil
}

// startOfTime is when the clock of a synctest bubble starts.
var startOfTime = time.Date(2000, 1, 1, 0, 0, 0, 0, time.UTC)

// Jobs run under virtual time: a test of seconds is over at once.
func TestProcessingTimeTimers(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		env := flott.New(flott.Parallelism(2))
		keys := []string{"a", "a", "b", "a", "c", "c", "c", "c", "c", "c"} // every half second
		rings := env.From(flott.Generate(int64(len(keys)), 2, func(i int64) string { return keys[i] })).
			KeyBy(flott.Identity).Process(openAlarm)
		same(t, flotttest.Collect(t, rings), []string{"a rang after 2.6s", "b rang after 2.1s"})
	})
}

// The two sides of a connection share state and timers.
type matcher struct {
	left, right state.Value[int64]
}

func openMatcher(rt *flott.KeyedRuntime[int64]) (*matcher, error) {
	return &matcher{rt.Value[int64]("left"), rt.Value[int64]("right")}, nil
}

func (m *matcher) ProcessLeft(c *flott.KeyedContext[int64, int64], n int64) error {
	m.left.Set(n)
	return m.match(c)
}

func (m *matcher) ProcessRight(c *flott.KeyedContext[int64, int64], n int64) error {
	m.right.Set(-n)
	return m.match(c)
}

func (m *matcher) match(c *flott.KeyedContext[int64, int64]) error {
	l, ok1 := m.left.Get()
	r, ok2 := m.right.Get()
	if ok1 && ok2 {
		c.Emit(l * r)
	}
	return nil
}

func TestKeyedCoProcess(t *testing.T) {
	want := mapped(func(n int64) int64 { return -n * n }, upTo(all))
	at(t, func(t *testing.T, env *flott.Environment) {
		s := sequence(env)
		same(t, flotttest.Collect(t, s.Connect(s.Map(flott.Identity)).KeyBy(flott.Identity, flott.Identity).Process(openMatcher)), want)
	})
}

// closing is a processor with all optional methods that one without a key can have.
type closing struct {
	calls *[]string
}

func (p closing) Open(ctx context.Context) error {
	*p.calls = append(*p.calls, "Open")
	return ctx.Err()
}

func (p closing) Process(c *flott.Context[string], n int64) error {
	at, ok := c.Timestamp()
	c.Emit(fmt.Sprint("Process ", n, " ", at.UnixMilli(), " ", ok))
	return nil
}

func (p closing) EndOfInput(c *flott.Context[string]) error {
	c.Emit(fmt.Sprint("EndOfInput ", c.Watermark().UnixMilli() == int64(^uint64(0)>>1)))
	return nil
}

func (p closing) Close() error {
	*p.calls = append(*p.calls, "Close")
	return nil
}

func TestLifeOfAProcessor(t *testing.T) {
	var calls []string
	env := flott.New(flott.Parallelism(1))
	got := flotttest.Collect(t, env.From(flott.Sequence(1, 2)).Watermarks(onTime()).
		Process(func(*flott.Runtime) (closing, error) { return closing{&calls}, nil }))
	if want := []string{"Process 1 1 true", "Process 2 2 true", "EndOfInput true"}; !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
	if want := []string{"Open", "Close"}; !slices.Equal(calls, want) {
		t.Errorf("calls are %q, want %q", calls, want)
	}
}
