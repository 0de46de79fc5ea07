package failover_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	. "github.com/flott-dev/flott/internal/decide/failover"
	"github.com/flott-dev/flott/internal/graph/program"
)

func strategy(t program.RestartType, change func(*program.RestartStrategy)) program.RestartStrategy {
	s := program.DefaultRestart()
	s.Type = t
	if change != nil {
		change(&s)
	}
	return s
}

func TestRestarts(t *testing.T) {
	unsteady := func(s *program.RestartStrategy) { s.Exponential.Jitter = 0 }
	for _, c := range []struct {
		name   string
		of     program.RestartStrategy
		at     []int64 // seconds, of failures
		random float64
		want   string // delays, and "no"
	}{
		{"zero value", program.RestartStrategy{}, []int64{0}, 0, "no"},
		{"none", strategy(program.NoRestart, nil), []int64{0}, 0, "no"},
		{"fixed", strategy(program.FixedDelay, nil), []int64{0, 9999}, 0, "1s no"},
		{"exponential", strategy(program.ExponentialDelay, unsteady), []int64{0, 10, 20, 30}, 0, "1s 1.5s 2.25s 3.375s"},
		{"exponential, bounded", strategy(program.ExponentialDelay, func(s *program.RestartStrategy) {
			s.Exponential.Multiplier, s.Exponential.Jitter = 100, 0
		}), []int64{0, 10, 200}, 0, "1s 1m0s 1m0s"},
		{"exponential, reset", strategy(program.ExponentialDelay, unsteady), []int64{0, 10, 3611, 3620, 7300}, 0, "1s 1.5s 2.25s 3.375s 1s"},
		{"exponential, together", strategy(program.ExponentialDelay, unsteady), []int64{0, 0, 1, 1}, 0, "1s 1s 1.5s 1.5s"},
		{"exponential, gives up", strategy(program.ExponentialDelay, func(s *program.RestartStrategy) {
			s.Exponential.Jitter, s.Exponential.Attempts = 0, 2
		}), []int64{0, 10, 20}, 0, "1s 1.5s no"},
		{"jitter below", strategy(program.ExponentialDelay, nil), []int64{0, 10}, 0, "1s 1.35s"},
		{"jitter above", strategy(program.ExponentialDelay, nil), []int64{0, 10}, 1, "1.1s 1.65s"},
		{"rate", strategy(program.FailureRate, nil), []int64{0, 61, 122, 150}, 0, "1s 1s 1s no"},
	} {
		r := NewRestarts(c.of)
		var got []string
		for _, at := range c.at {
			delay, again := r.Failed(at*1000, c.random)
			if !again {
				got = append(got, "no")
				continue
			}
			got = append(got, delay.String())
		}
		if text := strings.Join(got, " "); text != c.want {
			t.Errorf("%s: %s, want %s", c.name, text, c.want)
		}
	}
}

// No delay is longer than the longest, nor shorter than the first, whatever happens when.
func TestExponentialDelayIsBounded(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		r := NewRestarts(strategy(program.ExponentialDelay, nil))
		now := int64(0)
		for range 50 {
			now += rapid.Int64Range(0, 7_200_000).Draw(t, "pause")
			until := now
			delay, again := r.Failed(now, rapid.Float64Range(0, 1).Draw(t, "random"))
			if !again || delay < 0 || delay > time.Minute {
				t.Fatalf("after %d ms: %v, %t", until, delay, again)
			}
		}
	})
}

func TestStrategyErrors(t *testing.T) {
	for _, c := range []struct {
		of   program.RestartStrategy
		want string // "": no error
	}{
		{strategy(program.NoRestart, func(s *program.RestartStrategy) { s.Fixed.Attempts = -1 }), ""},
		{strategy(program.FixedDelay, nil), ""},
		{strategy(program.ExponentialDelay, nil), ""},
		{strategy(program.FailureRate, nil), ""},
		{strategy(program.FixedDelay, func(s *program.RestartStrategy) { s.Fixed.Delay = -1 }), "neither may be negative"},
		{strategy(program.ExponentialDelay, func(s *program.RestartStrategy) { s.Exponential.Initial = 0 }), "above zero"},
		{strategy(program.ExponentialDelay, func(s *program.RestartStrategy) { s.Exponential.Multiplier = 0.5 }), "at least 1"},
		{strategy(program.ExponentialDelay, func(s *program.RestartStrategy) { s.Exponential.Jitter = 2 }), "between 0 and 1"},
		{strategy(program.ExponentialDelay, func(s *program.RestartStrategy) { s.Exponential.ResetAfter = 0 }), "above zero"},
		{strategy(program.FailureRate, func(s *program.RestartStrategy) { s.Rate.Interval = 0 }), "above zero"},
	} {
		err := c.of.Err()
		if c.want == "" && err != nil || c.want != "" && !strings.Contains(fmt.Sprint(err), c.want) {
			t.Errorf("%+v: %v, want %q", c.of, err, c.want)
		}
	}
}

func TestStrategySentences(t *testing.T) {
	for of, want := range map[program.RestartType]string{
		program.NoRestart:        "Restarts are deactivated.",
		program.FixedDelay:       "Restart with fixed delay (1s). Maximum restarts: 1.",
		program.ExponentialDelay: "from 1s to 1m0s",
		program.FailureRate:      "at most 1 failures in 1m0s",
	} {
		if got := strategy(of, nil).String(); !strings.Contains(got, want) {
			t.Errorf("%s is %q, want %q in it", of, got, want)
		}
		if read, ok := program.RestartTypeOf(string(of)); !ok || read != of {
			t.Errorf("%s is read as %q, %t", of, read, ok)
		}
	}
}
