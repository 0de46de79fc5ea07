package rest

import (
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strconv"
	"strings"

	"github.com/flott-dev/flott/internal/control/view"
	"github.com/flott-dev/flott/internal/id"
)

// What flott's own command line asks for. An executable goes up in as many pieces as it takes: HEAD says how much is there, and PUT
// with a Content-Range adds to it. It is answered with 308 and the offset to go on from, as long as something is missing.

// offsetHeader is how many bytes of a blob are there.
const offsetHeader = "Upload-Offset"

func (c *call) cluster() (view.Client, error) {
	if c.server.client == nil {
		return nil, refuse(http.StatusNotFound, "This JobManager is part of a program, and runs no other jobs.")
	}
	return c.server.client, nil
}

func (c *call) hash() (h view.Hash, err error) {
	raw, err := hex.DecodeString(c.PathValue("hash"))
	if err != nil || len(raw) != len(h) {
		return h, c.badPath("hash")
	}
	return view.Hash(raw), nil
}

func serveBlobHead(s *Server, w http.ResponseWriter, c *call) error {
	client, err := c.cluster()
	if err != nil {
		return err
	}
	h, err := c.hash()
	if err != nil {
		return err
	}
	have, complete, err := client.Has(c.Context(), h)
	if err != nil {
		return err
	}
	w.Header().Set(offsetHeader, strconv.FormatInt(have, 10))
	if !complete {
		w.WriteHeader(http.StatusNotFound)
	}
	return nil
}

type blobBody struct {
	Have int64 `json:"have"`
	Size int64 `json:"size"`
}

func serveBlobPut(s *Server, w http.ResponseWriter, c *call) error {
	client, err := c.cluster()
	if err != nil {
		return err
	}
	h, err := c.hash()
	if err != nil {
		return err
	}
	offset, size, err := c.contentRange()
	if err != nil {
		return err
	}
	have, err := client.Put(c.Context(), h, offset, size, c.Body)
	if refusal := (*view.Refusal)(nil); errors.As(err, &refusal) {
		return refusalOf(refusal)
	}
	if err != nil {
		return err
	}
	w.Header().Set(offsetHeader, strconv.FormatInt(have, 10))
	status := http.StatusCreated
	if have < size {
		status = http.StatusPermanentRedirect
	}
	s.answer(w, c, status, blobBody{have, size})
	return nil
}

// contentRange is where the body belongs: `bytes FIRST-LAST/SIZE`; without one it is the whole blob.
func (c *call) contentRange() (offset, size int64, err error) {
	given := c.Header.Get("Content-Range")
	if given == "" {
		if c.ContentLength < 0 {
			return 0, 0, refuse(http.StatusLengthRequired, "A blob comes with its length, or with a Content-Range.")
		}
		return 0, c.ContentLength, nil
	}
	bad := refuse(http.StatusBadRequest, "Content-Range %q is not of the form bytes FIRST-LAST/SIZE.", given)
	rest, ok := strings.CutPrefix(given, "bytes ")
	if !ok {
		return 0, 0, bad
	}
	part, whole, _ := strings.Cut(rest, "/")
	first, last, _ := strings.Cut(part, "-")
	offset, err1 := strconv.ParseInt(first, 10, 64)
	end, err2 := strconv.ParseInt(last, 10, 64)
	size, err3 := strconv.ParseInt(whole, 10, 64)
	if errors.Join(err1, err2, err3) != nil || offset < 0 || end < offset || end >= size {
		return 0, 0, bad
	}
	return offset, size, nil
}

func refusalOf(r *view.Refusal) *failure {
	if r.Conflict {
		return &failure{http.StatusConflict, []string{r.Reason}}
	}
	return &failure{http.StatusBadRequest, []string{r.Reason}}
}

// submission is a job to run.
type submission struct {
	Graph       json.RawMessage   `json:"graph"`
	StreamGraph json.RawMessage   `json:"streamGraph,omitempty"`
	Blob        string            `json:"blob"`
	Args        []string          `json:"args"`
	Env         []string          `json:"env"`
	Earlier     []json.RawMessage `json:"earlier,omitempty"`
	JobID       string            `json:"jobId,omitempty"`
	Version     string            `json:"version"`
	Protocol    int               `json:"protocol"`
	Detached    bool              `json:"detached"`
}

type submitted struct {
	JobID string `json:"jobid"`
}

func (c *call) submit(b submission) (submitted, error) {
	client, err := c.cluster()
	if err != nil {
		return submitted{}, err
	}
	s, err := b.plain()
	if err != nil {
		return submitted{}, err
	}
	job, err := client.Submit(c.Context(), s)
	if refusal := (*view.Refusal)(nil); errors.As(err, &refusal) {
		return submitted{}, refusalOf(refusal)
	}
	return submitted{job.String()}, err
}

func (b submission) plain() (s view.Submission, err error) {
	s = view.Submission{
		Graph: b.Graph, StreamGraph: b.StreamGraph, Args: b.Args, Env: b.Env, Earlier: b.Earlier,
		Version: b.Version, Protocol: b.Protocol, Detached: b.Detached,
	}
	raw, err := hex.DecodeString(b.Blob)
	if err != nil || len(raw) != len(s.Blob) {
		return s, refuse(http.StatusBadRequest, "blob %q is no SHA-256.", b.Blob)
	}
	s.Blob = view.Hash(raw)
	if b.JobID == "" {
		return s, nil
	}
	if s.Job, err = id.ParseJob(b.JobID); err != nil {
		return s, refuse(http.StatusBadRequest, "jobId %q is no id of a job: 32 hexadecimal digits.", b.JobID)
	}
	return s, nil
}

// clientJob is the cluster, and the job that the path names.
func (c *call) clientJob() (client view.Client, job id.Job, err error) {
	if client, err = c.cluster(); err == nil {
		job, err = c.jobID()
	}
	return client, job, err
}

// serveOutput sends what a job prints, as it prints it.
func serveOutput(s *Server, w http.ResponseWriter, c *call) error {
	client, job, err := c.clientJob()
	if err != nil {
		return err
	}
	w.Header().Set("Content-Type", c.endpoint.Media)
	out := &flushing{w: w, control: http.NewResponseController(w)}
	err = client.Output(c.Context(), job, out)
	switch {
	case errors.Is(err, view.ErrUnknownJob) && !out.begun:
		return unknownJob(job.String())
	case err != nil && out.begun: // the status is out; a cut connection is what says it
		panic(http.ErrAbortHandler)
	}
	return err
}

// A flushing writer holds nothing back.
type flushing struct {
	w       io.Writer
	control *http.ResponseController
	begun   bool
}

// Write sends p at once.
func (f *flushing) Write(p []byte) (int, error) {
	f.begun = true
	n, err := f.w.Write(p)
	if err != nil {
		return n, err
	}
	return n, f.control.Flush()
}

type clientResult struct {
	JobID     string           `json:"jobid"`
	Name      string           `json:"name"`
	State     view.JobState    `json:"state"`
	RunTime   int64            `json:"runTime"` // milliseconds
	Error     string           `json:"error,omitempty"`
	Failure   *taskFailure     `json:"failure,omitempty"`
	Operators []operatorResult `json:"operators"`
}

type taskFailure struct {
	Task     string `json:"task"`
	Operator string `json:"operator"`
	Subtask  string `json:"subtask"`
	Cause    string `json:"cause"`
	Stack    string `json:"stack,omitempty"`
}

type operatorResult struct {
	ID          string `json:"id"`
	Name        string `json:"name"`
	RecordsIn   int64  `json:"recordsIn"`
	RecordsOut  int64  `json:"recordsOut"`
	LateRecords int64  `json:"lateRecords"`
	Watermark   int64  `json:"watermark"`
	// In nanoseconds.
	Busy          int64 `json:"busy"`
	Idle          int64 `json:"idle"`
	BackPressured int64 `json:"backPressured"`
}

// result waits for the end of the job.
func (c *call) result() (clientResult, error) {
	client, job, err := c.clientJob()
	if err != nil {
		return clientResult{}, err
	}
	r, err := client.Result(c.Context(), job)
	if errors.Is(err, view.ErrUnknownJob) {
		return clientResult{}, unknownJob(job.String())
	}
	if err != nil {
		return clientResult{}, fmt.Errorf("result of job %s: %w", job, err)
	}
	all := clientResult{r.Job.String(), r.Name, r.State, r.RunTime, r.Error, (*taskFailure)(r.Failure), []operatorResult{}}
	for _, o := range r.Operators {
		all.Operators = append(all.Operators, operatorResult{
			o.ID.String(), o.Name, o.RecordsIn, o.RecordsOut, o.LateRecords, o.Watermark, o.Busy.Nanoseconds(), o.Idle.Nanoseconds(), o.BackPressured.Nanoseconds(),
		})
	}
	return all, nil
}
