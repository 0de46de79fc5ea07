package watermark

import (
	"context"
	"math"
	"sync/atomic"
	"time"

	"github.com/flott-dev/flott/internal/halt"
)

// A Generator follows the records of one split, or of one subtask.
type Generator[T any] struct {
	halted  *halt.Flag
	at      func(T) time.Time
	by      int64 // ms
	highest int64 // timestamp; math.MinInt64: no record yet
}

// Generator makes a generator that has seen nothing. ctx ends when the task is cancelled.
func (s Strategy[T]) Generator(ctx context.Context) *Generator[T] {
	return &Generator[T]{halted: halt.Of(ctx), at: s.at, by: s.by.Milliseconds(), highest: math.MinInt64}
}

// Follow takes in the next records: it sets their timestamps ts, if the strategy tells them, else it reads them. It fails when
// the context of Generator has ended.
func (g *Generator[T]) Follow(v []T, ts []int64) error {
	highest := g.highest
	if g.at == nil {
		for _, t := range ts {
			highest = max(highest, t)
		}
	} else {
		ts = ts[:len(v)]
		for i := range v {
			if atomic.LoadUint32(&g.halted.Up) != 0 {
				return g.halted.Err()
			}
			t := g.at(v[i]).UnixMilli()
			ts[i] = t
			highest = max(highest, t)
		}
	}
	g.highest = highest
	return nil
}

// Watermark is how far event time has come; math.MinInt64 before the first record.
func (g *Generator[T]) Watermark() int64 {
	if g.highest < math.MinInt64+1+g.by {
		return math.MinInt64
	}
	return g.highest - g.by - 1
}
