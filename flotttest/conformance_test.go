package flotttest_test

import (
	"testing"

	"github.com/flott-dev/flott/backend"
	"github.com/flott-dev/flott/backend/heap"
	"github.com/flott-dev/flott/connector"
	"github.com/flott-dev/flott/connector/memory"
	"github.com/flott-dev/flott/flotttest"
)

// The suites are tested where they are; these show their use.

func TestSource(t *testing.T) {
	numbers := []int{1, 2, 3}
	flotttest.Source(t, flotttest.SourceCase[int]{
		New:  func() connector.Source[int] { return memory.FromSlice(numbers) },
		Want: numbers,
	})
}

func TestSink(t *testing.T) {
	flotttest.Sink(t, flotttest.SinkCase[int]{
		New: func() (connector.Sink[int], func() ([]int, error)) {
			c := new(memory.Collector[int])
			return c, func() ([]int, error) { return c.Values(), nil }
		},
		Record: func(i int) int { return i },
	})
}

func TestBackend(t *testing.T) {
	flotttest.Backend(t, func() backend.Backend { return heap.Backend{} })
}
