package task

import (
	"container/heap"
	"math"
	"sync/atomic"
	"time"

	"github.com/flott-dev/flott/internal/data/operator"
)

// A clock is a task's processing time and all timers of the task: those of operators and the deadlines of its outputs. It
// belongs to the task's goroutine.
//
// There is one runtime timer behind it, the alarm, set to the earliest of them. When it goes off it only notes so and rings; the
// task then runs what is due, between two batches. Time is the wall clock's at the start of the task plus what the monotonic clock
// counted since. So it neither goes back nor jumps when somebody sets the clock of the machine.
type clock struct {
	start  time.Time
	offset int64 // of start, in nanoseconds since the epoch
	ring   func()

	pending timers
	seq     uint64
	alarm   *time.Timer // made with the first timer
	set     int64       // what the alarm is set to; never, if it is not
	rang    atomic.Bool // the alarm went off; the only field that others touch
}

const never = math.MaxInt64

func newClock(ring func()) *clock {
	now := time.Now()
	return &clock{start: now, offset: now.UnixNano(), ring: ring, set: never}
}

var _ operator.Clock = (*clock)(nil)

// nanos is the time in nanoseconds since the epoch.
func (c *clock) nanos() int64 { return c.offset + int64(time.Since(c.start)) }

// Now is the time in milliseconds since the epoch.
func (c *clock) Now() int64 { return c.nanos() / int64(time.Millisecond) }

// At runs f once Now() >= ms.
func (c *clock) At(ms int64, f func() error) (stop func()) {
	if ms > never/int64(time.Millisecond) {
		return func() {} // in some hundred years
	}
	t := &timer{f: f, index: stopped}
	c.arm(t, max(ms, 0)*int64(time.Millisecond))
	return func() { c.disarm(t) }
}

// arm makes t due at a time in nanoseconds, also if it was armed before.
func (c *clock) arm(t *timer, at int64) {
	c.disarm(t)
	c.seq++
	t.at, t.seq = at, c.seq
	heap.Push(&c.pending, t)
	c.setAlarm()
}

func (c *clock) disarm(t *timer) {
	if t.index != stopped {
		heap.Remove(&c.pending, t.index)
	}
}

// setAlarm sets the alarm if it would be late. That it may go off for a timer that was stopped costs less than setting it again.
func (c *clock) setAlarm() {
	if len(c.pending) == 0 || c.pending[0].at >= c.set {
		return
	}
	c.set = c.pending[0].at
	d := time.Duration(c.set - c.nanos())
	if c.alarm != nil {
		c.alarm.Reset(d)
		return
	}
	c.alarm = time.AfterFunc(d, func() {
		c.rang.Store(true)
		c.ring()
	})
}

// run runs what is due, if the alarm went off. What is armed meanwhile waits for the next time, even if it is due at once, so that
// a timer that keeps arming itself does not keep the task.
func (c *clock) run() error {
	if !c.rang.Swap(false) {
		return nil
	}
	c.set = never
	now, last := c.nanos(), c.seq
	for len(c.pending) > 0 && c.pending[0].at <= now && c.pending[0].seq <= last {
		t := heap.Pop(&c.pending).(*timer)
		if err := t.f(); err != nil {
			return err
		}
	}
	c.setAlarm()
	return nil
}

// stop makes the alarm silent.
func (c *clock) stop() {
	if c.alarm != nil {
		c.alarm.Stop()
	}
}

// A timer runs f on the task's goroutine when it is due.
type timer struct {
	at    int64
	seq   uint64 // of those due at once, who was armed first comes first
	f     func() error
	index int // in timers
}

const stopped = -1

// timers is a container/heap.
type timers []*timer

func (t timers) Len() int { return len(t) }

func (t timers) Less(i, j int) bool {
	if t[i].at != t[j].at {
		return t[i].at < t[j].at
	}
	return t[i].seq < t[j].seq
}

func (t timers) Swap(i, j int) {
	t[i], t[j] = t[j], t[i]
	t[i].index, t[j].index = i, j
}

func (t *timers) Push(x any) {
	n := x.(*timer)
	n.index = len(*t)
	*t = append(*t, n)
}

func (t *timers) Pop() any {
	old := *t
	last := len(old) - 1
	n := old[last]
	old[last] = nil
	*t = old[:last]
	n.index = stopped
	return n
}
