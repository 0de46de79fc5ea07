// Package timer is time as the functions of an operator see it: the moment in which they run, and the timers that they set.
package timer

import "github.com/flott-dev/flott/internal/data/record"

// A Moment is when user code runs. The operator sets it before each record and each timer.
type Moment struct {
	TS        int64 // the timestamp of the record or of the event-time timer, which is also that of what is emitted; or record.NoTime
	Watermark int64
	Clock     Clock
}

// NewMoment is the moment before the first record and the first watermark.
func NewMoment(c Clock) *Moment {
	return &Moment{TS: record.NoTime, Watermark: record.NoTime, Clock: c}
}

// Clock is the processing time: an operator.Clock.
type Clock interface {
	Now() int64
	At(ms int64, f func() error) (stop func())
}
