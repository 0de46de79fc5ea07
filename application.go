package flott

import (
	"context"
	"fmt"
	"log/slog"
	"net"
	"os"
	"strconv"
	"sync"

	"github.com/flott-dev/flott/internal/config"
	"github.com/flott-dev/flott/internal/control/client"
	"github.com/flott-dev/flott/internal/control/cluster"
)

// An application is a program that is its own cluster: one process of it is the JobManager, and runs main; others are TaskManagers.
// Nothing else runs there.

// asJobManager is the role of a process that submits its jobs to the JobManager in it.
func (s *settings) asJobManager() role {
	r := &submitter{first: s.firstJob(), cancels: true}
	r.connect = func(c *config.Settings) (*client.Client, error) {
		address, err := ownJobManager()
		if err != nil {
			return nil, err
		}
		return client.From(c, address, cluster.Version())
	}
	return r
}

// ownJobManager starts the process's JobManager, when its address is asked for first.
var ownJobManager = sync.OnceValues(func() (address string, err error) {
	s := config.Read(config.File, os.Environ())
	ready, failed := make(chan net.Addr, 1), make(chan error, 1)
	go func() { // ends with the process
		failed <- cluster.RunJobManager(context.Background(), s, func(rest, rpc net.Addr) {
			slog.Info("JobManager ready", "rest", rest.String(), "rpc", rpc.String())
			ready <- rest
		})
	}()
	select {
	case rest := <-ready:
		return net.JoinHostPort(s.Text("rest.address"), strconv.Itoa(rest.(*net.TCPAddr).Port)), nil
	case err := <-failed:
		return "", err
	}
})

// taskManager is the role of a process that starts workers, for jobs that other processes submit, until a signal ends it.
type taskManager struct{}

func (taskManager) start(context.Context, *Environment, string, attachment) (*Job, error) {
	ctx, release := cancelledBySignals(context.Background(), func() {})
	err := cluster.RunTaskManager(ctx, config.Read(config.File, os.Environ()), func() { slog.Info("TaskManager ready") })
	release()
	if err != nil {
		fmt.Fprintln(os.Stderr, "flott:", err)
		os.Exit(1)
	}
	os.Exit(0)
	return nil, nil
}
