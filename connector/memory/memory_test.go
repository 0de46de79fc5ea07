package memory_test

import (
	"testing"

	"github.com/flott-dev/flott/connector"
	"github.com/flott-dev/flott/connector/connectortest"
	"github.com/flott-dev/flott/connector/memory"
)

func TestSourceConforms(t *testing.T) {
	for _, n := range []int{0, 1, 7, 600} {
		xs := make([]int, n)
		for i := range xs {
			xs[i] = i
		}
		connectortest.Source(t, connectortest.SourceCase[int]{
			New:  func() connector.Source[int] { return memory.FromSlice(xs) },
			Want: xs,
		})
	}
}

func TestCollectorConforms(t *testing.T) {
	connectortest.Sink(t, connectortest.SinkCase[int]{
		New: func() (connector.Sink[int], func() ([]int, error)) {
			c := &memory.Collector[int]{}
			return c, func() ([]int, error) { return c.Values(), nil }
		},
		Record: func(i int) int { return i },
	})
}
