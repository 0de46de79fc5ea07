package rest

import (
	"encoding/base64"
	"net/http"

	"github.com/flott-dev/flott/internal/control/view"
)

// An operationStatus is how far something has got that is polled.
type operationStatus struct {
	ID string `json:"id"` // IN_PROGRESS or COMPLETED
}

var (
	inProgress = operationStatus{"IN_PROGRESS"}
	completed  = operationStatus{"COMPLETED"}
)

type resultBody struct {
	Status operationStatus `json:"status"`
	Result *jobResult      `json:"job-execution-result,omitempty"`
}

type jobResult struct {
	ID            string            `json:"id"`
	Name          string            `json:"name"`
	Status        string            `json:"application-status"`
	Accumulators  map[string]string `json:"accumulator-results"`
	RunTime       int64             `json:"net-runtime"`
	Cause         *failureCause     `json:"failure-cause,omitempty"`
	ApplicationID string            `json:"application-id"`
	Start         int64             `json:"start-time"`
	End           int64             `json:"end-time"`
}

// A failureCause is an exception of Java. Flink's client wants to read the serialised one.
type failureCause struct {
	Class      string `json:"class"`
	Stack      string `json:"stack-trace"`
	Serialized string `json:"serialized-throwable"`
}

func causeOf(class, text string) *failureCause {
	return &failureCause{class, text, base64.StdEncoding.EncodeToString(serializedThrowable(class, text))}
}

func (c *call) executionResult() (resultBody, error) {
	want, err := c.jobID()
	if err != nil {
		return resultBody{}, err
	}
	j, err := c.job()
	if err != nil {
		return resultBody{}, refuse(http.StatusNotFound, "%s", couldNotFindJob(want.String()))
	}
	if !j.State.Terminal() {
		return resultBody{Status: inProgress}, nil
	}
	return resultBody{completed, jobResultOf(j)}, nil
}

func jobResultOf(j *view.Job) *jobResult {
	r := &jobResult{
		ID: j.ID.String(), Name: j.Graph.Name, Status: "SUCCEEDED", Accumulators: map[string]string{},
		RunTime: j.End() - j.Start(), ApplicationID: j.ID.String(), Start: j.Start(), End: j.End(),
	}
	switch j.State {
	case view.Canceled:
		r.Status = "CANCELED"
		r.Cause = causeOf("org.apache.flink.runtime.client.JobCancellationException", "Job was cancelled.")
	case view.Failed:
		r.Status = "FAILED"
		r.Cause = causeOf("org.apache.flink.runtime.JobException", rootCause(j))
	}
	return r
}

// rootCause is the text of the failure that ended the job.
func rootCause(j *view.Job) string {
	if len(j.Failures.Newest) == 0 {
		return "The job failed."
	}
	return j.Failures.Newest[0].Text
}
