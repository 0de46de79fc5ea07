package rest

import (
	"context"
	"fmt"
	"time"

	"github.com/flott-dev/flott/internal/control/view"
	"github.com/flott-dev/flott/internal/id"
)

// flinkVersion is the version whose API this is. Clients compare it.
const flinkVersion = "2.3.0"

type clusterOverview struct {
	TaskManagers   int           `json:"taskmanagers"`
	SlotsTotal     int           `json:"slots-total"`
	SlotsAvailable int           `json:"slots-available"`
	JobsRunning    int           `json:"jobs-running"`
	JobsFinished   int           `json:"jobs-finished"`
	JobsCancelled  int           `json:"jobs-cancelled"`
	JobsFailed     int           `json:"jobs-failed"`
	FlinkVersion   string        `json:"flink-version"`
	FlinkCommit    string        `json:"flink-commit"`
	Flott          overviewFlott `json:"flott"`
}

// overviewFlott is what Flink's overview lacks.
type overviewFlott struct {
	Version    string         `json:"version"`
	Health     color          `json:"health"`
	Reason     string         `json:"reason"`
	Since      int64          `json:"since"` // the JobManager has served
	JobManager processFigures `json:"jobManager"`
	Memory     usedMemory     `json:"memory"`
	CPU        usedCPU        `json:"cpu"`
	Events     []happening    `json:"events"` // what has happened lately, newest first
}

// usedMemory is what all workers have, and may have; limit 0: as much as there is.
type usedMemory struct {
	Used  int64 `json:"used"`
	Limit int64 `json:"limit"`
}

// usedCPU is what TaskManagers and workers use lately, of the cores of their machines.
type usedCPU struct {
	Used  double `json:"used"`
	Cores int    `json:"cores"`
}

func (c *call) overview() (o clusterOverview, err error) {
	jobs, err := c.server.source.Jobs(c.Context())
	if err != nil {
		return o, err
	}
	if o, err = c.server.overview(c.Context(), jobs); err != nil {
		return o, err
	}
	o.Flott.Events = c.server.happenings(0)
	return o, nil
}

// overview is how the cluster is, without what has happened.
func (s *Server) overview(ctx context.Context, jobs []*view.Job) (o clusterOverview, err error) {
	managers, err := s.source.TaskManagers(ctx)
	if err != nil {
		return o, err
	}
	o.FlinkVersion, o.FlinkCommit = flinkVersion, s.commit()
	o.TaskManagers = len(managers)
	for _, t := range managers {
		o.SlotsTotal += len(t.Slots)
		o.SlotsAvailable += t.Free()
	}
	for _, j := range jobs {
		o.count(j.State)
	}
	report := s.health.of(jobs)
	o.Flott = overviewFlott{Version: s.options.Version, Health: report.Status, Reason: report.Reason, Since: s.started.UnixMilli()}
	o.Flott.Memory, o.Flott.CPU = used(managers)
	if f, err := s.source.JobManager().Figures(ctx); err == nil { // it may not say
		o.Flott.JobManager = figures(f)
	}
	return o, nil
}

// used is what all processes of the TaskManagers use together. An embedded TaskManager is its own worker.
func used(managers []*view.TaskManager) (m usedMemory, c usedCPU) {
	cores := map[string]int{} // by machine
	for _, t := range managers {
		cores[t.Host] = t.Hardware.Cores
		m.Limit += t.Memory
		m.Used += usedOn(t)
		workers := workersOn(t)
		if _, too := workers[t.Process.Pid]; !too {
			c.Used += double(t.Process.Load)
		}
		for _, f := range workers {
			c.Used += double(f.Load)
		}
	}
	for _, n := range cores {
		c.Cores += n
	}
	return m, c
}

// usedOn is the memory that the workers of a TaskManager use.
func usedOn(t *view.TaskManager) (sum int64) {
	for _, f := range workersOn(t) {
		sum += f.Resident
	}
	return sum
}

// workersOn is what the workers of a TaskManager use, by their process ids: one may have several slots.
func workersOn(t *view.TaskManager) map[int]view.Figures {
	all := map[int]view.Figures{}
	for i := range t.Slots {
		if s := &t.Slots[i]; s.Job != (id.Job{}) {
			all[s.Worker.Pid] = s.Worker
		}
	}
	return all
}

func (o *clusterOverview) count(s view.JobState) {
	switch s {
	case view.Finished:
		o.JobsFinished++
	case view.Canceled:
		o.JobsCancelled++
	case view.Failed:
		o.JobsFailed++
	default:
		o.JobsRunning++
	}
}

// commit is a short name for how flott was built.
func (s *Server) commit() string {
	if s.options.Commit == "" {
		return "flott"
	}
	return s.options.Commit[:min(7, len(s.options.Commit))]
}

type dashboard struct {
	Refresh        int64             `json:"refresh-interval"`
	TimezoneName   string            `json:"timezone-name"`
	TimezoneOffset int               `json:"timezone-offset"`
	FlinkVersion   string            `json:"flink-version"`
	FlinkRevision  string            `json:"flink-revision"`
	Features       dashboardFeatures `json:"features"`
	Flott          dashboardFlott    `json:"flott"`
}

// dashboardFlott is what flott's own page wants to know besides.
type dashboardFlott struct {
	ReadOnly bool `json:"readOnly"` // there is nothing that it may change
	Plan     bool `json:"plan"`     // jobs are programs that do not run
	Embedded bool `json:"embedded"` // the JobManager is in the program, and ends with it
}

// dashboardFeatures is which buttons there are. Jars cannot be run here, and running jobs not be rescaled.
type dashboardFeatures struct {
	Submit  bool `json:"web-submit"`
	Cancel  bool `json:"web-cancel"`
	Rescale bool `json:"web-rescale"`
	History bool `json:"web-history"`
}

func (c *call) dashboard() (dashboard, error) {
	name, offset := time.Now().Zone()
	if name == "UTC" {
		name = "Coordinated Universal Time"
	}
	o := &c.server.options
	return dashboard{
		Refresh:      o.Refresh.Milliseconds(),
		TimezoneName: name, TimezoneOffset: offset * 1000,
		FlinkVersion:  flinkVersion,
		FlinkRevision: fmt.Sprintf("%s @ %s", c.server.commit(), c.server.started.Format(time.RFC3339)),
		Features:      dashboardFeatures{Cancel: !o.ReadOnly},
		Flott:         dashboardFlott{ReadOnly: o.ReadOnly, Plan: o.Plan, Embedded: c.server.client == nil && !o.Plan},
	}, nil
}

// shutdown ends the cluster after the answer.
func (c *call) shutdown(none) (none, error) {
	c.server.source.Shutdown()
	return none{}, nil
}
