package jobmanager

import (
	"time"

	"github.com/flott-dev/flott/internal/decide/schedule"
	"github.com/flott-dev/flott/internal/id"
)

// A Result is what became of a job.
type Result struct {
	Job       id.Job
	Name      string
	State     schedule.State // Finished, Failed or Canceled
	RunTime   time.Duration
	Operators []OperatorMetrics
}
