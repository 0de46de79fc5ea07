package operator_test

import (
	"math"
	"strings"
	"testing"
	"time"

	"github.com/flott-dev/flott/internal/data/operator"
	"github.com/flott-dev/flott/internal/data/record"
	"github.com/flott-dev/flott/watermark"
)

func TestWatermarks(t *testing.T) {
	var out tape[int64]
	r := newRig(t, operator.Watermarks(*ascending()), record.Input[int64](&out))
	in := input[int64](r, 0)
	hashed := batch([]int64{10, 30, 20}, 1, 2, 3)
	hashed.H = []uint64{7, 8, 9}
	noError(t, in.Receive(hashed))
	noError(t, in.Watermark(500))
	out.expect(t, "10@10 30@30 20@20")
	r.clock.pass(t, 200)
	out.expect(t, "watermark 29")
	noError(t, in.Receive(batch([]int64{40})))
	noError(t, in.Watermark(math.MaxInt64))
	out.expect(t, "40@40 | watermark end")
	r.clock.pass(t, 1000)
	out.expect(t, "")
}

// It is idle when the stream before it is, and when that has nothing for the time of its own.
func TestWatermarksIdle(t *testing.T) {
	var out tape[int64]
	s := ascending().Idle(time.Second)
	r := newRig(t, operator.Watermarks(s), record.Input[int64](&out))
	in := input[int64](r, 0)
	noError(t, in.Receive(batch([]int64{10})))
	noError(t, in.Idle(true))
	r.clock.pass(t, 200)
	out.expect(t, "10@10 | idle")
	r.clock.pass(t, 5000)
	noError(t, in.Idle(false))
	r.clock.pass(t, 200)
	out.expect(t, "active | watermark 9")
	r.clock.pass(t, 1000)
	out.expect(t, "idle")
	noError(t, in.Receive(batch([]int64{11})))
	out.expect(t, "active | 11@11")
	r.clock.pass(t, 2000)
	out.expect(t, "watermark 10 | idle")
	noError(t, in.Watermark(math.MaxInt64))
	out.expect(t, "active | watermark end")
}

func TestWatermarksNeedTimestamps(t *testing.T) {
	var out tape[int64]
	in := input[int64](newRig(t, operator.Watermarks(watermark.Monotonic[int64](nil)), record.Input[int64](&out)), 0)
	noError(t, in.Receive(batch([]int64{1}, 70)))
	out.expect(t, "1@70")
	if err := in.Receive(batch([]int64{1})); err == nil || !strings.Contains(err.Error(), "no timestamp") {
		t.Errorf("got %v", err)
	}
}

// The columns of a shared batch are not written to.
func TestWatermarksLeaveSharedColumnsAlone(t *testing.T) {
	var out tape[int64]
	in := input[int64](newRig(t, operator.Watermarks(*ascending()), record.Input[int64](&out)), 0)
	b := batch([]int64{5}, 1)
	b.Shared = true
	lent := *b
	noError(t, in.Receive(&lent))
	out.expect(t, "5@5")
	if b.TS[0] != 1 {
		t.Errorf("timestamp is now %d", b.TS[0])
	}
}
