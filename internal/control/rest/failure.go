package rest

import (
	"errors"
	"fmt"
	"net/http"
	"os"

	"github.com/flott-dev/flott/internal/control/view"
)

// A failure is an answer that is an error. Clients of Flink look for Java's class names in its text, so that they stand there where
// Flink has them; a stack trace does not.
type failure struct {
	status int
	errors []string
}

type errorBody struct {
	Errors []string `json:"errors"`
}

// Error is the first text that says something.
func (f *failure) Error() string { return f.errors[len(f.errors)-1] }

const handlerException = "org.apache.flink.runtime.rest.handler.RestHandlerException: "

// refuse is an error that an endpoint of Flink gives on purpose.
func refuse(status int, format string, args ...any) *failure {
	return &failure{status, []string{handlerException + fmt.Sprintf(format, args...)}}
}

// notFound is the error about something that a path names and that does not exist.
func notFound(format string, args ...any) *failure {
	return &failure{http.StatusNotFound, []string{"org.apache.flink.runtime.rest.NotFoundException: " + fmt.Sprintf(format, args...)}}
}

// internal is the error that Flink gives when it did not expect one.
func internal(format string, args ...any) *failure {
	return &failure{http.StatusInternalServerError, []string{
		"Internal server error.",
		"<Exception on server side:\n" + fmt.Sprintf(format, args...) + "\n\nEnd of exception on server side>",
	}}
}

func unknownJob(job string) *failure { return notFound("Job %s not found", job) }

// couldNotFindJob is how some endpoints say it.
func couldNotFindJob(job string) string {
	return fmt.Sprintf("org.apache.flink.runtime.messages.FlinkJobNotFoundException: Could not find Flink job (%s)", job)
}

// failureOf is the answer to an error of whatever kind.
func failureOf(err error) *failure {
	var f *failure
	switch {
	case errors.As(err, &f):
		return f
	case errors.Is(err, view.ErrUnavailable), errors.Is(err, view.ErrUnknownFile):
		return refuse(http.StatusNotFound, "%v", err)
	case errors.Is(err, view.ErrUnknownJob):
		return notFound("%v", err)
	case errors.Is(err, os.ErrDeadlineExceeded):
		return refuse(http.StatusRequestTimeout, "The request's body came too slowly.")
	default:
		return internal("%v", err)
	}
}

func (s *Server) fail(w http.ResponseWriter, r *http.Request, f *failure, shared bool) {
	if shared {
		w.Header().Set("Access-Control-Allow-Origin", "*")
	}
	if f.status >= http.StatusInternalServerError {
		s.options.Log.Debug("request failed", "method", r.Method, "path", r.URL.Path, "error", f)
	}
	writeJSON(w, f.status, errorBody{f.errors})
}
