package flott

import (
	"context"
	"errors"
	"log/slog"
	"strings"
	"time"

	"github.com/flott-dev/flott/internal/control/client"
	"github.com/flott-dev/flott/internal/control/view"
	"github.com/flott-dev/flott/internal/id"
)

// news is what a client has logged of its job on a cluster, while it waits for the end. What has not changed it does not log again.
type news struct {
	cluster  *client.Client
	job      id.Job
	log      *slog.Logger
	waiting  string // for what; "": for nothing
	restarts int
	away     bool // the JobManager
}

// newsEvery is how often the JobManager is asked.
const newsEvery = time.Second

// follow logs until ctx ends.
func (n *news) follow(ctx context.Context) {
	for next := time.NewTicker(newsEvery); ; {
		select {
		case <-next.C:
			n.look(ctx)
		case <-ctx.Done():
			next.Stop()
			return
		}
	}
}

func (n *news) look(ctx context.Context) {
	o, err := n.cluster.Glance(ctx, n.job)
	if ctx.Err() != nil {
		return
	}
	n.reached(err)
	if err != nil {
		return // what becomes of the job, its result says
	}
	n.waitsFor(o.Flott.Waiting)
	if o.Flott.Restarts > n.restarts {
		n.startsAgain(ctx, o.Flott.Restarts)
	}
}

func (n *news) reached(err error) {
	var lost *client.Unreachable
	away := errors.As(err, &lost)
	switch {
	case away && !n.away:
		n.log.Warn("the JobManager does not answer; it is tried for a minute", "error", err)
	case n.away && !away:
		n.log.Info("the JobManager answers again")
	}
	n.away = away
}

func (n *news) waitsFor(what string) {
	switch {
	case what == n.waiting:
		return
	case what != "":
		n.log.Info("the job waits", "for", what)
	default:
		n.log.Info("the job has what it waited for")
	}
	n.waiting = what
}

func (n *news) startsAgain(ctx context.Context, restarts int) {
	failures, err := n.cluster.Failures(ctx, n.job)
	if err != nil || len(failures) == 0 {
		return // the next look comes back to it
	}
	n.restarts = restarts
	cause, _, _ := strings.Cut(failures[0].Text, "\n") // without a stack
	n.log.Warn("the job starts again: "+view.SourcesAgain, "error", cause, "task", failures[0].Task, "restart", restarts)
}
