package rest

import (
	"fmt"
	"time"

	"github.com/flott-dev/flott/internal/control/view"
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
	Version string `json:"version"`
	Health  color  `json:"health"`
	Reason  string `json:"reason"`
}

func (c *call) overview() (o clusterOverview, err error) {
	managers, err := c.server.source.TaskManagers(c.Context())
	if err != nil {
		return o, err
	}
	jobs, err := c.server.source.Jobs(c.Context())
	if err != nil {
		return o, err
	}
	o.FlinkVersion, o.FlinkCommit = flinkVersion, c.server.commit()
	o.TaskManagers = len(managers)
	for _, t := range managers {
		o.SlotsTotal += len(t.Slots)
		o.SlotsAvailable += t.Free()
	}
	for _, j := range jobs {
		o.count(j.State)
	}
	report := c.server.health.of(jobs)
	o.Flott = overviewFlott{c.server.options.Version, report.Status, report.Reason}
	return o, nil
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
	return dashboard{
		Refresh:      c.server.options.Refresh.Milliseconds(),
		TimezoneName: name, TimezoneOffset: offset * 1000,
		FlinkVersion:  flinkVersion,
		FlinkRevision: fmt.Sprintf("%s @ %s", c.server.commit(), c.server.started.Format(time.RFC3339)),
		Features:      dashboardFeatures{Cancel: !c.server.options.ReadOnly},
		Flott:         dashboardFlott{c.server.options.ReadOnly, c.server.options.Plan},
	}, nil
}

// shutdown ends the cluster after the answer.
func (c *call) shutdown(none) (none, error) {
	c.server.source.Shutdown()
	return none{}, nil
}
