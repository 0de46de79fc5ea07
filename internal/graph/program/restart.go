package program

import (
	"fmt"
	"math"
	"time"
)

// A RestartType is a restart strategy, by the name that it has in configurations. "": the program chooses none, and a cluster may choose
// one; else it is NoRestart.
type RestartType string

// The strategies.
const (
	NoRestart        RestartType = "none"
	FixedDelay       RestartType = "fixed-delay"
	ExponentialDelay RestartType = "exponential-delay"
	FailureRate      RestartType = "failure-rate"
)

// RestartTypeOf reads a name; Flink has several for each.
func RestartTypeOf(name string) (RestartType, bool) {
	switch name {
	case "none", "off", "disable":
		return NoRestart, true
	case "fixed-delay", "fixeddelay":
		return FixedDelay, true
	case "exponential-delay", "exponentialdelay":
		return ExponentialDelay, true
	case "failure-rate", "failurerate":
		return FailureRate, true
	}
	return "", false
}

// A RestartStrategy says whether a job starts again after a failure, and after which delay. Only the part of its type counts. The zero
// one is none.
type RestartStrategy struct {
	Type        RestartType
	Fixed       FixedRestart
	Exponential ExponentialRestart
	Rate        RateRestart
}

// FixedRestart starts the job again so often, each time after Delay.
type FixedRestart struct {
	Attempts int
	Delay    time.Duration
}

// ExponentialRestart waits longer after each failure, until the job has run for ResetAfter without one. Jitter moves each delay by up to
// that part of it, so that jobs that fail together do not start together.
type ExponentialRestart struct {
	Initial, Max time.Duration
	Multiplier   float64
	Jitter       float64
	ResetAfter   time.Duration
	Attempts     int // before it gives up, unless it is reset
}

// RateRestart gives up when there are more than Failures within Interval.
type RateRestart struct {
	Failures int
	Interval time.Duration
	Delay    time.Duration
}

// DefaultRestart is Flink's: no choice, but numbers for each strategy that may be chosen.
func DefaultRestart() RestartStrategy {
	return RestartStrategy{
		Fixed: FixedRestart{Attempts: 1, Delay: time.Second},
		Exponential: ExponentialRestart{
			Initial: time.Second, Max: time.Minute, Multiplier: 1.5, Jitter: 0.1, ResetAfter: time.Hour, Attempts: math.MaxInt32,
		},
		Rate: RateRestart{Failures: 1, Interval: time.Minute, Delay: time.Second},
	}
}

// Err says what is wrong with the numbers of the chosen type; nil: nothing.
func (s RestartStrategy) Err() error {
	f, e, r := s.Fixed, s.Exponential, s.Rate
	switch {
	case s.Type == FixedDelay && (f.Attempts < 0 || f.Delay < 0):
		return fmt.Errorf("%d restarts after %v each: neither may be negative", f.Attempts, f.Delay)
	case s.Type == ExponentialDelay && (e.Initial <= 0 || e.Max < e.Initial):
		return fmt.Errorf("the delay grows from %v to %v: it must be above zero and must not shrink", e.Initial, e.Max)
	case s.Type == ExponentialDelay && !(e.Multiplier >= 1 && e.Multiplier < math.MaxFloat32):
		return fmt.Errorf("the delay is multiplied by %v: that must be at least 1", e.Multiplier)
	case s.Type == ExponentialDelay && !(e.Jitter >= 0 && e.Jitter <= 1):
		return fmt.Errorf("the jitter is %v: it must be between 0 and 1", e.Jitter)
	case s.Type == ExponentialDelay && (e.ResetAfter <= 0 || e.Attempts < 0):
		return fmt.Errorf("the delay is reset after %v, or it gives up after %d restarts: the time must be above zero, the number not below", e.ResetAfter, e.Attempts)
	case s.Type == FailureRate && (r.Failures < 0 || r.Interval <= 0 || r.Delay < 0):
		return fmt.Errorf("%d failures in %v, with a delay of %v: the interval must be above zero, the others not below", r.Failures, r.Interval, r.Delay)
	}
	return nil
}

// String is the strategy as a sentence.
func (s RestartStrategy) String() string {
	switch s.Type {
	case FixedDelay:
		return fmt.Sprintf("Restart with fixed delay (%v). Maximum restarts: %d.", s.Fixed.Delay, s.Fixed.Attempts)
	case ExponentialDelay:
		e := s.Exponential
		return fmt.Sprintf("Restart with exponential delay: from %v to %v, each %v times the last, with a jitter of %v. Reset after %v.",
			e.Initial, e.Max, e.Multiplier, e.Jitter, e.ResetAfter)
	case FailureRate:
		return fmt.Sprintf("Restart with a delay of %v while there are at most %d failures in %v.", s.Rate.Delay, s.Rate.Failures, s.Rate.Interval)
	default:
		return "Restarts are deactivated."
	}
}
