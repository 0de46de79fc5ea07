package task

import (
	"fmt"
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"github.com/flott-dev/flott/internal/data/operator"
)

// arrivals runs a job with a source that emits the number i at i*every, n times, and returns when each arrived, in time since the
// start. A busy source does not return before it has the next record; an idle one waits for a timer.
func arrivals(t *testing.T, n int, every time.Duration, busy bool, timeoutMs int64, gap time.Duration) (arrived []string) {
	synctest.Test(t, func(t *testing.T) {
		start := time.Now()
		f := newFlow(1)
		in := source[int](f, "source", 1, script[int](func(int) (steps []any) {
			for i := range n {
				if busy {
					steps = append(steps, func(*operator.Env) bool { time.Sleep(every); return true })
				} else {
					steps = append(steps, untilTime(start.Add(time.Duration(i+1)*every)))
				}
				steps = append(steps, i+1)
			}
			return steps
		}))
		got := &recorder{}
		got.arrived = func(line string) {
			if line[0] >= '0' && line[0] <= '9' {
				arrived = append(arrived, fmt.Sprintf("%s:%d", line, time.Since(start).Milliseconds()))
			}
		}
		apart(then[struct{}](f, in, "sink", sink[int](got)))
		j := compile(t, f.Program)
		j.host.FlushGap = gap
		for _, p := range j.plans {
			for i := range p.Partitions {
				p.Partitions[i].BufferTimeoutMs = timeoutMs
			}
		}
		check(t, j.run(t.Context(), t))
	})
	return arrived
}

// untilTime is a step that makes an idle source wait until then.
func untilTime(then time.Time) func(*operator.Env) bool {
	asked := false
	return func(env *operator.Env) bool {
		if !asked && time.Now().Before(then) {
			asked = true
			env.Clock.At(then.UnixMilli(), func() error { return nil })
		}
		return !time.Now().Before(then)
	}
}

func TestFlush(t *testing.T) {
	const ms = time.Millisecond
	for _, c := range []struct {
		name      string
		n         int
		every     time.Duration
		busy      bool
		timeoutMs int64
		gap       time.Duration
		want      []string // record:ms of arrival
	}{
		{"idle: at once", 3, 10 * ms, false, 100, 0, []string{"1:10", "2:20", "3:30"}},
		{"busy: after the timeout", 5, 20 * ms, true, 50, 0, []string{"1:80", "2:80", "3:80", "4:100", "5:100"}},
		{"busy, timeout 0: after every batch", 3, 20 * ms, true, 0, 0, []string{"1:20", "2:40", "3:60"}},
		{"idle, no timeout: with the end", 3, 10 * ms, false, -1, 0, []string{"1:30", "2:30", "3:30"}},
		{"busy, no timeout: with the end", 3, 500 * ms, true, -1, 0, []string{"1:1500", "2:1500", "3:1500"}},
		{"idle, gap: not more often", 6, 10 * ms, false, 100, 25 * ms, []string{"1:10", "2:35", "3:35", "4:60", "5:60", "6:60"}},
		{"idle, gap larger than the timeout: the deadline set before", 3, 10 * ms, false, 15, 100 * ms, []string{"1:10", "2:25", "3:30"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got := arrivals(t, c.n, c.every, c.busy, c.timeoutMs, c.gap); !slices.Equal(got, c.want) {
				t.Errorf("got %q\nwant %q", got, c.want)
			}
		})
	}
}
