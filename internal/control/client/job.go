package client

import (
	"bytes"
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"net/http"
	"strconv"
	"time"

	"github.com/flott-dev/flott/internal/control/view"
	"github.com/flott-dev/flott/internal/id"
)

// Submit runs a job whose executable the cluster has. One without an id gets a new one.
func (c *Client) Submit(ctx context.Context, s view.Submission) (id.Job, error) {
	if s.Job == (id.Job{}) {
		if _, err := rand.Read(s.Job[:]); err != nil {
			return s.Job, err
		}
	}
	s.Version = c.options.Version
	body, err := json.Marshal(s)
	if err != nil {
		return s.Job, err
	}
	var answer struct {
		Job id.Job `json:"jobid"`
	}
	err = c.again(ctx, func() (bool, error) {
		return false, c.into(ctx, http.MethodPost, "/flott/jobs", bytes.NewReader(body), &answer)
	})
	return answer.Job, err
}

// Cancel asks for the end of a job, without waiting for it.
func (c *Client) Cancel(ctx context.Context, job id.Job) error {
	return c.again(ctx, func() (bool, error) {
		return false, c.into(ctx, http.MethodPatch, "/jobs/"+job.String()+"?mode=cancel", nil, &struct{}{})
	})
}

// Result waits for the end of a job.
func (c *Client) Result(ctx context.Context, job id.Job) (*view.Result, error) {
	var r view.Result
	err := c.again(ctx, func() (bool, error) {
		begun := time.Now()
		err := c.into(ctx, http.MethodGet, "/flott/jobs/"+job.String()+"/result", nil, &r)
		return time.Since(begun) > longestWait, err // it has waited for the job
	})
	if err != nil {
		return nil, err
	}
	return &r, nil
}

// Progress is what a job has counted so far.
func (c *Client) Progress(ctx context.Context, job id.Job) (*view.Result, error) {
	var r view.Result
	if err := c.look(ctx, "/flott/jobs/"+job.String()+"/progress", &r); err != nil {
		return nil, err
	}
	return &r, nil
}

// outputCut stands where output is missing: nobody holds a job up because its output is read slowly.
func outputCut(bytes int64) string {
	return fmt.Sprintf("... (%d bytes that were printed here are not kept: they were not read in time)\n", bytes)
}

// Output writes what a job prints, from its beginning to its end.
func (c *Client) Output(ctx context.Context, job id.Job, to io.Writer) error {
	return c.output(ctx, job, 0, to)
}

// Silence waits until a job is over and nothing is left of its workers, which have then printed and logged all that they ever will.
func (c *Client) Silence(ctx context.Context, job id.Job) error {
	return c.output(ctx, job, math.MaxInt64, io.Discard) // of the end of its output, when that comes
}

func (c *Client) output(ctx context.Context, job id.Job, from int64, to io.Writer) error {
	o := &output{Client: c, path: "/flott/jobs/" + job.String() + "/output?offset=", to: to, at: from}
	return c.again(ctx, func() (bool, error) {
		before, over, err := o.at, false, error(nil)
		for err == nil && !over {
			over, err = o.follow(ctx)
		}
		return o.at > before, err
	})
}

type output struct {
	*Client
	path string
	to   io.Writer
	at   int64 // how much the job had printed up to here
}

// follow writes what comes over one connection, to the end of the output or to what is not kept any more.
func (o *output) follow(ctx context.Context) (over bool, err error) {
	r, err := http.NewRequestWithContext(ctx, http.MethodGet, o.base+o.path+strconv.FormatInt(o.at, 10), nil)
	if err != nil {
		return false, err
	}
	a, err := o.send(r)
	if err != nil {
		return false, err
	}
	defer func() { err = errors.Join(err, a.Body.Close()) }()
	switch a.StatusCode {
	case http.StatusOK:
		return true, o.copy(a.Body)
	case http.StatusRequestedRangeNotSatisfiable:
		return false, o.skip(a)
	}
	return false, errorOf(a)
}

// copy writes all that comes, at once.
func (o *output) copy(from io.Reader) error {
	buffer := make([]byte, 32<<10)
	for {
		n, err := from.Read(buffer)
		if _, err := o.to.Write(buffer[:n]); err != nil {
			return fmt.Errorf("writing the output of the job: %w", err)
		}
		o.at += int64(n)
		switch {
		case errors.Is(err, io.EOF):
			return nil
		case err != nil:
			return o.lost(err)
		}
	}
}

// skip goes on at what is kept.
func (o *output) skip(a *http.Response) error {
	kept, err := strconv.ParseInt(a.Header.Get("Output-Offset"), 10, 64)
	if err != nil || kept <= o.at {
		return errorOf(a)
	}
	_, err = io.WriteString(o.to, outputCut(kept-o.at))
	o.at = kept
	return err
}
