package rest

import (
	"context"
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

// blob is the blob that the path names, and who keeps it.
func (c *call) blob() (keeper view.Client, h view.Hash, err error) {
	if keeper, err = c.cluster(); err != nil {
		return nil, h, err
	}
	if h.UnmarshalText([]byte(c.PathValue("hash"))) != nil {
		return nil, h, c.badPath("hash")
	}
	return keeper, h, nil
}

func serveBlobHead(s *Server, w http.ResponseWriter, c *call) error {
	client, h, err := c.blob()
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
	client, h, err := c.blob()
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

type submitted struct {
	JobID string `json:"jobid"`
}

func (c *call) submit(s view.Submission) (submitted, error) {
	client, err := c.cluster()
	if err != nil {
		return submitted{}, err
	}
	job, err := client.Submit(c.Context(), s)
	if refusal := (*view.Refusal)(nil); errors.As(err, &refusal) {
		return submitted{}, refusalOf(refusal)
	}
	return submitted{job.String()}, err
}

// clientJob is the cluster, and the job that the path names.
func (c *call) clientJob() (client view.Client, job id.Job, err error) {
	if client, err = c.cluster(); err == nil {
		job, err = c.jobID()
	}
	return client, job, err
}

// serveOutput sends what a job prints, as it prints it, from an offset on. A reader for whom it cannot go on is cut off, and may ask
// for what follows.
func serveOutput(s *Server, w http.ResponseWriter, c *call) error {
	client, job, err := c.clientJob()
	if err != nil {
		return err
	}
	from, err := offsetOf(c.param("offset"))
	if err != nil {
		return err
	}
	w.Header().Set("Content-Type", c.endpoint.Media)
	out := &flushing{w: w, control: http.NewResponseController(w)}
	err = client.Output(c.Context(), job, from, out)
	switch lost := (*view.NotKept)(nil); {
	case err != nil && out.begun: // the status is out; a cut connection is what says it
		panic(http.ErrAbortHandler)
	case errors.Is(err, view.ErrUnknownJob):
		return unknownJob(job.String())
	case errors.As(err, &lost):
		w.Header().Set(outputHeader, strconv.FormatInt(lost.From, 10))
		return refuse(http.StatusRequestedRangeNotSatisfiable, "%v: ask for offset=%d.", lost, lost.From)
	}
	return err
}

// outputHeader is where the output that is kept begins.
const outputHeader = "Output-Offset"

// offsetOf is how many bytes a client does not want again; "": it has none.
func offsetOf(given string) (int64, error) {
	if given == "" {
		return 0, nil
	}
	from, err := strconv.ParseInt(given, 10, 64)
	if err != nil || from < 0 {
		return 0, refuse(http.StatusBadRequest, "The offset %q is no number of bytes.", given)
	}
	return from, nil
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

// result waits for the end of the job.
func (c *call) result() (*view.Result, error) { return c.resultBy(view.Client.Result) }

// progress does not.
func (c *call) progress() (*view.Result, error) { return c.resultBy(view.Client.Progress) }

func (c *call) resultBy(ask func(view.Client, context.Context, id.Job) (*view.Result, error)) (*view.Result, error) {
	client, job, err := c.clientJob()
	if err != nil {
		return nil, err
	}
	r, err := ask(client, c.Context(), job)
	if errors.Is(err, view.ErrUnknownJob) {
		return nil, unknownJob(job.String())
	}
	if err != nil {
		return nil, fmt.Errorf("result of job %s: %w", job, err)
	}
	return r, nil
}
