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

// exceptionInfo is a failure; the last members are there when a task is to blame.
type exceptionInfo struct {
	Name        string            `json:"exceptionName"`
	Stack       string            `json:"stacktrace"`
	Timestamp   int64             `json:"timestamp"`
	Labels      map[string]string `json:"failureLabels"`
	Task        string            `json:"taskName,omitempty"`
	Endpoint    string            `json:"endpoint,omitempty"`
	TaskManager string            `json:"taskManagerId,omitempty"`
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
			h.Entries = append(h.Entries, exceptionOf(f))
		}
	}
	return exceptionsBody{h}, nil
}

func exceptionOf(f *view.Failure) exception {
	e := exception{exceptionInfoOf(f), []exceptionInfo{}}
	for i := range f.Concurrent {
		e.Concurrent = append(e.Concurrent, exceptionInfoOf(&f.Concurrent[i]))
	}
	return e
}

func exceptionInfoOf(f *view.Failure) exceptionInfo {
	e := exceptionInfo{Name: f.Name, Stack: f.Text, Timestamp: f.At, Labels: f.Labels}
	if e.Labels == nil {
		e.Labels = map[string]string{}
	}
	if f.Task != "" {
		e.Task, e.Endpoint, e.TaskManager = f.Task, endpointOf(f.Location), managerOf(f.Location)
	}
	return e
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
