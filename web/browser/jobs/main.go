// Command jobs is a program with jobs to look at. Its argument says which one it runs: one that fares well, one with a bottleneck, one
// that fails again and again, and so on.
package main

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"log"
	"os"
	"strings"
	"time"

	"github.com/flott-dev/flott"
	"github.com/flott-dev/flott/connector/socket"
	"github.com/flott-dev/flott/watermark"
	"github.com/flott-dev/flott/window"
)

// A job is a program with its name.
type job struct {
	name    string
	options []flott.Option
	write   func(*flott.Environment)
}

// jobs are by the argument that chooses them.
var jobs = map[string]job{
	"words":     {"Socket Window WordCount", []flott.Option{flott.Parallelism(2)}, words},
	"payments":  {"Payments risk", []flott.Option{flott.Parallelism(2)}, payments},
	"failing":   {"Inventory feed", []flott.Option{flott.Parallelism(1), flott.RestartFixed(1000, 3*time.Second)}, failing},
	"failed":    {"Mail bounces", []flott.Option{flott.Parallelism(1), flott.RestartNone()}, failing},
	"finished":  {"Daily report", []flott.Option{flott.Parallelism(1)}, finished},
	"long":      {longName, []flott.Option{flott.Parallelism(1), flott.RestartFixed(1000, time.Second)}, long},
	"cancelled": {"Import of last year", []flott.Option{flott.Parallelism(1)}, endless},
	"waiting":   {"Clickstream sessions", []flott.Option{flott.Parallelism(4)}, endless},
	"stuck":     {"Invoices to print", []flott.Option{flott.Parallelism(1)}, stuck},
	"wide":      {"Thousand subtasks", []flott.Option{flott.Parallelism(250)}, wide},
}

func main() {
	j, ok := jobs[strings.Join(os.Args[1:], " ")]
	if !ok {
		log.Fatal("give the name of a job")
	}
	env := flott.New(j.options...)
	j.write(env)
	if _, err := env.Execute(context.Background(), j.name); err != nil {
		log.Fatal(err)
	}
}

// A count is a word and how often it came.
type count struct {
	Word string
	N    int
}

// words is Flink's best-known first program. Its text comes from the address that WORDS names.
func words(env *flott.Environment) {
	env.From(socket.Lines(os.Getenv("WORDS"))).
		FlatMap(func(line string) iter.Seq[count] {
			return func(yield func(count) bool) {
				for w := range strings.FieldsSeq(line) {
					if !yield(count{w, 1}) {
						return
					}
				}
			}
		}).
		KeyBy(func(c count) string { return c.Word }).
		Window(window.TumblingProcessingTime(5 * time.Second)).
		Reduce(func(a, b count) count { return count{a.Word, a.N + b.N} }).
		Print()
}

// A payment is what the job with a bottleneck is about. Half of them are of one merchant.
type payment struct {
	Merchant int
	Cents    int64
	At       time.Time
}

func newPayment(i int64) payment {
	merchant := int(i % 50)
	if i%2 == 0 {
		merchant = 7
	}
	return payment{merchant, 100 + i%900, time.Now()}
}

// payments has a slow operator with a hot key, behind two sources and in front of three sinks.
func payments(env *flott.Environment) {
	orders := env.From(flott.Generate(-1, 4000, newPayment)).Name("orders").UID("orders").Watermarks(inTime()).
		Map(func(p payment) payment { return p }).Name("parse")
	refunds := env.From(flott.Generate(-1, 500, newPayment)).Name("refunds").UID("refunds").Watermarks(inTime()).
		Filter(func(p payment) bool { return p.Cents%3 > 0 }).Name("decode")
	scored := orders.Union(refunds).Rebalance().
		Map(func(p payment) payment { return p }).Name("score")
	scored.KeyBy(func(p payment) int { return p.Merchant }).
		Reduce(func(a, b payment) payment {
			time.Sleep(time.Millisecond)
			return payment{a.Merchant, a.Cents + b.Cents, b.At}
		}).Name("risk").UID("risk").
		To(flott.ForEach(func(payment) error { return nil })).Name("alerts")
	scored.To(flott.ForEach(func(payment) error { return nil })).Name("archive")
	scored.Filter(func(p payment) bool { return p.Cents > 990 }).Name("large").
		To(flott.ForEach(func(payment) error { return nil })).Name("audit").Parallelism(1)
}

func inTime() watermark.Strategy[payment] {
	return watermark.BoundedOutOfOrder(time.Second, func(p payment) time.Time { return p.At })
}

var errRefused = errors.New("duplicate key value violates unique constraint \"bounces_pkey\"")

// failing fails after two seconds.
func failing(env *flott.Environment) {
	env.From(flott.Generate(-1, 100, func(i int64) int64 { return i })).Name("feed").
		KeyBy(func(i int64) int64 { return i % 10 }).
		Reduce(func(a, b int64) int64 { return a + b }).Name("totals").UID("totals").
		To(flott.ForEach(func(i int64) error {
			if i > 2000 {
				return fmt.Errorf("total %d: %w", i, errRefused)
			}
			return nil
		})).Name("table")
}

// finished comes to an end by itself.
func finished(env *flott.Environment) {
	env.From(flott.Sequence(1, 100_000)).Name("rows").
		KeyBy(func(i int64) int64 { return i % 100 }).
		Reduce(func(a, b int64) int64 { return max(a, b) }).Name("largest").
		Discard().Name("report")
}

// longName is as long as nobody should call anything.
var longName = strings.Repeat("a name that goes on ", 500)

// long fails at once, with names and an error that are long.
func long(env *flott.Environment) {
	env.From(flott.Sequence(1, 1)).Name(longName).
		KeyBy(func(i int64) int64 { return i }).
		Reduce(func(a, b int64) int64 { return a + b }).Name(longName + "and on").
		To(flott.ForEach(func(int64) error { return errors.New(longName) })).Name(longName + "to its end")
}

// endless goes on for ever.
func endless(env *flott.Environment) {
	env.From(flott.Generate(-1, 100, func(i int64) int64 { return i })).Name("visits").
		KeyBy(func(i int64) int64 { return i % 10 }).
		Reduce(func(a, b int64) int64 { return a + b }).Name("sessions").
		Discard().Name("store")
}

// stuck has a sink that never comes back from a call.
func stuck(env *flott.Environment) {
	env.From(flott.Generate(-1, 1000, func(i int64) int64 { return i })).Name("invoices").
		KeyBy(func(i int64) int64 { return i % 10 }).
		Reduce(func(a, b int64) int64 { return max(a, b) }).Name("newest").
		Rebalance().To(flott.ForEach(func(int64) error {
		awaitPaper()
		return nil
	})).Name("printer")
}

// awaitPaper takes for ever, as nobody brings any.
func awaitPaper() { <-make(chan struct{}) }

// wide has four vertices of 250 subtasks.
func wide(env *flott.Environment) {
	env.From(flott.Generate(-1, 5000, func(i int64) int64 { return i })).Name("numbers").
		KeyBy(func(i int64) int64 { return i % 10_000 }).
		Reduce(func(a, b int64) int64 { return a + b }).Name("sums").
		Rebalance().Map(func(i int64) int64 { return i }).Name("spread").
		KeyBy(func(i int64) int64 { return i % 1000 }).
		Reduce(func(a, b int64) int64 { return max(a, b) }).Name("largest").
		Discard()
}
