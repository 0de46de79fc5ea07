package main

import (
	"context"
	"flag"
	"fmt"
	"io"

	"github.com/flott-dev/flott/internal/control/client"
)

const cancelUsage = `flott cancel [options] JOB

Cancels a job, named by its id, the beginning of that, or its name, and waits for its end.`

// cancel cancels a job.
func cancel(ctx context.Context, args []string, stdout, _ io.Writer) error {
	return aboutJob(ctx, "cancel", cancelUsage, args, stdout, alive, func(*flag.FlagSet) {}, func(c *client.Client, job client.Job) error {
		if err := c.Cancel(context.WithoutCancel(ctx), job.ID); err != nil { // or nobody would know whether it was told to
			return fmt.Errorf("job %s (%s): %w", job.ID, job.Name, err)
		}
		r, err := c.Result(ctx, job.ID)
		switch {
		case ctx.Err() != nil:
			return fmt.Errorf("job %s (%s) was told to end, but has not ended yet", job.ID, job.Name)
		case err != nil:
			return err
		}
		fmt.Fprintf(stdout, "job %s (%s) is %s\n", r.Job, r.Name, r.State)
		return nil
	})
}
