package flott

import (
	"fmt"
	"os"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/flott-dev/flott/internal/config"
	"github.com/flott-dev/flott/internal/graph/program"
)

// setters make the settings of package config's table.
var setters = map[string]func(*settings, string) error{
	"parallelism.default":                                              number((*settings).setParallelism),
	"pipeline.max-parallelism":                                         number((*settings).setMaxParallelism),
	"pipeline.operator-chaining.enabled":                               truth(func(s *settings, on bool) { s.config.Chaining = on }),
	"execution.buffer-timeout.interval":                                duration((*settings).setBufferTimeout),
	"execution.flush-gap":                                              duration((*settings).setFlushGap),
	"state.backend.type":                                               oneOf("hashmap"),
	"rest.port":                                                        number((*settings).setRESTPort),
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

// readConfiguration makes the settings of flott.yaml and of the process's environment.
func (s *settings) readConfiguration() {
	read := config.Read(config.File, os.Environ())
	for _, err := range read.Mistakes {
		s.mistake("%v", err)
	}
	for _, f := range read.Found {
		if err := setters[f.Key](s, f.Value); err != nil {
			s.mistake("%s in %s: %v", f.Key, f.Origin, err)
		}
	}
}

func (s *settings) mistake(format string, args ...any) {
	s.mistakes = append(s.mistakes, &Mistake{Problem: fmt.Sprintf(format, args...)})
}

// What the values of keys may be.

func number(set func(*settings, int) error) func(*settings, string) error {
	return func(s *settings, v string) error {
		n, err := strconv.Atoi(strings.TrimSpace(v))
		if err != nil {
			return fmt.Errorf("%q is not a whole number", v)
		}
		return set(s, n)
	}
}

func truth(set func(*settings, bool)) func(*settings, string) error {
	return func(s *settings, v string) error {
		b, err := strconv.ParseBool(strings.TrimSpace(v))
		if err != nil {
			return fmt.Errorf("%q is neither true nor false", v)
		}
		set(s, b)
		return nil
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
	return func(s *settings, v string) error {
		f, err := strconv.ParseFloat(strings.TrimSpace(v), 64)
		if err != nil {
			return fmt.Errorf("%q is not a number", v)
		}
		*at(&s.config.Restart) = f
		return nil
	}
}

// duration takes Go's form, 100ms, and Flink's, 100 ms and 1 min.
func duration(set func(*settings, time.Duration) error) func(*settings, string) error {
	return func(s *settings, v string) error {
		text := strings.ReplaceAll(v, " ", "")
		if minutes, ok := strings.CutSuffix(text, "min"); ok {
			text = minutes + "m"
		}
		d, err := time.ParseDuration(text)
		if err != nil {
			return fmt.Errorf("%q is not a duration such as 100ms", v)
		}
		return set(s, d)
	}
}

func oneOf(values ...string) func(*settings, string) error {
	return func(_ *settings, v string) error {
		if !slices.Contains(values, v) {
			return fmt.Errorf("%q is not one of %s", v, strings.Join(values, ", "))
		}
		return nil
	}
}
