package flott

import (
	"fmt"
	"net"

	"github.com/flott-dev/flott/internal/control/security"
)

// Page serves the page of flott, and Flink's REST API, on an address of this machine such as "127.0.0.1:8081", while a job of the
// environment runs. The log says where; with port 0 it is any that is free. The setting rest.port does the same.
//
// A job that runs on a cluster is on the cluster's page: there the option does nothing.
func Page(address string) Option {
	return optionFunc(func(s *settings) error { return s.setPage(address) })
}

// setPage refuses what others can reach: who asks an embedded job shows no token.
func (s *settings) setPage(address string) error {
	host, _, err := net.SplitHostPort(address)
	switch {
	case err != nil:
		return fmt.Errorf("the address of the page is %q; it must be one such as 127.0.0.1:8081", address)
	case !security.Loopback(host):
		return fmt.Errorf("the address of the page is %q; it must be one of this machine only, such as 127.0.0.1:8081", address)
	}
	s.rest = address
	return nil
}
