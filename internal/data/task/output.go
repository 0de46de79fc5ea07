package task

import (
	"time"

	"github.com/flott-dev/flott/internal/data/shuffle"
)

// An output is a way out of the task and knows when to flush it:
//
//   - when a block is full, and before events: the writer does so by itself;
//   - when the task has nothing else to do, but not more often than once in FlushGap;
//   - when the timeout after the task first left something staged, and the step at hand, are over. A timeout of 0 is a flush after every step; without one (-1)
//     only full blocks are sent, and nothing because the task is idle.
//
// The deadline is set by a task that goes on working with something staged; one that keeps up with its input flushes when it is idle
// and never sets it. Once set it stays: that it may come early for what is staged later costs less than setting it anew.
type output struct {
	shuffle.Writer
	timeout time.Duration // < 0: none
	gap     time.Duration
	clock   *clock

	deadline timer
	due      bool  // the deadline is over
	flushed  int64 // when it was flushed last but for a full block; kept if there is a gap
}

func newOutput(w shuffle.Writer, timeoutMs int64, gap time.Duration, c *clock) *output {
	o := &output{Writer: w, timeout: time.Duration(timeoutMs) * time.Millisecond, gap: gap, clock: c}
	o.deadline = timer{index: stopped, f: func() error { o.due = true; return nil }}
	return o
}

// working flushes what must be flushed although the task goes on working.
func (o *output) working() error {
	switch {
	case !o.due && o.deadline.index != stopped:
		return nil // the usual case in a busy task: it was set before
	case !o.Staged():
		o.due = false
	case o.due || o.timeout == 0:
		return o.flush()
	case o.timeout > 0:
		o.flushBy(o.clock.nanos() + int64(o.timeout))
	}
	return nil
}

// idle flushes what is staged, unless it must wait.
func (o *output) idle() error {
	switch {
	case !o.Staged():
		o.due = false
		return nil
	case o.timeout < 0:
		return nil
	case o.gap == 0:
		return o.flush()
	}
	if now, at := o.clock.nanos(), o.flushed+int64(o.gap); now < at && !o.due {
		o.flushBy(min(at, now+int64(o.timeout)))
		return nil
	}
	return o.flush()
}

// flushBy sets the deadline, unless it is earlier already.
func (o *output) flushBy(at int64) {
	if o.deadline.index == stopped || at < o.deadline.at {
		o.clock.arm(&o.deadline, at)
	}
}

func (o *output) flush() error {
	o.due = false
	if o.gap > 0 {
		o.flushed = o.clock.nanos()
	}
	return o.Flush()
}
