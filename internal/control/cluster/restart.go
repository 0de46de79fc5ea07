package cluster

import (
	"fmt"

	"github.com/flott-dev/flott/internal/config"
	"github.com/flott-dev/flott/internal/graph/program"
)

// restartOf is the restart strategy of jobs whose programs choose none.
func restartOf(s *config.Settings) (program.RestartStrategy, error) {
	const fixed, exponential, rate = "restart-strategy.fixed-delay.", "restart-strategy.exponential-delay.", "restart-strategy.failure-rate."
	kind, _ := program.RestartTypeOf(s.Text("restart-strategy.type")) // it is a name for one, or not set
	r := program.RestartStrategy{
		Type:  kind,
		Fixed: program.FixedRestart{Attempts: s.Number(fixed + "attempts"), Delay: s.Duration(fixed + "delay")},
		Exponential: program.ExponentialRestart{
			Initial: s.Duration(exponential + "initial-backoff"), Max: s.Duration(exponential + "max-backoff"),
			Multiplier: s.Factor(exponential + "backoff-multiplier"), Jitter: s.Factor(exponential + "jitter-factor"),
			ResetAfter: s.Duration(exponential + "reset-backoff-threshold"), Attempts: s.Number(exponential + "attempts-before-reset-backoff"),
		},
		Rate: program.RateRestart{
			Failures: s.Number(rate + "max-failures-per-interval"), Interval: s.Duration(rate + "failure-rate-interval"), Delay: s.Duration(rate + "delay"),
		},
	}
	if err := r.Err(); err != nil {
		return r, fmt.Errorf("restart-strategy: %w", err)
	}
	return r, nil
}
