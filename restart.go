package flott

import (
	"fmt"
	"strings"
	"time"

	"github.com/flott-dev/flott/internal/graph/program"
)

// A job may start again after a failure: not as a whole, but the tasks that are connected with the one that failed, and after a delay.
// Without checkpoints its sources then start from their beginning, so that sinks see records again. What fails in the way of a program
// (a *ProgramError, another program in a worker) is final.

// RestartNone ends the job with its first failure. It is the default of embedded jobs; of those on a cluster, the cluster has one.
func RestartNone() Option {
	return restart(func(r *program.RestartStrategy) { r.Type = program.NoRestart })
}

// RestartFixed starts the job again after a failure, up to so many times, and each time after delay.
func RestartFixed(attempts int, delay time.Duration) Option {
	return restart(func(r *program.RestartStrategy) {
		r.Type, r.Fixed = program.FixedDelay, program.FixedRestart{Attempts: attempts, Delay: delay}
	})
}

// RestartExponential starts the job again after each failure. The delay is initial at first, and grows by half each time, up to largest.
// After an hour without a failure it is initial again. A tenth of it is left to chance, so that jobs which fail together do not start
// together. The keys restart-strategy.exponential-delay.* set these numbers, too.
func RestartExponential(initial, largest time.Duration) Option {
	return restart(func(r *program.RestartStrategy) {
		r.Type, r.Exponential.Initial, r.Exponential.Max = program.ExponentialDelay, initial, largest
	})
}

// RestartFailureRate starts the job again after a failure, after delay, unless there were more than so many failures within interval.
func RestartFailureRate(failures int, interval, delay time.Duration) Option {
	return restart(func(r *program.RestartStrategy) {
		r.Type, r.Rate = program.FailureRate, program.RateRestart{Failures: failures, Interval: interval, Delay: delay}
	})
}

func restart(set func(*program.RestartStrategy)) Option {
	return optionFunc(func(s *settings) error {
		set(&s.config.Restart)
		return nil
	})
}

func (s *settings) setRestartType(name string) error {
	t, ok := program.RestartTypeOf(strings.TrimSpace(name))
	if !ok {
		return fmt.Errorf("%q is not one of %s, %s, %s, %s", name, program.NoRestart, program.FixedDelay, program.ExponentialDelay, program.FailureRate)
	}
	s.config.Restart.Type = t
	return nil
}
