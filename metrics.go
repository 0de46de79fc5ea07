package flott

import (
	"context"
	"time"

	"github.com/flott-dev/flott/internal/control/cluster"
)

// OperatorMetrics is what all subtasks of an operator have done together.
type OperatorMetrics struct {
	ID          string // 32 hexadecimal digits
	Name        string
	RecordsIn   int64
	RecordsOut  int64
	LateRecords int64 // of windows: those that came too late for any, and were dropped or sent to the late side output

	// How the time was spent, summed over the subtasks: with work, without any, or waiting for room in the outputs because who reads
	// them is slower. The operators of a chain run as one, and all show the time of the chain.
	Busy, Idle, BackPressured time.Duration

	// Watermark is how far event time has come in all subtasks: that of the input, and of a source the one that it sent. Before the
	// first it is the smallest time, that of math.MinInt64 milliseconds, and at the end of the input the largest.
	Watermark time.Time
}

// Metrics are those of the operators of the job at this moment, or at its end: those of a chain together, in the order of the
// JobGraph. They are there while the job runs, for watching it; it costs the job nothing as long as nobody asks.
func (j *Job) Metrics(ctx context.Context) ([]OperatorMetrics, error) {
	select {
	case <-j.over:
		if j.result == nil { // nobody knows what became of the job
			return nil, j.err
		}
		return j.result.Operators, nil
	default:
	}
	return j.running.metrics(ctx)
}

func metricsOf(operators []cluster.OperatorMetrics) []OperatorMetrics {
	var all []OperatorMetrics
	for _, o := range operators {
		all = append(all, OperatorMetrics{
			ID: o.ID.String(), Name: o.Name,
			RecordsIn: o.RecordsIn, RecordsOut: o.RecordsOut, LateRecords: o.LateRecords,
			Busy: o.Busy, Idle: o.Idle, BackPressured: o.BackPressured,
			Watermark: time.UnixMilli(o.Watermark).UTC(),
		})
	}
	return all
}
