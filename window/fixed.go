package window

import (
	"errors"
	"fmt"
	"math"
	"time"
)

// Fixed is an assigner of windows that all have one size and start at regular times: all but sessions and global windows. Times are
// in milliseconds since the epoch, and a window is known by its start.
type Fixed struct {
	shape, clock string
	size, slide  int64
	err          error
}

const (
	tumbling, sliding         = "Tumbling", "Sliding"
	eventTime, processingTime = "EventTime", "ProcessingTime"
)

func newFixed(shape, clock string, size, slide time.Duration) *Fixed {
	f := &Fixed{shape: shape, clock: clock, size: size.Milliseconds(), slide: slide.Milliseconds()}
	f.err = f.check("size", size)
	if shape == sliding {
		f.err = errors.Join(f.err, f.check("slide", slide))
	}
	return f
}

func (f *Fixed) check(what string, d time.Duration) error {
	if d < time.Millisecond || d%time.Millisecond != 0 {
		return fmt.Errorf("%s%s with a %s of %v: it must be a positive number of whole milliseconds", f.shape, f.clock, what, d)
	}
	return nil
}

func (f *Fixed) assigner() {}

// Name is the name of Flink's assigner.
func (f *Fixed) Name() string { return f.shape + f.clock + "Windows" }

// String is the text of Flink's assigner: SlidingEventTimeWindows(10000, 5000).
func (f *Fixed) String() string {
	if f.shape == tumbling {
		return fmt.Sprintf("%s(%d)", f.Name(), f.size)
	}
	return fmt.Sprintf("%s(%d, %d)", f.Name(), f.size, f.slide)
}

// Err says what is wrong with the sizes.
func (f *Fixed) Err() error { return f.err }

// EventTime says that records belong to windows by their timestamps, not by the clock.
func (f *Fixed) EventTime() bool { return f.clock == eventTime }

// Size is how long a window is.
func (f *Fixed) Size() int64 { return f.size }

// Slide is how far apart windows start.
func (f *Fixed) Slide() int64 { return f.slide }

// Last is the start of the last window that starts at or before t. The others that hold t start a slide earlier each, as long as
// t - start < Size. Times before the epoch are no different.
func (f *Fixed) Last(t int64) int64 {
	into := t % f.slide // Go truncates: it is negative for a negative t
	if into < 0 {
		into += f.slide
	}
	if t < math.MinInt64+into {
		return math.MinInt64 // 292 million years ago
	}
	return t - into
}

// At is the window that starts at this time.
func (f *Fixed) At(start int64) Window {
	return Window{time.UnixMilli(start).UTC(), time.UnixMilli(start + f.size).UTC()}
}
