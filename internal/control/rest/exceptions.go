package rest

import (
	"strconv"
	"strings"

	"github.com/flott-dev/flott/internal/control/view"
)

type exceptionsBody struct {
	History exceptionHistory `json:"exceptionHistory"`
}

type exceptionHistory struct {
	Entries   []exception `json:"entries"`
	Truncated bool        `json:"truncated"`
}

type exception struct {
	exceptionInfo
	Concurrent []exceptionInfo `json:"concurrentExceptions"`
}

// exceptionInfo is a failure; taskName and what follows is there when a task is to blame.
type exceptionInfo struct {
	Name        string            `json:"exceptionName"`
	Stack       string            `json:"stacktrace"`
	Timestamp   int64             `json:"timestamp"`
	Labels      map[string]string `json:"failureLabels"`
	Task        string            `json:"taskName,omitempty"`
	Endpoint    string            `json:"endpoint,omitempty"`
	TaskManager string            `json:"taskManagerId,omitempty"`
	Flott       exceptionFlott    `json:"flott"`
}

// exceptionFlott is what Flink does not say of a failure.
type exceptionFlott struct {
	Vertex   string            `json:"vertex,omitempty"`
	Subtask  *int              `json:"subtask,omitempty"`
	Attempt  *int              `json:"attempt,omitempty"`
	Operator string            `json:"operator,omitempty"` // the one at work
	Tasks    int               `json:"tasks"`              // that have failed for this reason
	Frames   []stackFrame      `json:"frames"`
	Restart  *exceptionRestart `json:"restart"` // null: nothing starts again because of it
	Phases   []exceptionPhase  `json:"phases"`
	Downtime *int64            `json:"downtime"` // until all ran again; null: they do not yet
	Note     string            `json:"note,omitempty"`
}

// exceptionRestart is what starts again because of a failure.
type exceptionRestart struct {
	Tasks    int      `json:"tasks"`
	Of       int      `json:"of"` // tasks of the job
	Vertices []string `json:"vertices"`
	Delay    int64    `json:"delay"`
}

// An exceptionPhase is what became of a failure, and when: failed, due (the restart strategy lets it start again), deployed, running.
type exceptionPhase struct {
	Phase string `json:"phase"`
	At    int64  `json:"at"`
}

// mostExceptions is how many there are when nobody says.
const mostExceptions = 20

func (c *call) exceptions() (e exceptionsBody, err error) {
	most := mostExceptions
	if given := c.param("maxExceptions"); given != "" {
		if most, err = strconv.Atoi(given); err != nil {
			return e, c.badQuery("maxExceptions")
		}
	}
	j, err := c.job()
	if err != nil {
		return e, err
	}
	h := exceptionHistory{Entries: []exception{}, Truncated: j.Failures.Truncated}
	for i := range j.Failures.Newest {
		f := &j.Failures.Newest[i]
		switch {
		case !labelled(f, c.list("failureLabelFilter")):
		case len(h.Entries) >= most:
			h.Truncated = true
		default:
			h.Entries = append(h.Entries, exceptionOf(j, f))
		}
	}
	return exceptionsBody{h}, nil
}

func exceptionOf(j *view.Job, f *view.Failure) exception {
	e := exception{exceptionInfoOf(j, f), []exceptionInfo{}}
	for i := range f.Concurrent {
		e.Concurrent = append(e.Concurrent, exceptionInfoOf(j, &f.Concurrent[i]))
	}
	return e
}

func exceptionInfoOf(j *view.Job, f *view.Failure) exceptionInfo {
	e := exceptionInfo{Name: f.Name, Stack: f.Text, Timestamp: f.At, Labels: f.Labels, Flott: exceptionFlottOf(j, f)}
	if e.Labels == nil {
		e.Labels = map[string]string{}
	}
	if f.Task != "" {
		e.Task, e.Endpoint, e.TaskManager = f.Task, endpointOf(f.Location), managerOf(f.Location)
	}
	return e
}

func exceptionFlottOf(j *view.Job, f *view.Failure) exceptionFlott {
	e := exceptionFlott{Operator: f.Operator, Tasks: f.Tasks, Frames: stackFrames(f.Text), Phases: []exceptionPhase{{"failed", f.At}}}
	if f.Task != "" {
		e.Vertex, e.Subtask, e.Attempt = j.Graph.Vertices[f.Vertex].ID.String(), &f.Subtask, &f.Attempt
	}
	if f.Restart != nil {
		e.restarted(j, f)
	}
	return e
}

// restarted says what started again, and how far that has got.
func (e *exceptionFlott) restarted(j *view.Job, f *view.Failure) {
	r := f.Restart
	e.Note = view.SourcesAgain
	e.Restart = &exceptionRestart{Tasks: r.Subtasks, Delay: r.Due - f.At, Vertices: []string{}}
	for v := range j.Vertices {
		e.Restart.Of += j.Vertices[v].Parallelism
	}
	for _, v := range r.Vertices {
		e.Restart.Vertices = append(e.Restart.Vertices, j.Graph.Vertices[v].ID.String())
	}
	for _, p := range []exceptionPhase{{"due", r.Due}, {"deployed", r.Deployed}, {"running", r.Running}} {
		if p.At != 0 {
			e.Phases = append(e.Phases, p)
		}
	}
	if r.Running != 0 {
		took := r.Running - f.At
		e.Downtime = &took
	}
}

// labelled says that a failure has all of the labels, each `key:value`.
func labelled(f *view.Failure, want []string) bool {
	for _, w := range want {
		key, value, _ := strings.Cut(w, ":")
		if got, ok := f.Labels[key]; !ok || got != value {
			return false
		}
	}
	return true
}

// firstLine is the message of an error without its stack.
func firstLine(s string) string {
	line, _, _ := strings.Cut(s, "\n")
	return line
}
