package callback_test

import (
	"errors"
	"testing"

	"github.com/flott-dev/flott/connector"
	"github.com/flott-dev/flott/connector/callback"
	"github.com/flott-dev/flott/connector/connectortest"
)

func TestConforms(t *testing.T) {
	sinks := map[string]func(got *[]int) connector.Sink[int]{
		"ForEach": func(got *[]int) connector.Sink[int] {
			return callback.ForEach(func(v int) error { *got = append(*got, v); return nil })
		},
		"ForEachBatch": func(got *[]int) connector.Sink[int] {
			return callback.ForEachBatch(func(v []int) error { *got = append(*got, v...); return nil })
		},
	}
	broken := func(int) error { return errors.New("broken") }
	for name, sink := range sinks {
		t.Run(name, func(t *testing.T) {
			connectortest.Sink(t, connectortest.SinkCase[int]{
				New: func() (connector.Sink[int], func() ([]int, error)) {
					var got []int
					return sink(&got), func() ([]int, error) { return got, nil }
				},
				Record: func(i int) int { return i },
				Broken: func() connector.Sink[int] { return callback.ForEach(broken) },
			})
		})
	}
}

func TestForEachStopsAtError(t *testing.T) {
	wrong := errors.New("3 is wrong")
	var calls int
	w, err := callback.ForEach(func(v int) error {
		if calls++; v == 3 {
			return wrong
		}
		return nil
	}).Writer(t.Context(), 0, 1)
	if err != nil {
		t.Fatal(err)
	}
	if err := w.Write([]int{1, 2, 3, 4}, nil); !errors.Is(err, wrong) || calls != 3 {
		t.Errorf("Write made %d calls and returned %v, want 3 and the function's own error", calls, err)
	}
}

func TestNilFunctionIsFoundBeforeTheJob(t *testing.T) {
	for name, sink := range map[string]connector.Sink[int]{
		"ForEach": callback.ForEach[int](nil), "ForEachBatch": callback.ForEachBatch[int](nil),
	} {
		if err := sink.(connector.Checker).Check(); err == nil {
			t.Errorf("%s(nil): Check found nothing wrong", name)
		}
	}
	if err := callback.Discard[int]().(connector.Checker).Check(); err != nil {
		t.Error(err)
	}
}
