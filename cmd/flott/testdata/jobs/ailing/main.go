// Command ailing has a job for each thing that can be wrong with one: "slow", "hot", "silent", "stuck".
package main

import (
	"context"
	"fmt"
	"os"
	"time"

	"github.com/flott-dev/flott"
	"github.com/flott-dev/flott/watermark"
)

func main() {
	ails := os.Args[1]
	env := flott.New()
	map[string]func(*flott.Environment){"slow": slow, "hot": hot, "silent": silent, "stuck": stuck}[ails](env)
	if _, err := env.Execute(context.Background(), ails); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func identity(i int64) int64 { return i }

// slow has an operator that takes its time for each record.
func slow(env *flott.Environment) {
	env.From(flott.Sequence(0, 1<<40)).Map(func(i int64) int64 {
		time.Sleep(10 * time.Millisecond)
		return i
	}).Name("ponder").StartNewChain().Discard()
}

// hot has a key with nine of ten records.
func hot(env *flott.Environment) {
	env.From(flott.Sequence(0, 1<<40)).
		KeyBy(func(i int64) int64 { return max(0, i%10-8) * i }).
		Reduce(func(a, b int64) int64 {
			time.Sleep(10 * time.Millisecond)
			return max(a, b)
		}).Name("sum").Parallelism(2).Discard()
}

// silent has a split with one record, and one with many.
func silent(env *flott.Environment) {
	now := watermark.Monotonic(func(int64) time.Time { return time.Now() })
	quiet := env.From(flott.Generate(-1, 0.001, identity)).Name("quiet").Watermarks(now)
	env.From(flott.Generate(-1, 100, identity)).Name("lively").Watermarks(now).
		Union(quiet).Map(identity).Name("both").StartNewChain().Discard()
}

// stuck has a sink that does not return from one of its calls.
func stuck(env *flott.Environment) {
	env.From(flott.Sequence(0, 1<<40)).To(flott.ForEach(func(i int64) error {
		if i == 1000 {
			select {}
		}
		return nil
	})).Name("store").StartNewChain()
}
