package main

import (
	"context"
	"flag"
	"fmt"
	"io"
	"net"

	"github.com/flott-dev/flott/internal/config"
	"github.com/flott-dev/flott/internal/control/cluster"
)

const jobManagerUsage = `flott jobmanager [options]

Takes jobs and runs them on TaskManagers, until SIGTERM or SIGINT. Then it cancels what runs.`

// jobManager runs a JobManager. When both its ports listen, it says so in one line.
func jobManager(ctx context.Context, args []string, stdout, _ io.Writer) error {
	var from settingFlags
	if help, err := parseFlags("jobmanager", jobManagerUsage, args, stdout, from.add); help || err != nil {
		return err
	}
	s, err := from.read(forCluster)
	if err != nil {
		return err
	}
	return cluster.RunJobManager(ctx, s, func(rest, rpc net.Addr) {
		fmt.Fprintf(stdout, jobManagerReady, scheme(s), rest, rpc)
	})
}

// What processes say when they can be used. Whoever has started them may read it.
const (
	jobManagerReady  = "flott: JobManager ready: REST %s://%s, RPC %s\n"
	taskManagerReady = "flott: TaskManager ready: JobManager %s\n"
)

// scheme is that of the JobManager's REST API.
func scheme(s *config.Settings) string {
	if s.Text("security.tls.ca") != "" {
		return "https"
	}
	return "http"
}

const taskManagerUsage = `flott taskmanager [options]

Runs the tasks of jobs in worker processes, one for each job, until SIGTERM or SIGINT. Then it ends them. It finds the JobManager by
jobmanager.rpc.*, and executables by rest.*; while the JobManager is away it waits for it.`

// taskManager runs a TaskManager. When it has joined the cluster, it says so in one line.
func taskManager(ctx context.Context, args []string, stdout, _ io.Writer) error {
	var from settingFlags
	help, err := parseFlags("taskmanager", taskManagerUsage, args, stdout, func(f *flag.FlagSet) {
		from.add(f)
		from.short(f, "slots", "taskmanager.numberOfTaskSlots", "`number` of slots")
	})
	if help || err != nil {
		return err
	}
	s, err := from.read(forCluster)
	if err != nil {
		return err
	}
	return cluster.RunTaskManager(ctx, s, func() {
		fmt.Fprintf(stdout, taskManagerReady, net.JoinHostPort(s.Text("jobmanager.rpc.address"), s.Text("jobmanager.rpc.port")))
	})
}
