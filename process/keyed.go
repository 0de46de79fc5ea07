package process

import (
	"time"

	"github.com/flott-dev/flott/backend"
	"github.com/flott-dev/flott/internal/data/record"
	"github.com/flott-dev/flott/internal/data/timer"
)

// A KeyedContext is a Context with a key, for which timers can be set.
type KeyedContext[K comparable, O any] struct {
	Context[O]
	key    *backend.Key[K]
	timers *timer.Timers[K]
}

// NewKeyedContext makes the context of a function. For the engine and its tests.
func NewKeyedContext[K comparable, O any](
	out *record.Emitter[O], sides *record.Sides, key *backend.Key[K], t *timer.Timers[K],
) *KeyedContext[K, O] {
	return &KeyedContext[K, O]{Context[O]{out, sides, t.Moment}, key, t}
}

// Key is the key of the record or timer that is being handled.
func (c *KeyedContext[K, O]) Key() K { return c.key.K }

// EventTimer sets a timer for the key: OnEventTimer is called once the watermark has come to this time, which is rounded up to the
// millisecond. Setting the same time twice sets one timer.
func (c *KeyedContext[K, O]) EventTimer(at time.Time) { c.timers.SetEvent(toMillis(at)) }

// DeleteEventTimer deletes the key's timer at this time, if there is one.
func (c *KeyedContext[K, O]) DeleteEventTimer(at time.Time) { c.timers.DeleteEvent(toMillis(at)) }

// ProcessingTimer sets a timer for the key: OnProcessingTimer is called once the clock has come to this time, which is rounded up
// to the millisecond. Setting the same time twice sets one timer.
func (c *KeyedContext[K, O]) ProcessingTimer(at time.Time) { c.timers.SetProcessing(toMillis(at)) }

// DeleteProcessingTimer deletes the key's timer at this time, if there is one.
func (c *KeyedContext[K, O]) DeleteProcessingTimer(at time.Time) {
	c.timers.DeleteProcessing(toMillis(at))
}

// toMillis rounds up, so that no timer fires before its time.
func toMillis(at time.Time) int64 {
	ms := at.UnixMilli()
	if at.Nanosecond()%int(time.Millisecond) > 0 {
		ms++
	}
	return ms
}
