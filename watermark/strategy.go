// Package watermark says how records get their event time, and how far event time has come: the strategies that Stream.Watermarks
// takes.
//
// A watermark t promises that no more records with a timestamp <= t come. It cannot be known, so a strategy guesses: the highest
// timestamp seen, less what records may be out of order. A record behind the watermark is late, which windows, joins and process
// functions decide by the same rule: timestamp <= watermark.
//
// A source's strategy runs for each of its splits, and the slowest split that is not idle holds the watermark of the source.
package watermark

import (
	"errors"
	"fmt"
	"time"
)

// A Strategy is how records of type T get timestamps and watermarks. The zero value is no strategy; make one with
// BoundedOutOfOrder or Monotonic.
type Strategy[T any] struct {
	kind string
	at   func(T) time.Time
	by   time.Duration
	idle *time.Duration
}

// BoundedOutOfOrder is for records that come at most by out of order: the watermark is the highest timestamp, less by, less a
// millisecond.
//
// at tells the event time of a record. With a nil at records keep the timestamps that their source gave them, such as those of a
// message queue.
func BoundedOutOfOrder[T any](by time.Duration, at func(T) time.Time) Strategy[T] {
	return Strategy[T]{kind: "BoundedOutOfOrder", at: at, by: by}
}

// Monotonic is for records in order of their event time: the watermark is the highest timestamp, less a millisecond. A record that
// is behind after all is late, and no error. at is as in BoundedOutOfOrder.
func Monotonic[T any](at func(T) time.Time) Strategy[T] {
	return Strategy[T]{kind: "Monotonic", at: at}
}

// Idle stops waiting for a split, or a subtask, that had no record for this long (of processing time, and not counting the time in
// which the job could not take any). Without it, one that is silent holds event time back for all.
func (s Strategy[T]) Idle(after time.Duration) Strategy[T] {
	s.idle = &after
	return s
}

// Check says what is wrong with the strategy.
func (s Strategy[T]) Check() error {
	var wrong []error
	if s.kind == "" {
		wrong = append(wrong, errors.New("an empty watermark strategy; make one with BoundedOutOfOrder or Monotonic"))
	}
	if s.by < 0 || s.by%time.Millisecond != 0 {
		wrong = append(wrong, fmt.Errorf("watermark.%s: out of order by %v; it must be whole milliseconds, not negative", s.kind, s.by))
	}
	if s.idle != nil && *s.idle < time.Millisecond {
		wrong = append(wrong, fmt.Errorf("watermark.%s: idle after %v; it must be a millisecond or more", s.kind, *s.idle))
	}
	return errors.Join(wrong...)
}

// IdleAfter is what Idle was given; 0: never idle.
func (s Strategy[T]) IdleAfter() time.Duration {
	if s.idle == nil {
		return 0
	}
	return *s.idle
}

// AssignsTimestamps says that the strategy tells the time of records, rather than leaving it to their source.
func (s Strategy[T]) AssignsTimestamps() bool { return s.at != nil }
