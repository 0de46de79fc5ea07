// Package window says how a stream is cut into windows of time.
package window

import "time"

// Window is a half-open interval [Start, End) of event or processing time.
type Window struct{ Start, End time.Time }

// An Assigner says to which windows a record belongs: by its timestamp (event time), or by the clock when it comes (processing
// time).
type Assigner interface {
	// Name is the name of Flink's assigner: TumblingEventTimeWindows.
	Name() string
	// Err says what is wrong with the assigner, if it was made with sizes that cannot be.
	Err() error
	assigner()
}

// TumblingEventTime puts each record into one window, by its timestamp. Windows start at whole multiples of size since the epoch.
func TumblingEventTime(size time.Duration) Assigner {
	return newFixed(tumbling, eventTime, size, size)
}

// TumblingProcessingTime puts each record into one window, by the clock. What is in a window when the input ends is dropped, as in
// Flink, since the clock does not come to its end.
func TumblingProcessingTime(size time.Duration) Assigner {
	return newFixed(tumbling, processingTime, size, size)
}

// SlidingEventTime puts each record into size/slide windows that overlap, by its timestamp. Windows start at whole multiples of
// slide since the epoch. With slides longer than the size some records are in none.
func SlidingEventTime(size, slide time.Duration) Assigner {
	return newFixed(sliding, eventTime, size, slide)
}

// SlidingProcessingTime puts each record into size/slide windows that overlap, by the clock. What is in a window when the input ends
// is dropped, as in Flink.
func SlidingProcessingTime(size, slide time.Duration) Assigner {
	return newFixed(sliding, processingTime, size, slide)
}
