package operator_test

import (
	"math"
	"testing"
	"time"

	"github.com/flott-dev/flott/internal/data/operator"
)

// A source says which of its splits holds the watermark, and for how long it has been silent.
func TestSourceSaysWhatHoldsItsWatermark(t *testing.T) {
	const none, end = math.MinInt64, math.MaxInt64
	s := newStage(t, ascending())
	says := func(when string, want operator.EventTime) {
		t.Helper()
		if got := s.env.Metrics.Time.Load(); got == nil || *got != want {
			t.Errorf("%s: %+v, want %+v", when, got, want)
		}
	}
	s.pull()
	s.pass(200)
	says("without a split", operator.EventTime{NoSplit: true, Watermark: none, Furthest: none})
	s.give(true, "S1", "S2")
	s.pass(200)
	says("before a record", operator.EventTime{Split: "S1", Watermark: none, Furthest: none, Silent: 200})
	s.records("S1", 100)
	s.records("S2", 50)
	s.pull()
	s.pass(200)
	says("with records", operator.EventTime{Split: "S2", Watermark: 49, Furthest: 99})
	s.records("S1", 900)
	s.pull()
	s.pass(1000)
	says("with a silent split", operator.EventTime{Split: "S2", Watermark: 49, Furthest: 899, Silent: 1000})
	s.blocked += 5000
	s.pass(5000)
	says("while the task waits for room", operator.EventTime{Split: "S2", Watermark: 49, Furthest: 899, Silent: 1000})
	s.ends("S1", 0)
	s.ends("S2", 2)
	s.pull()
	s.pull()
	says("at the end", operator.EventTime{Free: true, Watermark: end, Furthest: end})
}

func TestSourceWithIdleSplitsHoldsNobody(t *testing.T) {
	s := newStage(t, idleAfter(time.Second))
	s.start(true, "S1")
	s.records("S1", 10)
	s.pull()
	s.pass(1400)
	if got := s.env.Metrics.Time.Load(); got == nil || !got.Free || got.IdleAfter != 1000 || got.Furthest != 9 {
		t.Errorf("%+v", got)
	}
}
