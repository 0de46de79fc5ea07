package rest

import (
	"github.com/flott-dev/flott/internal/control/view"
	"github.com/flott-dev/flott/internal/id"
)

// An application of Flink 2.3 is a program that may submit several jobs. For flott every job is one, with the job's id, as for
// Flink's own jobs that are plainly submitted.

type applicationList struct {
	Applications []applicationRow `json:"applications"`
}

type applicationRow struct {
	ID       string                `json:"id"`
	Name     string                `json:"name"`
	Start    int64                 `json:"start-time"`
	End      int64                 `json:"end-time"`
	Duration int64                 `json:"duration"`
	Status   string                `json:"status"`
	Jobs     map[view.JobState]int `json:"jobs"`
}

func (c *call) applications() (applicationList, error) {
	jobs, err := c.server.source.Jobs(c.Context())
	all, at := applicationList{[]applicationRow{}}, now()
	for _, j := range jobs {
		when := spanOf(j.Start(), j.End(), at)
		all.Applications = append(all.Applications, applicationRow{
			j.ID.String(), applicationName(j), when.Start, when.End, when.Duration, applicationStatus(j.State), map[view.JobState]int{j.State: 1},
		})
	}
	return all, err
}

func applicationName(j *view.Job) string { return "SingleJobApplication(" + j.Graph.Name + ")" }

// applicationStates is Flink's states of an application, and the job's that stand behind each.
var applicationStates = []struct {
	name string
	jobs []view.JobState
}{
	{"CREATED", []view.JobState{view.Initializing}},
	{"RUNNING", []view.JobState{view.Created, view.Running, view.Restarting, view.Reconciling, view.Suspended}},
	{"FAILING", []view.JobState{view.Failing}},
	{"FAILED", []view.JobState{view.Failed}},
	{"CANCELING", []view.JobState{view.Cancelling}},
	{"CANCELED", []view.JobState{view.Canceled}},
	{"FINISHED", []view.JobState{view.Finished}},
}

func applicationStatus(s view.JobState) string {
	for _, a := range applicationStates {
		for _, of := range a.jobs {
			if of == s {
				return a.name
			}
		}
	}
	return "RUNNING"
}

type applicationDetails struct {
	ID     string `json:"id"`
	Name   string `json:"name"`
	Status string `json:"status"`
	span
	Timestamps map[string]int64 `json:"timestamps"`
	Jobs       []jobRow         `json:"jobs"`
}

// application is the one in the path, by the id of its job. An unknown one is 500.
func (c *call) application() (*view.Job, error) {
	want, err := id.ParseJob(c.PathValue("applicationid"))
	if err != nil {
		return nil, c.badPath("applicationid")
	}
	j, err := c.server.source.Job(c.Context(), want)
	if err != nil {
		return nil, internal("org.apache.flink.runtime.messages.FlinkApplicationNotFoundException: Could not find Flink application (%s)", want)
	}
	return j, nil
}

func (c *call) applicationDetails() (applicationDetails, error) {
	j, err := c.application()
	if err != nil {
		return applicationDetails{}, err
	}
	d := applicationDetails{
		ID: j.ID.String(), Name: applicationName(j), Status: applicationStatus(j.State), span: spanOf(j.Start(), j.End(), now()),
		Timestamps: map[string]int64{}, Jobs: c.server.rows([]*view.Job{j}),
	}
	for _, a := range applicationStates {
		for _, s := range a.jobs {
			d.Timestamps[a.name] = max(d.Timestamps[a.name], j.Entered[s])
		}
	}
	return d, nil
}

// applicationExceptions is why an application has failed: because its job has. Where a program fails before it has a job, no cluster has
// heard of it.
func (c *call) applicationExceptions() (exceptionsApplication, error) {
	j, err := c.application()
	if err != nil {
		return exceptionsApplication{}, err
	}
	h := applicationHistory{[]applicationException{}}
	if j.State == view.Failed && len(j.Failures.Newest) > 0 {
		f := &j.Failures.Newest[0]
		h.Entries = append(h.Entries, applicationException{f.Name, f.Text, f.At, j.ID.String()})
	}
	return exceptionsApplication{h}, nil
}

type exceptionsApplication struct {
	History applicationHistory `json:"exceptionHistory"`
}

type applicationHistory struct {
	Entries []applicationException `json:"entries"`
}

type applicationException struct {
	Name      string `json:"exceptionName"`
	Stack     string `json:"stacktrace"`
	Timestamp int64  `json:"timestamp"`
	Job       string `json:"jobId"`
}

func (c *call) cancelApplication(none) (none, error) {
	j, err := c.application()
	if err != nil {
		return none{}, err
	}
	return none{}, c.server.cancel(c, j.ID)
}

func (c *call) applicationConfig() ([]configEntry, error) {
	if _, err := c.application(); err != nil {
		return nil, err
	}
	return c.config()
}
