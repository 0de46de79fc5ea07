package flott

import (
	"fmt"
	"time"

	"github.com/flott-dev/flott/internal/config"
	"github.com/flott-dev/flott/internal/graph/program"
)

// setters make the settings of package config's table.
var setters = map[string]func(*settings, string) error{
	"parallelism.default":                                              number((*settings).setParallelism),
	"pipeline.max-parallelism":                                         number((*settings).setMaxParallelism),
	"pipeline.operator-chaining.enabled":                               parsed(config.ParseTruth, (*settings).setChaining),
	"execution.buffer-timeout.interval":                                duration((*settings).setBufferTimeout),
	"execution.flush-gap":                                              duration((*settings).setFlushGap),
	"state.backend.type":                                               func(*settings, string) error { return nil }, // there is no other
	"rest.port":                                                        number((*settings).setRESTPort),
	"diagnosis.patience":                                               duration((*settings).setPatience),
	"web.read-only":                                                    parsed(config.ParseTruth, (*settings).setReadOnly),
	"restart-strategy.type":                                            (*settings).setRestartType,
	"restart-strategy.fixed-delay.attempts":                            restartNumber(func(r *program.RestartStrategy) *int { return &r.Fixed.Attempts }),
	"restart-strategy.fixed-delay.delay":                               restartDelay(func(r *program.RestartStrategy) *time.Duration { return &r.Fixed.Delay }),
	"restart-strategy.exponential-delay.initial-backoff":               restartDelay(func(r *program.RestartStrategy) *time.Duration { return &r.Exponential.Initial }),
	"restart-strategy.exponential-delay.max-backoff":                   restartDelay(func(r *program.RestartStrategy) *time.Duration { return &r.Exponential.Max }),
	"restart-strategy.exponential-delay.backoff-multiplier":            restartFactor(func(r *program.RestartStrategy) *float64 { return &r.Exponential.Multiplier }),
	"restart-strategy.exponential-delay.jitter-factor":                 restartFactor(func(r *program.RestartStrategy) *float64 { return &r.Exponential.Jitter }),
	"restart-strategy.exponential-delay.reset-backoff-threshold":       restartDelay(func(r *program.RestartStrategy) *time.Duration { return &r.Exponential.ResetAfter }),
	"restart-strategy.exponential-delay.attempts-before-reset-backoff": restartNumber(func(r *program.RestartStrategy) *int { return &r.Exponential.Attempts }),
	"restart-strategy.failure-rate.max-failures-per-interval":          restartNumber(func(r *program.RestartStrategy) *int { return &r.Rate.Failures }),
	"restart-strategy.failure-rate.failure-rate-interval":              restartDelay(func(r *program.RestartStrategy) *time.Duration { return &r.Rate.Interval }),
	"restart-strategy.failure-rate.delay":                              restartDelay(func(r *program.RestartStrategy) *time.Duration { return &r.Rate.Delay }),
}

// makeFound makes the settings of flott.yaml and of the process's environment.
func (s *settings) makeFound() {
	for _, err := range s.found.Mistakes {
		s.mistake("%v", err)
	}
	for _, f := range s.found.Found {
		set := setters[f.Key]
		if set == nil { // it is none of a program's
			continue
		}
		if err := set(s, f.Value); err != nil {
			s.mistake("%s in %s: %v", f.Key, f.Origin, err)
		}
	}
}

func (s *settings) mistake(format string, args ...any) {
	s.mistakes = append(s.mistakes, &Mistake{Problem: fmt.Sprintf(format, args...)})
}

// From texts to values.

func number(set func(*settings, int) error) func(*settings, string) error {
	return parsed(config.ParseNumber, set)
}

func duration(set func(*settings, time.Duration) error) func(*settings, string) error {
	return parsed(config.ParseDuration, set)
}

func parsed[T any](parse func(string) (T, error), set func(*settings, T) error) func(*settings, string) error {
	return func(s *settings, text string) error {
		v, err := parse(text)
		if err != nil {
			return err
		}
		return set(s, v)
	}
}

// The settings of restart strategies.

func restartNumber(at func(*program.RestartStrategy) *int) func(*settings, string) error {
	return number(func(s *settings, n int) error {
		*at(&s.config.Restart) = n
		return nil
	})
}

func restartDelay(at func(*program.RestartStrategy) *time.Duration) func(*settings, string) error {
	return duration(func(s *settings, d time.Duration) error {
		*at(&s.config.Restart) = d
		return nil
	})
}

func restartFactor(at func(*program.RestartStrategy) *float64) func(*settings, string) error {
	return parsed(config.ParseFactor, func(s *settings, f float64) error {
		*at(&s.config.Restart) = f
		return nil
	})
}
