package task

import (
	"context"
	"slices"
	"testing"

	"github.com/flott-dev/flott/internal/data/operator"
	"github.com/flott-dev/flott/internal/graph/program"
)

func numbers(n int) func(int) []any {
	return func(int) []any {
		var steps []any
		for i := range n {
			steps = append(steps, i)
		}
		return steps
	}
}

func TestPipeline(t *testing.T) {
	f, got := newFlow(1), &recorder{}
	in := source[int](f, "numbers", 1, script[int](func(int) []any {
		return []any{at[int]{1, 10}, at[int]{2, 20}, watermark(15), idle(true), idle(false), 3, watermark(30)}
	}))
	double := then[int](f, in, "double", operator.Map(func(i int) int { return 2 * i }))
	apart(then[struct{}](f, double, "sink", sink[int](got)))
	check(t, compile(t, f.Program).run(t.Context(), t))
	want := []string{"2@10", "4@20", "w15", "idle=true", "idle=false", "6", "w30", "end", "ended 0", "finish", "close"}
	if !slices.Equal(got.lines(), want) {
		t.Errorf("got %q\nwant %q", got.lines(), want)
	}
}

var (
	_ = context.Canceled
	_ = program.Forward
)
