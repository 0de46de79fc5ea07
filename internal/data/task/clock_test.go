package task

import (
	"errors"
	"fmt"
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"github.com/flott-dev/flott/internal/data/shuffle"
)

// A ticker runs a clock as a task does.
type ticker struct {
	*clock
	box *shuffle.Mailbox
	ran []string
}

func newTicker() *ticker {
	t := &ticker{box: shuffle.NewMailbox()}
	t.clock = newClock(t.box.Nudge)
	return t
}

func (t *ticker) note(s string) func() error {
	return func() error {
		t.ran = append(t.ran, s)
		return nil
	}
}

// runUntil runs timers until d from now.
func (t *ticker) runUntil(d time.Duration) {
	over := time.Now().Add(d)
	for time.Now().Before(over) {
		wake := time.AfterFunc(time.Until(over), t.box.Nudge)
		t.box.Wait(shuffle.Urgent)
		wake.Stop()
		t.box.Attend()
		if err := t.run(); err != nil {
			t.ran = append(t.ran, err.Error())
		}
	}
}

func (t *ticker) expect(tt *testing.T, want ...string) {
	tt.Helper()
	if !slices.Equal(t.ran, want) {
		tt.Errorf("ran %q, want %q", t.ran, want)
	}
	t.ran = nil
}

func TestClock(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := newTicker()
		defer c.stop()
		start := c.Now()
		if want := time.Now().UnixMilli(); start != want {
			t.Fatalf("it is %d, want %d", start, want)
		}
		for _, in := range []int64{30, 10, 20, 20, 10} {
			c.At(start+in, c.note(fmt.Sprint(in)))
		}
		stop := c.At(start+15, c.note("stopped"))
		stop()
		stop()
		c.At(start+5, func() error { c.At(start+5, c.note("again")); return errors.New("failed") })
		c.At(start-100, c.note("past"))
		c.At(-1<<62, c.note("long past"))
		c.At(never, c.note("never"))
		c.runUntil(7 * time.Millisecond)
		c.expect(t, "long past", "past", "failed", "again")
		c.runUntil(time.Second)
		c.expect(t, "10", "10", "20", "20", "30")
		if got := c.Now() - start; got != 1007 {
			t.Errorf("%d ms have passed, want 1007", got)
		}
	})
}

// A timer that arms itself for now (row C5) does not keep the task from other work.
func TestTimerThatArmsItself(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := newTicker()
		defer c.stop()
		n := 0
		var again func() error
		again = func() error {
			n++
			c.At(c.Now(), again)
			return nil
		}
		c.At(c.Now(), again)
		for range 3 {
			c.box.Wait(shuffle.Urgent)
			c.box.Attend()
			if err := c.run(); err != nil {
				t.Fatal(err)
			}
		}
		if n != 3 {
			t.Errorf("ran %d times in 3 rounds", n)
		}
	})
}

func TestEarlierTimerSetsAlarm(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := newTicker()
		defer c.stop()
		c.At(c.Now()+1000, c.note("late"))
		c.At(c.Now()+10, c.note("early"))
		c.runUntil(11 * time.Millisecond)
		c.expect(t, "early")
		c.runUntil(time.Second)
		c.expect(t, "late")
	})
}
