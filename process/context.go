package process

import (
	"time"

	"github.com/flott-dev/flott/internal/data/record"
	"github.com/flott-dev/flott/internal/data/timer"
)

// A Context is what a function knows while it handles a record, and where its output goes.
type Context[O any] struct {
	out    *record.Emitter[O]
	sides  *record.Sides
	moment *timer.Moment
}

// NewContext makes the context of a function. For the engine and its tests.
func NewContext[O any](out *record.Emitter[O], sides *record.Sides, m *timer.Moment) *Context[O] {
	return &Context[O]{out, sides, m}
}

// Emit sends a record on, with the timestamp of the one that is being handled.
func (c *Context[O]) Emit(v O) { c.out.Emit(v, c.moment.TS) }

// EmitTo sends a record to a side output, with the timestamp of the one that is being handled. It is dropped when nobody reads the
// side output.
func (c *Context[O]) EmitTo[U any](tag Tag[U], v U) { c.sides.Emit(tag.name, v, c.moment.TS) }

// Timestamp is the event time of the record, or of the event-time timer, if there is one.
func (c *Context[O]) Timestamp() (time.Time, bool) {
	if c.moment.TS == record.NoTime {
		return time.Time{}, false
	}
	return toTime(c.moment.TS), true
}

// Watermark says how far event time has come: no more records with a timestamp up to it come, and those that do are late. Before
// the first watermark it is the smallest time, that of math.MinInt64 milliseconds.
func (c *Context[O]) Watermark() time.Time { return toTime(c.moment.Watermark) }

// Now is the processing time: the wall clock, which here never goes back, or the test kit's.
func (c *Context[O]) Now() time.Time { return toTime(c.moment.Clock.Now()) }

func toTime(ms int64) time.Time { return time.UnixMilli(ms).UTC() }

// A Collector takes the output of FlatMapTo.
type Collector[R any] struct {
	out    *record.Emitter[R]
	moment *timer.Moment
}

// NewCollector makes a collector. For the engine and its tests.
func NewCollector[R any](out *record.Emitter[R], m *timer.Moment) *Collector[R] {
	return &Collector[R]{out, m}
}

// Emit sends a record on, with the timestamp of the one that it is made of.
func (c *Collector[R]) Emit(v R) { c.out.Emit(v, c.moment.TS) }
