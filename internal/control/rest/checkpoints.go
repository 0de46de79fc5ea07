package rest

import (
	"errors"
	"fmt"
	"math"
	"net/http"

	"github.com/flott-dev/flott/internal/control/view"
	"github.com/flott-dev/flott/internal/graph/jobgraph"
	"github.com/flott-dev/flott/internal/graph/streamgraph"
)

// flott takes no checkpoints yet. These endpoints answer as Flink's do for a job that has never taken one, and what triggers one
// fails when it is asked about.

const noCheckpoints failureText = "org.apache.flink.runtime.checkpoint.CheckpointException: flott takes no checkpoints and savepoints yet"

type savepointTriggerRequestBody struct {
	Target    string          `json:"target-directory"`
	CancelJob bool            `json:"cancel-job"`
	Format    savepointFormat `json:"formatType"`
	Trigger   triggerID       `json:"triggerId"`
}

type stopWithSavepointRequestBody struct {
	Target  string          `json:"targetDirectory"`
	Drain   bool            `json:"drain"`
	Format  savepointFormat `json:"formatType"`
	Trigger triggerID       `json:"triggerId"`
}

type checkpointTriggerRequestBody struct {
	Type    checkpointType `json:"checkpointType"`
	Trigger triggerID      `json:"triggerId"`
}

type savepointDisposalRequest struct {
	Path string `json:"savepoint-path"`
}

type savepointFormat string

// UnmarshalText takes one of Flink's formats.
func (f *savepointFormat) UnmarshalText(text []byte) error {
	return oneOf((*string)(f), text, "CANONICAL", "NATIVE")
}

type checkpointType string

// UnmarshalText takes one of Flink's types.
func (t *checkpointType) UnmarshalText(text []byte) error {
	return oneOf((*string)(t), text, "CONFIGURED", "FULL", "INCREMENTAL")
}

func oneOf(into *string, text []byte, words ...string) error {
	for _, w := range words {
		if string(text) == w {
			*into = w
			return nil
		}
	}
	return fmt.Errorf("%q is none of %v", text, words)
}

// triggerSavepoint says yes even for a job that does not exist: it is asked about later.
func (c *call) triggerSavepoint(b savepointTriggerRequestBody) (triggered, error) {
	return c.startForJob("savepoint", b.Trigger)
}

func (c *call) stopWithSavepoint(b stopWithSavepointRequestBody) (triggered, error) {
	return c.startForJob("savepoint", b.Trigger)
}

func (c *call) triggerCheckpoint(b checkpointTriggerRequestBody) (triggered, error) {
	return c.startForJob("checkpoint", b.Trigger)
}

// startForJob notes what fails: it would even if the job in the path were there.
func (c *call) startForJob(kind string, t triggerID) (triggered, error) {
	j, err := c.jobID()
	if err != nil {
		return triggered{}, err
	}
	why := noCheckpoints
	if _, err := c.server.source.Job(c.Context(), j); errors.Is(err, view.ErrUnknownJob) {
		why = failureText(couldNotFindJob(j.String()))
	}
	return c.start(kind, j.String(), t, why), nil
}

func (c *call) disposeSavepoint(savepointDisposalRequest) (triggered, error) {
	return c.start("savepoint disposal", "", "", noCheckpoints), nil
}

func (c *call) deleteDataSet(none) (triggered, error) {
	return c.start("data set deletion", "", "", ""), nil
}

type dataSets struct {
	DataSets []string `json:"dataSets"`
}

func (c *call) dataSets() (dataSets, error) { return dataSets{[]string{}}, nil }

type checkpointsBody struct {
	Counts  checkpointCounts           `json:"counts"`
	Summary map[string]checkpointStats `json:"summary"`
	Latest  latestCheckpoints          `json:"latest"`
	History []checkpointDetail         `json:"history"`
}

type checkpointCounts struct {
	Restored   int64 `json:"restored"`
	Total      int64 `json:"total"`
	InProgress int   `json:"in_progress"`
	Completed  int64 `json:"completed"`
	Failed     int64 `json:"failed"`
}

type checkpointStats struct {
	Min  int64  `json:"min"`
	Max  int64  `json:"max"`
	Avg  int64  `json:"avg"`
	P50  double `json:"p50"`
	P90  double `json:"p90"`
	P95  double `json:"p95"`
	P99  double `json:"p99"`
	P999 double `json:"p999"`
}

type latestCheckpoints struct {
	Completed *checkpointDetail `json:"completed"`
	Savepoint *checkpointDetail `json:"savepoint"`
	Failed    *checkpointDetail `json:"failed"`
	Restored  *checkpointDetail `json:"restored"`
}

// A checkpointDetail is a checkpoint. There are none, so far.
type checkpointDetail struct {
	ID int64 `json:"id"`
}

func (c *call) checkpoints() (checkpointsBody, error) {
	if _, err := c.job(); err != nil {
		return checkpointsBody{}, err
	}
	b := checkpointsBody{Summary: map[string]checkpointStats{}, History: []checkpointDetail{}}
	for _, name := range []string{"checkpointed_size", "state_size", "end_to_end_duration", "processed_data", "persisted_data"} {
		b.Summary[name] = emptyStats(math.NaN())
	}
	b.Summary["alignment_buffered"] = emptyStats(0) // which Flink no longer measures
	return b, nil
}

func emptyStats(p float64) checkpointStats {
	d := double(p)
	return checkpointStats{P50: d, P90: d, P95: d, P99: d, P999: d}
}

func (c *call) checkpoint() (checkpointDetail, error) {
	n, err := c.number("checkpointid")
	if err != nil {
		return checkpointDetail{}, err
	}
	if _, err := c.job(); err != nil {
		return checkpointDetail{}, err
	}
	return checkpointDetail{}, refuse(http.StatusNotFound, "Could not find checkpointing statistics for checkpoint %d.", n)
}

type checkpointConfig struct {
	Mode            string          `json:"mode"`
	Interval        int64           `json:"interval"`
	Timeout         int64           `json:"timeout"`
	MinPause        int64           `json:"min_pause"`
	MaxConcurrent   int             `json:"max_concurrent"`
	Externalization externalization `json:"externalization"`
	Backend         string          `json:"state_backend"`
	Storage         string          `json:"checkpoint_storage"`
	Unaligned       bool            `json:"unaligned_checkpoints"`
	Tolerable       int             `json:"tolerable_failed_checkpoints"`
	AlignedTimeout  int64           `json:"aligned_checkpoint_timeout"`
	AfterFinish     bool            `json:"checkpoints_after_tasks_finish"`
	Changelog       bool            `json:"state_changelog_enabled"`
	Materialization int64           `json:"changelog_periodic_materialization_interval"`
	ChangelogStore  string          `json:"changelog_storage"`
}

type externalization struct {
	Enabled bool `json:"enabled"`
	Delete  bool `json:"delete_on_cancellation"`
}

// checkpointConfig is what the program asked for.
func (c *call) checkpointConfig() (checkpointConfig, error) {
	j, err := c.job()
	if err != nil {
		return checkpointConfig{}, err
	}
	k := withDefaults(j.Graph.Checkpointing)
	b := checkpointConfig{
		Mode: "at_least_once", Interval: k.IntervalMs, Timeout: k.TimeoutMs, MinPause: k.MinPauseMs, MaxConcurrent: k.MaxConcurrent,
		Externalization: externalization{Delete: true}, Backend: backendOf(j), Storage: "JobManagerCheckpointStorage",
		Unaligned: k.Unaligned, AfterFinish: true, Materialization: 600_000, ChangelogStore: "memory",
	}
	if k.ExactlyOnce && k.IntervalMs != jobgraph.NoCheckpoints {
		b.Mode = "exactly_once"
	}
	return b, nil
}

func withDefaults(k jobgraph.Checkpointing) jobgraph.Checkpointing {
	if k.IntervalMs <= 0 {
		k.IntervalMs = jobgraph.NoCheckpoints
	}
	if k.TimeoutMs <= 0 {
		k.TimeoutMs = 600_000
	}
	k.MaxConcurrent = max(k.MaxConcurrent, 1)
	return k
}

func backendOf(j *view.Job) string {
	if j.Graph.Type == streamgraph.Batch {
		return "BatchExecutionStateBackend"
	}
	return "HashMapStateBackend"
}
