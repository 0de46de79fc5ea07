package cluster

import (
	"crypto/tls"
	"net"
	"strconv"

	"github.com/flott-dev/flott/internal/config"
	"github.com/flott-dev/flott/internal/control/security"
)

// address is HOST:PORT of two settings.
func address(s *config.Settings, host, port string) string {
	return net.JoinHostPort(s.Text(host), strconv.Itoa(s.Number(port)))
}

// listen takes an address for REST. Clients need no certificate of their own: they have the token.
func listen(c security.Config, address string) (net.Listener, error) {
	if err := c.Check(address); err != nil {
		return nil, err
	}
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
