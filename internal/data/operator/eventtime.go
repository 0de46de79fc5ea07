package operator

import (
	"errors"
	"slices"
	"time"

	"github.com/flott-dev/flott/internal/data/record"
	"github.com/flott-dev/flott/internal/decide/progress"
	"github.com/flott-dev/flott/watermark"
)

// watermarkInterval is how often watermarks are sent, in processing time.
const watermarkInterval = 200 * time.Millisecond

var errNoTime = errors.New("a record has no timestamp: its source gives none, and the watermark strategy has no function that tells its time")

// An EventTime is how far the watermark has got that an operator makes, and what holds it back: of all splits that are not idle the
// one that is furthest behind. It is as the last look found it.
type EventTime struct {
	Free      bool   // nobody holds it: all is idle, or over
	NoSplit   bool   // it is held for a split that has not come yet
	Split     string // that holds it; "": the operator has no splits
	Watermark int64  // of that split; progress.None before its first record
	Silent    int64  // milliseconds without a record of it, not counting those in which the task could not take any
	Furthest  int64  // watermark of the split that is furthest ahead
	IdleAfter int64  // milliseconds of silence after which a split is not waited for; 0: it always is
}

// eventTime is the event time of an operator that makes timestamps and watermarks. It follows several tracks, one per split of a
// source, and merges them; all of that once an interval, so that records cost no look at the clock.
type eventTime[T any] struct {
	env       *Env
	strategy  watermark.Strategy[T]
	idleAfter int64 // ms; 0: never
	out       record.Events
	ts        []int64 // timestamps of one batch, if it is the strategy that tells them
	ticker    ticker

	tracks []*track[T]
	merger *progress.Merger
}

// A track is records that come one after another.
type track[T any] struct {
	split      string // "": the records are of no split
	watermarks *watermark.Generator[T]
	place      int   // in the merger
	heard      bool  // a record came since the last look
	since      int64 // the look at which the last record was noticed
}

func newEventTime[T any](env *Env, s watermark.Strategy[T], out record.Events) *eventTime[T] {
	return &eventTime[T]{env: env, strategy: s, idleAfter: s.IdleAfter().Milliseconds(), out: out, merger: progress.New(0)}
}

// start has look called once an interval. It must look at least as often as a track can fall idle.
func (e *eventTime[T]) start(look func() error) {
	every := watermarkInterval.Milliseconds()
	if e.idleAfter > 0 {
		every = min(every, e.idleAfter)
	}
	e.ticker.start(e.env.Clock, every, look)
}

// now is processing time without the time in which the task could not go on for its outputs: nobody falls idle then.
func (e *eventTime[T]) now() int64 { return e.env.Clock.Now() - e.env.Blocked() }

// add takes in a track. From now on it holds the watermark.
func (e *eventTime[T]) add(split string) (*track[T], error) {
	place, effect := e.merger.Add()
	t := &track[T]{split: split, watermarks: e.strategy.Generator(e.env.Context), place: place, since: e.now()}
	e.tracks = append(e.tracks, t)
	return t, e.say(effect)
}

// follow takes in the next records of a track, before they are sent, and returns their timestamps. given are those that they have.
func (e *eventTime[T]) follow(t *track[T], v []T, given []int64) ([]int64, error) {
	ts := given
	switch {
	case e.strategy.AssignsTimestamps():
		if e.ts == nil {
			e.ts = make([]int64, record.Size)
		}
		ts = e.ts[:len(v)]
	case len(given) == 0:
		return nil, errNoTime
	}
	if err := t.watermarks.Follow(v, ts); err != nil {
		return nil, err
	}
	t.heard = true
	return ts, e.say(e.merger.SetIdle(t.place, false))
}

// look sends how far the tracks have come, and finds those that have fallen silent.
func (e *eventTime[T]) look() error {
	var moved progress.Effect
	for _, t := range e.tracks {
		if m := e.merger.Advance(t.place, t.watermarks.Watermark()); m.Advanced {
			moved = m
		}
	}
	if err := e.say(moved); err != nil {
		return err
	}
	now := e.now()
	for _, t := range e.tracks {
		if t.heard {
			t.heard, t.since = false, now
		}
		if e.idleAfter > 0 && now-t.since >= e.idleAfter {
			if err := e.say(e.merger.SetIdle(t.place, true)); err != nil {
				return err
			}
		}
	}
	e.publish(now)
	return nil
}

// publish says in the operator's metrics how far its event time is, and what holds it.
func (e *eventTime[T]) publish(now int64) {
	holder := e.merger.Holder()
	is := EventTime{Free: holder == progress.Nobody, Watermark: progress.None, Furthest: progress.None, IdleAfter: e.idleAfter}
	is.NoSplit = !is.Free
	for _, t := range e.tracks {
		at := t.watermarks.Watermark()
		is.Furthest = max(is.Furthest, at)
		if t.place == holder {
			is.NoSplit, is.Split, is.Watermark, is.Silent = false, t.split, at, now-t.since
		}
	}
	if was := e.env.Metrics.Time.Load(); was == nil || *was != is {
		e.env.Metrics.Time.Store(&is)
	}
}

// leave sends how far a track has come, and lets it go. Its place still holds the watermark, until it is removed.
func (e *eventTime[T]) leave(t *track[T]) error {
	e.tracks = slices.DeleteFunc(e.tracks, func(o *track[T]) bool { return o == t })
	return e.say(e.merger.Advance(t.place, t.watermarks.Watermark()))
}

// remove frees the place of a track that left.
func (e *eventTime[T]) remove(place int) error { return e.say(e.merger.Remove(place)) }

// finish sends the largest watermark, whatever is idle.
func (e *eventTime[T]) finish() error {
	e.ticker.stop()
	e.env.Metrics.Time.Store(&EventTime{Free: true, Watermark: progress.End, Furthest: progress.End})
	return e.say(e.merger.FinishAll())
}

func (e *eventTime[T]) say(effect progress.Effect) error { return effect.Send(e.out) }
