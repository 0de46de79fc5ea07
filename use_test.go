package flott_test

import (
	"strings"
	"testing"
	"time"

	"github.com/flott-dev/flott"
	"github.com/flott-dev/flott/aggregate"
	"github.com/flott-dev/flott/connector/file"
	"github.com/flott-dev/flott/connector/socket"
	"github.com/flott-dev/flott/process"
	"github.com/flott-dev/flott/state"
	"github.com/flott-dev/flott/watermark"
	"github.com/flott-dev/flott/window"
)

type Tx struct {
	Account string
	Amount  float64
	At      time.Time
}
type Alert struct {
	Account, Rule string
}
type WordCount struct {
	Word  string
	Count int64
	End   time.Time
}
type fraud struct {
	last  state.Value[float64]
	limit float64
}

func newFraud(limit float64) func(rt *flott.KeyedRuntime[string]) (*fraud, error) {
	return func(rt *flott.KeyedRuntime[string]) (*fraud, error) {
		return &fraud{last: rt.Value[float64]("last"), limit: limit}, nil
	}
}

func (f *fraud) Process(c *flott.KeyedContext[string, Alert], tx Tx) error {
	if v, ok := f.last.Get(); ok && v < 1 && tx.Amount > f.limit {
		c.Emit(Alert{c.Key(), "small then large"})
	}
	f.last.Set(tx.Amount)
	c.EventTimer(tx.At.Add(time.Minute))
	return nil
}

func (f *fraud) OnEventTimer(c *flott.KeyedContext[string, Alert], at time.Time) error {
	f.last.Clear()
	return nil
}

func account(t Tx) string { return t.Account }

// What the signatures must accept, with types inferred. The program is compiled and not run, as nobody listens at its address.
func TestUse(t *testing.T) {
	env := flott.New(flott.Parallelism(2))
	late := flott.NewTag[string]("late")
	lines := env.From(flott.Of("a b", "c")).Watermarks(watermark.Monotonic(func(string) time.Time { return time.UnixMilli(0) }))
	counts := lines.FlatMap(strings.FieldsSeq).Name("words").
		KeyBy(flott.Identity).
		Window(window.TumblingEventTime(5*time.Second)).LateTo(late).
		Aggregate(aggregate.Count[string](), func(w string, win window.Window, n int64) WordCount {
			return WordCount{w, n, win.End}
		})
	counts.Print()
	counts.SideOutput(late).Print()
	txs := env.From(flott.Of(Tx{})).Watermarks(watermark.BoundedOutOfOrder(time.Second, func(t Tx) time.Time { return t.At }))
	txs.KeyBy(account).Process(newFraud(500)).UID("fraud").Print()
	txs.KeyBy(account).Aggregate(aggregate.Sum(func(t Tx) float64 { return t.Amount }), func(a string, s float64) Alert { return Alert{a, ""} }).Print()
	env.From(socket.Lines("localhost:9999")).Union(env.From(file.Lines("go.mod"))).MapBatch(func(in []string, out []int) {
		for i, s := range in {
			out[i] = len(s)
		}
	}).To(file.Writer(t.TempDir(), func(n int) string { return "" }))
	txs.KeyBy(account).ProcessFunc(func(rt *flott.KeyedRuntime[string]) func(*flott.KeyedContext[string, int64], Tx) error {
		n := rt.Value[int64]("n")
		return func(c *flott.KeyedContext[string, int64], _ Tx) error {
			v, _ := n.Get()
			n.Set(v + 1)
			c.Emit(v + 1)
			return nil
		}
	}).Print().Name("per account")
	txs.KeyBy(account).Window(window.TumblingEventTime(time.Minute)).
		Aggregate(aggregate.MaxBy(func(t Tx) float64 { return t.Amount }), func(a string, w window.Window, best Tx) Tx { return best }).Print()
	lines.FlatMapTo(func(l string, out *process.Collector[byte]) error {
		for i := range len(l) {
			out.Emit(l[i])
		}
		return nil
	}).To(flott.ForEachBatch(func([]byte) error { return nil }))
	txs.KeyBy(account).Window(window.TumblingEventTime(time.Minute)).Reduce(func(a, b Tx) Tx { return a }).Discard()
	if _, err := env.Plan("x"); err != nil {
		t.Error(err)
	}
}
