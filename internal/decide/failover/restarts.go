// Package failover decides what happens after a failure: whether the job starts again, and when (Restarts), and which of its tasks
// (Regions).
package failover

import (
	"math"
	"slices"
	"time"

	"github.com/flott-dev/flott/internal/graph/program"
)

// Restarts applies a strategy to the failures of one job. Times are milliseconds.
type Restarts struct {
	strategy program.RestartStrategy
	number   int     // of restarts, since the last reset of an exponential delay
	until    int64   // the end of the last delay
	failures []int64 // of the last interval
}

// NewRestarts is for a job that has not failed yet.
func NewRestarts(s program.RestartStrategy) *Restarts { return &Restarts{strategy: s} }

// Failed takes a failure, and says whether the job starts again, and after which delay. random is between 0 and 1.
func (r *Restarts) Failed(now int64, random float64) (delay time.Duration, again bool) {
	switch r.strategy.Type {
	case program.FixedDelay:
		r.number++
		return r.strategy.Fixed.Delay, r.number <= r.strategy.Fixed.Attempts
	case program.ExponentialDelay:
		return r.exponential(r.strategy.Exponential, now, random)
	case program.FailureRate:
		since := now - r.strategy.Rate.Interval.Milliseconds()
		r.failures = append(slices.DeleteFunc(r.failures, func(at int64) bool { return at < since }), now)
		return r.strategy.Rate.Delay, len(r.failures) <= r.strategy.Rate.Failures
	default:
		return 0, false
	}
}

// exponential counts failures that come before the job has started again as one.
func (r *Restarts) exponential(e program.ExponentialRestart, now int64, random float64) (time.Duration, bool) {
	switch {
	case r.number > 0 && now < r.until:
		return time.Duration(r.until-now) * time.Millisecond, r.number <= e.Attempts
	case now-r.until >= e.ResetAfter.Milliseconds():
		r.number = 0
	}
	backoff := min(float64(e.Initial)*math.Pow(e.Multiplier, float64(r.number)), float64(e.Max))
	backoff *= 1 + e.Jitter*(2*random-1)
	delay := max(e.Initial, min(e.Max, time.Duration(backoff))).Round(time.Millisecond)
	r.number++
	r.until = now + delay.Milliseconds()
	return delay, r.number <= e.Attempts
}
