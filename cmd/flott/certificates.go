package main

import (
	"context"
	"flag"
	"fmt"
	"io"
	"os"

	"github.com/flott-dev/flott/internal/control/security"
)

const certificatesUsage = `flott certificates DIR HOST...

Writes into the new folder DIR what the processes of one cluster need for TLS between machines: ca.pem, cert.pem and key.pem, for a
year. All processes and clients of the cluster share these files. HOSTs are the names and addresses by which they call each other;
"*.example" stands for all names of one more word. The authority's own key is kept nowhere: who needs another certificate makes all
anew.`

// makeCertificates makes an authority and a certificate of it for all processes of a cluster.
func makeCertificates(_ context.Context, args []string, stdout, _ io.Writer) error {
	arguments, help, err := parseLine("certificates", certificatesUsage, args, stdout, func(*flag.FlagSet) {})
	if help || err != nil {
		return err
	}
	if len(arguments) < 2 {
		return fmt.Errorf("%w: flott certificates needs a new folder, and the hosts of the cluster", errUsage)
	}
	dir, hosts := arguments[0], arguments[1:]
	if err := os.Mkdir(dir, 0o700); err != nil {
		return err
	}
	authority, err := security.NewAuthority()
	if err != nil {
		return err
	}
	c, err := authority.Issue(dir, hosts...)
	if err != nil {
		return err
	}
	fmt.Fprintf(stdout, "security.tls.ca: %s\nsecurity.tls.certificate: %s\nsecurity.tls.key: %s\n", c.CA, c.Certificate, c.Key)
	return nil
}
