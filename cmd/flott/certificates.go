package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"

	"github.com/flott-dev/flott/internal/control/security"
)

const certificatesUsage = `usage: flott certificates DIR HOST...

Writes into the new folder DIR what the processes of one cluster need for TLS between machines: ca.pem, cert.pem and key.pem, for a
year. All processes and clients of the cluster share these files. HOSTs are the names and addresses by which they call each other;
"*.example" stands for all names of one more word. The authority's own key is kept nowhere: who needs another certificate makes all
anew.`

// makeCertificates makes an authority and a certificate of it for all processes of a cluster.
func makeCertificates(_ context.Context, args []string, stdout, _ io.Writer) error {
	flags := flag.NewFlagSet("certificates", flag.ContinueOnError)
	flags.SetOutput(io.Discard)
	switch err := flags.Parse(args); {
	case errors.Is(err, flag.ErrHelp):
		fmt.Fprintln(stdout, certificatesUsage)
		return nil
	case err != nil || flags.NArg() < 2:
		return fmt.Errorf("%w: flott certificates needs a new folder, and the hosts of the cluster", errUsage)
	}
	dir, hosts := flags.Arg(0), flags.Args()[1:]
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
