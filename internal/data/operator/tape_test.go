package operator_test

import (
	"cmp"
	"fmt"
	"log/slog"
	"slices"
	"strings"
	"testing"

	"github.com/flott-dev/flott/connector"
	"github.com/flott-dev/flott/internal/data/operator"
	"github.com/flott-dev/flott/internal/data/record"
)

// A tape is an input that writes down what it gets, a line a call:
//
//	1@10 2@20      records with timestamps
//	1 2            records without
//	watermark 20
//	idle           also: active
type tape[T any] struct {
	lines []string
	err   error // what it returns
}

func (p *tape[T]) Receive(b *record.Batch[T]) error {
	var words []string
	for i, v := range b.V {
		w := fmt.Sprint(v)
		if b.TS != nil {
			w += fmt.Sprintf("@%d", b.TS[i])
		}
		words = append(words, w)
	}
	if b.H != nil {
		words = append(words, "hashed")
	}
	p.lines = append(p.lines, strings.Join(words, " "))
	return p.err
}

func (p *tape[T]) Watermark(t int64) error {
	p.lines = append(p.lines, "watermark "+instant(t))
	return p.err
}

func (p *tape[T]) Idle(idle bool) error {
	p.lines = append(p.lines, map[bool]string{true: "idle", false: "active"}[idle])
	return p.err
}

func instant(t int64) string {
	if t == 1<<63-1 {
		return "end"
	}
	return fmt.Sprint(t)
}

// expect compares what was written down since the last time, lines separated by " | ".
func (p *tape[T]) expect(tb testing.TB, want string) {
	tb.Helper()
	if got := strings.Join(p.lines, " | "); got != want {
		tb.Errorf("got  %q\nwant %q", got, want)
	}
	p.lines = nil
}

// expectFired is expect for what windows fire: within one window keys come in any order, so that neighbours with the same timestamp
// are compared sorted.
func (p *tape[T]) expectFired(tb testing.TB, want string) {
	tb.Helper()
	got := strings.Join(p.lines, " | ")
	if sortedByTime(got) != sortedByTime(want) {
		tb.Errorf("got  %q\nwant %q, in any order within a window", got, want)
	}
	p.lines = nil
}

// sortedByTime sorts neighbours that end in the same @timestamp.
func sortedByTime(line string) string {
	words := strings.Split(line, " ")
	at := func(i int) string { return words[i][strings.LastIndexByte(words[i], '@')+1:] }
	for from, to := 0, 0; from < len(words); from = to {
		for to = from; to < len(words) && at(to) == at(from); to++ {
		}
		slices.Sort(words[from:to])
	}
	return strings.Join(words, " ")
}

// A rig is an operator with a task around it that the test plays.
type rig struct {
	operator.Operator
	env   *operator.Env
	clock clock
	// What the task has waited for its outputs, in ms.
	blocked int64
	asks    []func([]connector.Split, bool) error
	wakes   int
}

func newRig(tb testing.TB, c operator.Constructor, out any) *rig {
	tb.Helper()
	r := &rig{}
	r.env = &operator.Env{
		Parallelism: 1,
		Context:     tb.Context(),
		Logger:      slog.New(slog.DiscardHandler),
		Out:         out,
		Clock:       &r.clock,
		Mails:       r,
		Splits:      r,
		Metrics:     &operator.Metrics{},
		Blocked:     func() int64 { return r.blocked },
	}
	var err error
	if r.Operator, err = c.New(r.env); err != nil {
		tb.Fatal(err)
	}
	if err := r.Open(tb.Context()); err != nil {
		tb.Fatal(err)
	}
	tb.Cleanup(func() {
		if err := r.Close(); err != nil {
			tb.Error(err)
		}
	})
	return r
}

func (r *rig) Send(func() error)                                { panic("no operator here sends mails") }
func (r *rig) Wake()                                            { r.wakes++ }
func (r *rig) Request(give func([]connector.Split, bool) error) { r.asks = append(r.asks, give) }
func input[T any](r *rig, i int) record.Input[T]                { return r.Input(i).(record.Input[T]) }

func batch[T any](v []T, ts ...int64) *record.Batch[T] {
	return &record.Batch[T]{V: slices.Clone(v), TS: ts}
}

func noError(tb testing.TB, err error) {
	tb.Helper()
	if err != nil {
		tb.Fatal(err)
	}
}

// A clock is processing time that the test moves.
type clock struct {
	now    int64
	timers []*timer
}

type timer struct {
	at int64
	f  func() error
}

func (c *clock) Now() int64 { return c.now }

func (c *clock) At(ms int64, f func() error) (stop func()) {
	t := &timer{ms, f}
	c.timers = append(c.timers, t)
	return func() { c.timers = slices.DeleteFunc(c.timers, func(o *timer) bool { return o == t }) }
}

// pass lets time pass and runs what becomes due.
func (c *clock) pass(tb testing.TB, ms int64) {
	tb.Helper()
	for end := c.now + ms; ; {
		if len(c.timers) == 0 {
			c.now = end
			return
		}
		t := slices.MinFunc(c.timers, func(a, b *timer) int { return cmp.Compare(a.at, b.at) })
		if t.at > end {
			c.now = end
			return
		}
		c.now = max(c.now, t.at)
		c.timers = slices.DeleteFunc(c.timers, func(o *timer) bool { return o == t })
		noError(tb, t.f())
	}
}
