package main

import (
	"fmt"
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"github.com/flott-dev/flott"
	"github.com/flott-dev/flott/aggregate"
	"github.com/flott-dev/flott/flotttest"
	"github.com/flott-dev/flott/state"
	"github.com/flott-dev/flott/watermark"
	"github.com/flott-dev/flott/window"
)

type Click struct {
	User string
	At   time.Time
}

// Visits counts the clicks of each visit, which ends when a user has not clicked for ten seconds.
type Visits struct{ visit state.Value[visit] }

type visit struct {
	Clicks int
	End    time.Time
}

func openVisits(rt *flott.KeyedRuntime[string]) (*Visits, error) {
	return &Visits{rt.Value[visit]("visit")}, nil
}

func (v *Visits) Process(c *flott.KeyedContext[string, string], click Click) error {
	now, open := v.visit.Get()
	if open && !click.At.Before(now.End) { // the watermark that fires the timer comes behind this record
		v.end(c, now)
		now = visit{}
	}
	now = visit{now.Clicks + 1, click.At.Add(10 * time.Second)}
	v.visit.Set(now)
	c.EventTimer(now.End)
	return nil
}

func (v *Visits) OnEventTimer(c *flott.KeyedContext[string, string], at time.Time) error {
	if now, ok := v.visit.Get(); ok && at.Equal(now.End) { // else there was another click since
		v.end(c, now)
	}
	return nil
}

func (v *Visits) end(c *flott.KeyedContext[string, string], ended visit) {
	c.Emit(fmt.Sprint(c.Key(), " clicked ", ended.Clicks, " times"))
	v.visit.Clear()
}

// clicks makes a stream of one click per second of processing time, and of watermarks between them.
func clicks(all ...Click) flott.Stream[Click] {
	env := flott.New(flott.Parallelism(1))
	return env.From(flott.Generate(int64(len(all)), 1, func(i int64) Click { return all[i] })).
		Watermarks(watermark.Monotonic(func(c Click) time.Time { return c.At }))
}

func user(c Click) string { return c.User }

func at(second int64) time.Time { return time.Unix(second, 0) }

func TestVisits(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		in := clicks(Click{"ann", at(0)}, Click{"ann", at(4)}, Click{"bob", at(30)}, Click{"ann", at(31)}, Click{"bob", at(50)}, Click{"bob", at(61)})
		got := flotttest.Collect(t, in.KeyBy(user).Process(openVisits))
		want := []string{"ann clicked 2 times", "bob clicked 1 times", "ann clicked 1 times", "bob clicked 1 times", "bob clicked 1 times"}
		if !slices.Equal(got, want) {
			t.Errorf("got %q, want %q", got, want)
		}
	})
}

func TestLateClick(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		late := flott.NewTag[Click]("late")
		counts := clicks(Click{"ann", at(0)}, Click{"ann", at(11)}, Click{"ann", at(5)}).KeyBy(user).
			Window(window.TumblingEventTime(10*time.Second)).LateTo(late).
			Aggregate(aggregate.Count[Click](), func(user string, _ window.Window, n int64) string { return fmt.Sprint(user, " ", n) })
		counts.Discard()
		if got := flotttest.Collect(t, counts.SideOutput(late)); !slices.Equal(got, []Click{{"ann", at(5)}}) {
			t.Errorf("late are %v, want the click at 5", got)
		}
	})
}

// firsts lets through only the first click of each user.
func firsts(clicks flott.KeyedStream[string, Click]) flott.Stream[Click] {
	return clicks.ProcessFunc(func(rt *flott.KeyedRuntime[string]) func(*flott.KeyedContext[string, Click], Click) error {
		seen := rt.Value[bool]("seen")
		return func(c *flott.KeyedContext[string, Click], click Click) error {
			if _, before := seen.Get(); !before {
				seen.Set(true)
				c.Emit(click)
			}
			return nil
		}
	})
}

func TestFirsts(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		in := clicks(Click{"ann", at(0)}, Click{"bob", at(1)}, Click{"ann", at(2)})
		if got, want := flotttest.Collect(t, firsts(in.KeyBy(user))), []Click{{"ann", at(0)}, {"bob", at(1)}}; !slices.Equal(got, want) {
			t.Errorf("got %v, want %v", got, want)
		}
	})
}
