package flott

import (
	"fmt"
	"log/slog"
	"net"

	"github.com/flott-dev/flott/internal/control/cluster"
)

// A lookout is where an embedded job can be looked at, as the page, by Flink's REST API and for Prometheus, as long as it runs. nil:
// nowhere.
type lookout struct {
	net.Listener
	shows cluster.Shown
}

// listen takes the port that Page or rest.port names, before the job begins: a port that is taken is an error at once.
func (e *Environment) listen() (*lookout, error) {
	if e.settings.rest == "" {
		return nil, nil
	}
	l, err := net.Listen("tcp", e.settings.rest)
	if err != nil {
		return nil, fmt.Errorf("flott: %w", cluster.PortError("rest.port", err))
	}
	return &lookout{l, cluster.Shown{Log: slog.Default(), ReadOnly: e.settings.readOnly, Patience: e.settings.patience}}, nil
}

// serve serves the job. The function that it returns waits for the end, which comes with the job's.
func (l *lookout) serve(job *cluster.Job) (wait func()) {
	if l == nil {
		return func() {}
	}
	log := l.shows.Log
	log.Info("the job can be looked at", "page", "http://"+l.Addr().String(), "job_id", job.ID().String())
	done := make(chan struct{})
	go func() { // ends with the job; its error goes to the log
		defer close(done)
		if err := job.Serve(l.Listener, l.shows); err != nil {
			log.Error("the job cannot be looked at any more", "error", err)
		}
	}()
	return func() { <-done }
}

func (l *lookout) close() error {
	if l == nil {
		return nil
	}
	return l.Listener.Close()
}
