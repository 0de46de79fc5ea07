package timer

import (
	"github.com/flott-dev/flott/backend"
	"github.com/flott-dev/flott/internal/data/record"
	"github.com/flott-dev/flott/internal/decide/pace"
)

// Timers are the timers of both kinds that the functions of an operator set, at most one per kind, key and time.
//
// The operator moves event time on, and fires. Processing time moves by itself: the earliest timer has an alarm set on the clock.
type Timers[K comparable] struct {
	Moment *Moment

	key               *backend.Key[K] // at work; timers are set for it, and make it theirs when they fire
	event, processing waiting[K]
	handlers          Handlers
	alarm             *Alarm
	err               error // of what was set though there is no handler
}

// waiting is the timers of one kind. They fire in bursts, between which the task is asked whether something else is waiting.
type waiting[K comparable] struct {
	*Queue[K]
	pace *pace.Pace
}

// Handlers are what happens when a timer fires: the key is at work, and the moment is set.
type Handlers struct {
	// Event and Processing may be nil, if no such timers may be set; NoEvent and NoProcessing say why then.
	Event, Processing     func(at int64) error
	NoEvent, NoProcessing error
	// Fired is told when processing-time timers have fired.
	Fired func() error
}

// NewTimers makes the timers of an operator, either kind of which fires at a pace of its own.
func NewTimers[K comparable](key *backend.Key[K], m *Moment, h Handlers, newPace func() *pace.Pace) *Timers[K] {
	t := &Timers[K]{Moment: m, key: key, handlers: h}
	t.event = waiting[K]{NewQueue[K](), newPace()}
	t.processing = waiting[K]{NewQueue[K](), newPace()}
	t.alarm = NewAlarm(m.Clock, t.ring)
	return t
}

// SetEvent sets an event-time timer for the key at work.
func (t *Timers[K]) SetEvent(at int64) {
	if t.handlers.Event == nil {
		t.err = t.handlers.NoEvent
		return
	}
	t.event.Add(at, *t.key)
}

// DeleteEvent deletes an event-time timer of the key at work.
func (t *Timers[K]) DeleteEvent(at int64) { t.event.Remove(at, *t.key) }

// SetProcessing sets a processing-time timer for the key at work.
func (t *Timers[K]) SetProcessing(at int64) {
	if t.handlers.Processing == nil {
		t.err = t.handlers.NoProcessing
		return
	}
	t.processing.Add(at, *t.key)
	t.alarm.Set(at)
}

// DeleteProcessing deletes a processing-time timer of the key at work.
func (t *Timers[K]) DeleteProcessing(at int64) { t.processing.Remove(at, *t.key) }

// Err is what was wrong with the timers that were set.
func (t *Timers[K]) Err() error { return t.err }

// FireEvent fires a burst of event-time timers that the watermark has reached, and says whether it has reached more.
func (t *Timers[K]) FireEvent() (more bool, err error) {
	return t.fire(t.event, t.Moment.Watermark, func(at int64) error {
		t.Moment.TS = at
		return t.handlers.Event(at)
	})
}

// fire fires what is due at time now, the earliest first, also what is set meanwhile.
func (t *Timers[K]) fire(q waiting[K], now int64, handle func(at int64) error) (more bool, err error) {
	fired := 0
	for most := q.pace.Begin(); fired < most; fired++ {
		at, ok := q.First()
		if !ok || at > now {
			break
		}
		*t.key = q.Pop()
		if err := handle(at); err != nil {
			return false, err
		}
	}
	q.pace.End(fired)
	at, ok := q.First()
	return ok && at <= now, nil
}

// ring fires the processing-time timers that are due. When they are more than a burst, the alarm goes off again at once, and the
// task can do something else before.
func (t *Timers[K]) ring() error {
	_, err := t.fire(t.processing, t.Moment.Clock.Now(), func(at int64) error {
		t.Moment.TS = record.NoTime
		return t.handlers.Processing(at)
	})
	if err != nil {
		return err
	}
	if first, ok := t.processing.First(); ok {
		t.alarm.Set(first)
	}
	return t.handlers.Fired()
}

// Stop ends processing-time timers.
func (t *Timers[K]) Stop() { t.alarm.Stop() }
