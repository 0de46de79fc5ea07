package flott_test

import (
	"context"
	"errors"
	"io"
	"testing"
	"testing/synctest"
	"time"

	"github.com/flott-dev/flott"
	"github.com/flott-dev/flott/connector/file"
	"github.com/flott-dev/flott/internal/control/watch"
)

// A sleepy value takes long to print.
type sleepy struct{ long func() }

func (s sleepy) String() string { s.long(); return "" }

// TestCancelDoesNotWaitForABatch cancels endless jobs as soon as a function of theirs has been called, which takes 20 ms. Waiting for
// all calls of a batch would take 5 s.
func TestCancelDoesNotWaitForABatch(t *testing.T) {
	const call, bound = 20 * time.Millisecond, 100 * time.Millisecond
	folder := t.TempDir()
	for name, build := range map[string]func(numbers flott.Stream[int64], long func()){
		"Map": func(s flott.Stream[int64], long func()) {
			s.Map(func(v int64) int64 { long(); return v }).Discard()
		},
		"PartitionBy": func(s flott.Stream[int64], long func()) {
			s.PartitionBy(func(int64, int) int { long(); return 0 }).Map(flott.Identity).Discard()
		},
		"KeyBy": func(s flott.Stream[int64], long func()) {
			s.KeyBy(func(v int64) int64 { long(); return v }).Map(flott.Identity).Discard()
		},
		"ForEach": func(s flott.Stream[int64], long func()) {
			s.To(flott.ForEach(func(int64) error { long(); return nil }))
		},
		"ForEach of another task": func(s flott.Stream[int64], long func()) {
			s.Rebalance().To(flott.ForEach(func(int64) error { long(); return nil }))
		},
		"Print": func(s flott.Stream[int64], long func()) {
			s.Map(func(int64) sleepy { return sleepy{long} }).Print()
		},
		"file.Writer": func(s flott.Stream[int64], long func()) {
			s.To(file.Writer(folder, func(int64) string { long(); return "" }))
		},
		"Generate": func(s flott.Stream[int64], long func()) {
			numbers := flott.Generate(-1, 0, func(i int64) int64 { long(); return i })
			s.Environment().From(numbers).Discard()
			s.Discard()
		},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				ctx, cancel := context.WithCancel(t.Context())
				env := flott.New(flott.Parallelism(2), flott.Stdout(io.Discard))
				build(env.From(flott.Generate(-1, 1e6, flott.Identity[int64])), func() {
					time.Sleep(call)
					cancel()
				})
				start := time.Now()
				_, err := env.Execute(ctx, name)
				if stuck := (*watch.Stuck)(nil); !errors.Is(err, context.Canceled) || errors.As(err, &stuck) {
					t.Errorf("got %v", err)
				}
				if took := time.Since(start); took > call+bound {
					t.Errorf("took %v", took)
				}
			})
		})
	}
}
