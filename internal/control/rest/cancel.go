package rest

import (
	"errors"
	"net/http"

	"github.com/flott-dev/flott/internal/control/view"
	"github.com/flott-dev/flott/internal/id"
)

// patchJob is PATCH /jobs/:jobid?mode=cancel. The mode that Flink once had beside it is refused in Flink's words.
func (c *call) patchJob(none) (none, error) {
	switch c.param("mode") {
	case "", "cancel":
		return c.cancel()
	case "stop":
		return c.stopRemoved()
	}
	return none{}, c.badQuery("mode")
}

func (c *call) stopRemoved() (none, error) {
	return none{}, refuse(http.StatusPermanentRedirect,
		`The termination mode "stop" has been removed. For an ungraceful shutdown, please use "cancel" instead. For a graceful shutdown, please use "jobs/:jobId/stop" instead.`)
}

func (c *call) cancel() (none, error) {
	want, err := c.jobID()
	if err != nil {
		return none{}, err
	}
	return none{}, c.server.cancel(c, want)
}

// cancel says of a job that is over how it ended; of one that was cancelled already, nothing.
func (s *Server) cancel(c *call, want id.Job) error {
	err := s.source.Cancel(c.Context(), want)
	switch {
	case errors.Is(err, view.ErrUnknownJob):
		return refuse(http.StatusNotFound, "Job could not be found.")
	case !errors.Is(err, view.ErrJobOver):
		return err
	}
	j, err := s.source.Job(c.Context(), want)
	if err != nil || j.State == view.Canceled {
		return err
	}
	return refuse(http.StatusConflict, "Job cancellation failed because the job has already reached another terminal state (%s).", j.State)
}
