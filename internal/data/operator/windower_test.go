package operator

import (
	"log/slog"
	"math"
	"testing"
	"time"

	"github.com/flott-dev/flott/aggregate"
	"github.com/flott-dev/flott/internal/data/record"
	"github.com/flott-dev/flott/internal/halt"
	"github.com/flott-dev/flott/internal/id"
	"github.com/flott-dev/flott/window"
)

type noClock struct{}

func (noClock) Now() int64                        { return 0 }
func (noClock) At(int64, func() error) (_ func()) { return func() {} }

// Windows that are gone leave nothing behind: with lateness, without, and when only a late record opened them.
func TestWindowsThatAreGoneLeaveNothing(t *testing.T) {
	for _, lateness := range []int64{0, 5, math.MaxInt64} {
		env := &Env{
			MaxParallelism: 128, KeyGroups: id.KeyGroupRange{First: 0, Last: 127}, Clock: noClock{}, Metrics: &Metrics{}, Context: t.Context(),
			Logger: slog.New(slog.DiscardHandler), Side: func(string) any { return nil },
		}
		o, err := newWindower(env, Windows[int64, int64]{
			Key:      func(v int64) int64 { return v % 100 },
			Assigner: window.SlidingEventTime(10*time.Millisecond, 5*time.Millisecond), Lateness: lateness,
		}, foldByAggregate(new(halt.Flag), aggregate.Count[int64]()), func(int64, window.Window, *int64, *record.Emitter[int64], int64) {})
		if err != nil {
			t.Fatal(err)
		}
		step := func(err error) {
			t.Helper()
			if err != nil {
				t.Fatal(err)
			}
		}
		for i := range int64(1000) {
			step(o.Receive(&record.Batch[int64]{V: []int64{i, i + 1, i + 2}, TS: []int64{i, i - 7, i - 14}}))
			step(o.Watermark(i - 1))
			if lateness < 10 && len(o.open) > 6 {
				t.Fatalf("%d windows are open", len(o.open))
			}
		}
		step(o.Watermark(math.MaxInt64))
		step(o.EndInput(0))
		if len(o.open) != 0 || o.fired != 0 || o.panes.Len() != 0 {
			t.Errorf("lateness %d: %d windows and %d panes are left", lateness, len(o.open), o.panes.Len())
		}
	}
}
