package cluster

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"os"
	"strconv"
	"syscall"
	"time"

	"github.com/flott-dev/flott/internal/config"
	"github.com/flott-dev/flott/internal/control/security"
)

// address is HOST:PORT of two settings.
func address(s *config.Settings, host, port string) string {
	return net.JoinHostPort(s.Text(host), strconv.Itoa(s.Number(port)))
}

// valid says what is wrong with settings before anything is done: with their values, with certificates, and with those keys that name
// what a process listens on.
func valid(s *config.Settings, listens ...string) error {
	if err := s.Err(); err != nil {
		return err
	}
	known := security.From(s)
	_, err := known.Server()
	all := []error{err}
	for _, key := range listens {
		if err := known.Check(net.JoinHostPort(s.Text(key), "0")); err != nil {
			all = append(all, fmt.Errorf("%s: %w", key, err))
		}
	}
	return errors.Join(all...)
}

// PortError is the error of listening on the port that a setting names.
func PortError(key string, err error) error {
	if errors.Is(err, syscall.EADDRINUSE) {
		return fmt.Errorf("%s: %w: another process has this port; set another one, or 0, which takes a free one", key, err)
	}
	return fmt.Errorf("%s: %w", key, err)
}

// ownHost is the host by which workers of other TaskManagers reach those of this one.
func ownHost(s *config.Settings) string {
	if host := s.Text("taskmanager.host"); host != "" {
		return host
	}
	listens := s.Text("taskmanager.bind-host")
	if host, err := os.Hostname(); err == nil && !security.Loopback(listens) {
		return host
	}
	return listens
}

// checkHost wants the host by which others reach workers to be in the certificate: else they would find out, one job after the other. A
// name that this machine does not know may be known to others, and is worth a line in the log only.
func checkHost(ctx context.Context, s *config.Settings, log *slog.Logger) error {
	host := ownHost(s)
	if security.Loopback(host) {
		return nil
	}
	if err := security.From(s).CheckHost(host); err != nil {
		return fmt.Errorf("taskmanager.host: %w", err)
	}
	ctx, cancel := context.WithTimeout(ctx, lookup)
	defer cancel()
	if _, err := net.DefaultResolver.LookupHost(ctx, host); err != nil {
		log.Warn("this machine does not know the name by which workers of other TaskManagers are to reach those of this one; taskmanager.host sets another one", "host", host, "error", err)
	}
	return nil
}

// lookup is how long it may take to look up a name.
const lookup = 2 * time.Second

// listen takes an address for REST. Clients need no certificate of their own: they have the token.
func listen(c security.Config, address string) (net.Listener, error) {
	t, err := c.Server()
	if err != nil {
		return nil, err
	}
	l, err := net.Listen("tcp", address)
	if err != nil || t == nil {
		return l, err
	}
	t.ClientAuth = tls.VerifyClientCertIfGiven
	t.NextProtos = []string{"h2", "http/1.1"}
	return tls.NewListener(l, t), nil
}
