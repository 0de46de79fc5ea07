package rpc

import (
	"time"

	"github.com/flott-dev/flott/internal/control/view"
	"github.com/flott-dev/flott/internal/decide/schedule"
)

// A MetricsRequest asks for the metrics of a job's tasks while they run. It is answered with one MetricsReport of each worker.
type MetricsRequest struct {
	Header
	Number int // of the JobManager's requests, from 1
}

// A MetricsReport answers a MetricsRequest. Tasks that have ended are not in it: what they counted came with their last Report.
type MetricsReport struct {
	MetricsRequest
	Worker WorkerID
	Tasks  []AttemptMetrics
}

// AttemptMetrics is what the task of an attempt has counted so far.
type AttemptMetrics struct {
	Attempt schedule.Attempt
	TaskMetrics
}

// TaskMetrics is what a task has counted.
type TaskMetrics struct {
	Times
	BytesIn, BytesOut int64      // between this task and others
	Operators         []Counters // by index in the chain
	Inputs            []view.InputTime
	Time              *view.EventTime
	Keys              view.KeyShare
}

// Times is how a task has spent its time: with work, without any, or waiting for room in its outputs.
type Times struct{ Busy, Idle, BackPressured time.Duration }

// Counters is what one operator of a task has counted, and how far its event time has come.
type Counters = view.OperatorCounters
