package cluster

import (
	"errors"
	"log/slog"
	"net"
	"os"
	"path/filepath"

	"github.com/flott-dev/flott/internal/config"
	"github.com/flott-dev/flott/internal/control/security"
	"github.com/flott-dev/flott/internal/data/network"
)

// longestSocket is how long the path of a Unix socket may be on all systems.
const longestSocket = 103

// dataOptions says where other workers of the job reach this one: at a socket in its folder if they are on this machine, and at a port
// if they may be elsewhere.
func (t *ticket) dataOptions(s *config.Settings) (network.Options, error) {
	secured := security.From(s)
	server, err := secured.Server()
	client, alsoErr := secured.Client()
	o := network.Options{
		Worker: string(t.worker), Job: t.header.Job, Secret: []byte(os.Getenv("FLOTT_WORKER_SECRET")), Host: s.Text("taskmanager.host"),
		Server: server, Client: client, Log: slog.Default(),
	}
	path := filepath.Join(os.Getenv("FLOTT_WORKER_FOLDER"), "data")
	if len(path) <= longestSocket {
		o.Listen = append(o.Listen, "unix:"+path)
	}
	if host := s.Text("taskmanager.bind-host"); len(path) > longestSocket || !security.Loopback(host) {
		o.Listen = append(o.Listen, "tcp:"+net.JoinHostPort(host, "0"))
	}
	return o, errors.Join(err, alsoErr)
}
