package diagnose

import (
	"fmt"
	"testing"
)

func TestProgress(t *testing.T) {
	busy, free, pressed := work{busy: 100}, work{}, work{pressed: 100}
	for name, test := range map[string]struct {
		before, after int // seconds
		does          work
		want          string
	}{
		"works":             {5, 90, work{100, 0, 10}, ""},
		"has nothing to do": {5, 90, free, ""},
		"hangs":             {5, 61, busy, "stalled progress: sink makes no progress: Subtask 0 has been busy for 1 min 1 s without"},
		"hangs for a while": {5, 60, busy, ""},
		"is not read":       {5, 61, pressed, "stalled progress: sink makes no progress: Subtask 0 has been back-pressured for 1 min 1 s: nobody reads what it writes."},
	} {
		t.Run(name, func(t *testing.T) {
			w := newWorld(t, "source sink", 1)
			w.pass(test.before, map[string]work{"source": {10, 0, 10}, "sink": {10, 0, 10}})
			d := w.pass(test.after, map[string]work{"sink": test.does})
			if test.want == "" {
				expect(t, d)
				return
			}
			expect(t, d, test.want)
			expect(t, w.pass(1, map[string]work{"sink": {50, 0, 1}}))
		})
	}
}

// Who is busy is to blame, and not who waits for it; and it is not named as the bottleneck once more.
func TestBusyTaskIsToBlame(t *testing.T) {
	w := newWorld(t, "source slow sink", 2)
	w.pass(5, map[string]work{"source": {10, 0, 9}, "slow 1": {10, 0, 9}})
	d := w.pass(70, map[string]work{"source": {0, 100, 0}, "slow 1": {100, 0, 0}})
	expect(t, d, "stalled progress: slow makes no progress: Subtask 1 has been busy")
	if d.Level != Stalled || *d.Findings[0].Where != (Place{1, 1}) || d.Bottleneck == nil || *d.Bottleneck != (Place{1, 1}) {
		t.Errorf("%+v", d)
	}
}

// Before a minute is over nobody knows that it hangs, but nothing is said of what its records cost either, and none of its siblings.
func TestTaskThatFinishesNoRecord(t *testing.T) {
	w := newWorld(t, "source slow sink", 2)
	w.pass(5, map[string]work{"source": {10, 0, 9}, "slow": {10, 0, 9}, "slow 1": {10, 0, 9}})
	hangs := map[string]work{"source": {0, 100, 0}, "slow 1": {100, 0, 0}}
	expect(t, w.pass(9, hangs), "warn bottleneck: slow is the bottleneck: Subtask 1")
	expect(t, w.pass(1, hangs), "warn progress: slow finishes no record: Subtask 1 was 100 % busy in the last 10 s, and has finished no record for 10 s. Back-pressured by it: source 100 %.")
	d := w.pass(30, hangs)
	expect(t, d, "warn progress: slow finishes no record: Subtask 1 was 100 % busy in the last 10 s, and has finished no record for 40 s.")
	if *d.Bottleneck != (Place{1, 1}) || fmt.Sprint(d.Findings[0].Path) != "[0 1]" || d.Findings[0].Figures["still"] != 40_000 {
		t.Errorf("%+v", d)
	}
	expect(t, w.pass(1, map[string]work{"source": {0, 100, 0}, "slow": {1, 0, 1}, "slow 1": {100, 0, 1}}), "warn bottleneck: slow is the bottleneck: Subtask 1")
	w.pass(12, hangs)
	expect(t, w.pass(50, hangs), "stalled progress: slow makes no progress")
}

// A worker that does not answer is not one whose tasks hang.
func TestTasksThatSendNoFigures(t *testing.T) {
	w := newWorld(t, "source sink", 1)
	w.pass(5, map[string]work{"source": {10, 0, 10}, "sink": {10, 0, 10}})
	expect(t, w.Diagnosis())
	w.o.At += 100_000
	expect(t, w.Observe(&w.o), "pending bottleneck: Whether there is a bottleneck is not known: Subtask 0 of source has not sent enough figures yet.")
}

// A new attempt has all its time.
func TestNewAttemptHasItsTime(t *testing.T) {
	w := newWorld(t, "source", 1)
	w.pass(59, map[string]work{"source": {100, 0, 0}})
	w.task("source").Attempt = 1
	expect(t, w.pass(30, map[string]work{"source": {100, 0, 0}}))
	expect(t, w.pass(32, map[string]work{"source": {100, 0, 0}}), "stalled progress")
}

// A clock that is set, or a machine that has slept, is nothing that a task has done.
func TestClockJumps(t *testing.T) {
	for name, jump := range map[string]int64{"forward": 3_600_000, "back": -3_600_000} {
		t.Run(name, func(t *testing.T) {
			w := newWorld(t, "source sink", 1)
			w.pass(5, map[string]work{"source": {10, 0, 10}, "sink": {10, 0, 10}})
			w.pass(5, nil)
			w.o.At += jump
			expect(t, w.pass(30, nil))
			d := w.pass(70, map[string]work{"sink": {busy: 100}})
			expect(t, d, "stalled progress: sink makes no progress: Subtask 0 has been busy for 1 min")
		})
	}
}
