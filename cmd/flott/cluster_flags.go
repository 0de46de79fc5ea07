package main

import (
	"context"
	"flag"
	"fmt"
	"io"
	"os"

	"github.com/flott-dev/flott/internal/control/client"
	"github.com/flott-dev/flott/internal/control/cluster"
)

// clusterFlags are the flags of commands that ask a cluster.
type clusterFlags struct {
	settingFlags
	address string
	sends   bool // a program, whose settings count, too
}

func (c *clusterFlags) add(f *flag.FlagSet) {
	c.settingFlags.add(f)
	f.StringVar(&c.address, "m", "", "the `address` of the JobManager's REST API, HOST:PORT (default: FLOTT_JOBMANAGER, else rest.address and rest.port)")
}

// client is one of the cluster that is meant.
func (c *clusterFlags) client() (*client.Client, error) {
	address := c.address
	if address == "" {
		address = os.Getenv("FLOTT_JOBMANAGER")
	}
	useful := forClient
	if c.sends {
		useful = forProgram
	}
	s, err := c.read(useful)
	if err != nil {
		return nil, err
	}
	return client.From(s, address, cluster.Version())
}

// aboutJob runs a command whose only argument is a job, likely one of some, with flags beside those of the cluster.
func aboutJob(ctx context.Context, name, usage string, args []string, stdout io.Writer, likely func(client.Job) bool, define func(*flag.FlagSet), do func(*client.Client, client.Job) error) error {
	var from clusterFlags
	arguments, help, err := parseLine(name, usage, args, stdout, func(f *flag.FlagSet) {
		from.add(f)
		define(f)
	})
	if help || err != nil {
		return err
	}
	if len(arguments) != 1 {
		return fmt.Errorf("%w: flott %s takes one job, by id or name", errUsage, name)
	}
	c, err := from.client()
	if err != nil {
		return err
	}
	job, err := findJob(ctx, c, arguments[0], likely)
	if err != nil {
		return err
	}
	return do(c, job)
}
