package client

import (
	"context"
	"fmt"
	"net/http"
	"strings"

	"github.com/flott-dev/flott/internal/control/view"
	"github.com/flott-dev/flott/internal/id"
)

// What people want to see, as Flink's REST API has it. Only what is shown is here.

// A Job is a row of the list of jobs.
type Job struct {
	ID    id.Job         `json:"jid"`
	Name  string         `json:"name"`
	State view.JobState  `json:"state"`
	Tasks map[string]int `json:"tasks"` // by state, and all as "total"
	Flott struct {
		Waiting string `json:"waiting,omitempty"` // for what; "": for nothing
	} `json:"flott"`
	Span
}

// A Span is from when to when something went, in milliseconds; -1: not yet.
type Span struct {
	Start    int64 `json:"start-time"`
	End      int64 `json:"end-time"`
	Duration int64 `json:"duration"`
}

// Jobs is all that the cluster knows, newest first.
func (c *Client) Jobs(ctx context.Context) ([]Job, error) {
	var answer struct{ Jobs []Job }
	err := c.look(ctx, "/jobs/overview", &answer)
	return answer.Jobs, err
}

// Details is what there is to know of one job.
type Details struct {
	Job        Overview    `json:"job"`
	Diagnosis  Diagnosis   `json:"diagnosis"`
	Exceptions []Exception `json:"exceptions"` // newest first
	Vertices   []Placement `json:"placement"`  // in the order of the job's
}

// An Overview is a job with its vertices.
type Overview struct {
	ID    id.Job        `json:"jid"`
	Name  string        `json:"name"`
	State view.JobState `json:"state"`
	Span
	Timestamps map[view.JobState]int64 `json:"timestamps"`
	Vertices   []Vertex                `json:"vertices"`
	Flott      struct {
		Health   string `json:"health"`
		Reason   string `json:"reason"`
		Waiting  string `json:"waiting,omitempty"`
		Restarts int    `json:"restarts"`
		Note     string `json:"note,omitempty"` // what a restart means
	} `json:"flott"`
}

// A Vertex is the subtasks of one vertex, and what they have read from and written to others.
type Vertex struct {
	ID          string         `json:"id"`
	Name        string         `json:"name"`
	Parallelism int            `json:"parallelism"`
	Status      string         `json:"status"`
	Tasks       map[string]int `json:"tasks"`
	Metrics     struct {
		Read    int64 `json:"read-records"`
		Written int64 `json:"write-records"`
	} `json:"metrics"`
}

// A Diagnosis is what is wrong with a job, the most important first.
type Diagnosis struct {
	Level    string    `json:"level"`
	Findings []Finding `json:"findings"`
}

// A Finding is one thing that is wrong: a headline, what it rests on, and what can be done.
type Finding struct {
	Kind    string           `json:"kind"`
	Level   string           `json:"level"`
	Head    string           `json:"head"`
	Detail  string           `json:"detail"`
	Advice  string           `json:"advice,omitempty"`
	Vertex  string           `json:"vertex,omitempty"`
	Subtask *int             `json:"subtask,omitempty"`
	Figures map[string]int64 `json:"figures"`
	Since   int64            `json:"since"`
}

// An Exception is a failure, with the text that the user's error had and the stack.
type Exception struct {
	At          int64  `json:"timestamp"`
	Name        string `json:"exceptionName"`
	Text        string `json:"stacktrace"`
	Task        string `json:"taskName,omitempty"`
	TaskManager string `json:"taskManagerId,omitempty"`
}

// A Placement is where the subtasks of a vertex run.
type Placement struct {
	ID       string    `json:"id"`
	Subtasks []Subtask `json:"subtasks"`
}

// A Subtask is one of them, in its current attempt.
type Subtask struct {
	Index       int    `json:"index"`
	Attempt     int    `json:"attempt"`
	State       string `json:"state"`
	TaskManager string `json:"taskManager"`
	Slot        int    `json:"slot"`
}

// Details asks for all of it.
func (c *Client) Details(ctx context.Context, job id.Job) (*Details, error) {
	var d Details
	path := "/jobs/" + job.String()
	err := c.look(ctx, path, &d.Job)
	if err != nil {
		return nil, err
	}
	if d.Exceptions, err = c.Failures(ctx, job); err != nil {
		return nil, err
	}
	if err := c.look(ctx, path+"/flott/diagnosis", &d.Diagnosis); err != nil {
		return nil, err
	}
	var graphs struct {
		Execution struct {
			Vertices []Placement `json:"vertices"`
		} `json:"executionGraph"`
	}
	err = c.look(ctx, path+"/flott/graphs", &graphs)
	d.Vertices = graphs.Execution.Vertices
	return &d, err
}

// Failures is what went wrong in a job, newest first.
func (c *Client) Failures(ctx context.Context, job id.Job) ([]Exception, error) {
	var answer struct {
		History struct {
			Entries []Exception `json:"entries"`
		} `json:"exceptionHistory"`
	}
	err := c.look(ctx, "/jobs/"+job.String()+"/exceptions", &answer)
	return answer.History.Entries, err
}

// Glance asks for a job once, without patience: an answer that does not come soon is an error.
func (c *Client) Glance(ctx context.Context, job id.Job) (*Overview, error) {
	ctx, cancel := context.WithTimeout(ctx, dialTimeout)
	defer cancel()
	var o Overview
	return &o, c.into(ctx, http.MethodGet, "/jobs/"+job.String(), nil, &o)
}

// Platform is what the JobManager runs on.
type Platform struct {
	OS, Arch string // as Go calls them
	Version  string // of flott
}

// Platform asks for it.
func (c *Client) Platform(ctx context.Context) (p Platform, err error) {
	var answer struct {
		JVM   struct{ Arch string }
		Flott struct{ Version string }
	}
	if err := c.look(ctx, "/jobmanager/environment", &answer); err != nil {
		return p, err
	}
	var ok bool
	if p.OS, p.Arch, ok = strings.Cut(answer.JVM.Arch, "/"); !ok {
		return p, fmt.Errorf("%s is no JobManager of flott: its platform is %q", c.base, answer.JVM.Arch)
	}
	p.Version = answer.Flott.Version
	return p, nil
}

// look gets JSON.
func (c *Client) look(ctx context.Context, path string, answer any) error {
	return c.again(ctx, func() (bool, error) {
		return false, c.into(ctx, http.MethodGet, path, nil, answer)
	})
}
