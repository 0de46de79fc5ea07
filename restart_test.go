package flott_test

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"sync/atomic"
	"testing"
	"time"

	"github.com/flott-dev/flott"
)

// failsFirst fails at its value, the first times that it sees it.
func failsFirst(value, times int64) func(int64) (int64, error) {
	var seen atomic.Int64
	return func(v int64) (int64, error) {
		if v == value && seen.Add(1) <= times {
			return 0, errors.New("no luck")
		}
		return v, nil
	}
}

func ExampleRestartFixed() {
	slog.SetDefault(slog.New(slog.DiscardHandler)) // which would tell of the failure, and that the source starts again
	env := flott.New(flott.Parallelism(1), flott.RestartFixed(3, 10*time.Millisecond))
	env.From(flott.Sequence(1, 3)).TryMap(failsFirst(2, 1)).Rebalance().Filter(func(v int64) bool { return v == 3 }).Print()
	run(env)
	// Output:
	// 3
}

func ExampleRestartExponential() {
	slog.SetDefault(slog.New(slog.DiscardHandler))
	env := flott.New(flott.Parallelism(1), flott.RestartExponential(time.Millisecond, time.Second))
	env.From(flott.Sequence(1, 3)).TryMap(failsFirst(1, 5)).Print()
	run(env)
	// Output:
	// 1
	// 2
	// 3
}

func ExampleRestartFailureRate() {
	slog.SetDefault(slog.New(slog.DiscardHandler))
	env := flott.New(flott.Parallelism(1), flott.RestartFailureRate(2, time.Hour, 0))
	env.From(flott.Sequence(1, 3)).TryMap(failsFirst(1, 3)).Print()
	_, err := env.Execute(context.Background(), "unlucky")
	fmt.Println(err)
	// Output:
	// flott: job "unlucky" failed: operator "Map" (1/1): no luck
}

func ExampleRestartNone() {
	env := flott.New(flott.Parallelism(1), flott.RestartNone())
	env.From(flott.Sequence(1, 3)).TryMap(failsFirst(1, 1)).Print()
	_, err := env.Execute(context.Background(), "unlucky")
	fmt.Println(err)
	// Output:
	// flott: job "unlucky" failed: operator "Map" (1/1): no luck
}

// Only the tasks that are connected with the one that failed start again.
func TestRestartOfARegion(t *testing.T) {
	slog.SetDefault(slog.New(slog.DiscardHandler))
	env := flott.New(flott.Parallelism(4), flott.RestartFixed(1, 0))
	var counts [5]atomic.Int64
	env.From(flott.Sequence(1, 4)).TryMap(failsFirst(3, 1)).StartNewChain().To(flott.ForEach(func(v int64) error {
		counts[v].Add(1)
		return nil
	}))
	if _, err := env.Execute(t.Context(), "regions"); err != nil {
		t.Fatal(err)
	}
	for v := 1; v <= 4; v++ {
		if n := counts[v].Load(); n != 1 {
			t.Errorf("the record %d came %d times", v, n)
		}
	}
}

func TestRestartOfTheWholeJobSeesAllRecordsAgain(t *testing.T) {
	slog.SetDefault(slog.New(slog.DiscardHandler))
	env := flott.New(flott.Parallelism(2), flott.RestartFixed(3, time.Millisecond))
	var sum atomic.Int64
	fails := failsFirst(50, 3)
	env.From(flott.Sequence(1, 100)).Rebalance().TryMap(fails).
		KeyBy(func(v int64) int64 { return v % 7 }).
		Reduce(func(a, b int64) int64 { return max(a, b) }).
		Rebalance().To(flott.ForEach(func(v int64) error {
		sum.Add(1)
		return nil
	})).Parallelism(1)
	r, err := env.Execute(t.Context(), "whole")
	if err != nil {
		t.Fatal(err)
	}
	last := r.Operators[len(r.Operators)-1]
	if sum.Load() < 100 || last.RecordsIn != 100 {
		t.Errorf("%d records came, the last attempt counted %d", sum.Load(), last.RecordsIn)
	}
}

func TestRestartMistakes(t *testing.T) {
	t.Setenv("FLOTT_RESTART_STRATEGY_TYPE", "sometimes")
	env := flott.New(flott.RestartFixed(-1, 0))
	env.From(flott.Sequence(1, 1)).Print()
	_, err := env.Execute(t.Context(), "mistakes")
	var mistakes *flott.ProgramError
	if !errors.As(err, &mistakes) || len(mistakes.Mistakes) != 2 {
		t.Errorf("the error is %v", err)
	}
}

func TestRestartKeys(t *testing.T) {
	slog.SetDefault(slog.New(slog.DiscardHandler))
	t.Setenv("FLOTT_RESTART_STRATEGY_TYPE", "fixeddelay")
	t.Setenv("FLOTT_RESTART_STRATEGY_FIXED_DELAY_DELAY", "0 ms")
	for times, ok := range map[int64]bool{1: true, 2: false} { // one attempt is the default
		env := flott.New()
		env.From(flott.Sequence(1, 10)).TryMap(failsFirst(1, times)).To(flott.Discard[int64]())
		if _, err := env.Execute(t.Context(), "keys"); (err == nil) != ok {
			t.Errorf("after %d failures the error is %v", times, err)
		}
	}
}
