// Package security says who may speak with whom. Within one machine flott trusts whoever can reach 127.0.0.1. Beyond it, processes of a
// cluster show each other certificates of one authority, and the token of the cluster.
package security

import (
	"crypto/sha256"
	"crypto/subtle"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"net"
	"os"
)

// A Config is what the processes of a cluster know each other by. The zero one is that of a cluster on one machine.
type Config struct {
	Token string // a secret that all processes and clients share
	// Files in PEM form: the authority's certificate, and this process's own, with its key. All or none.
	CA, Certificate, Key string
}

// TLS says that connections are encrypted, and that both sides show certificates.
func (c Config) TLS() bool { return c.CA != "" || c.Certificate != "" || c.Key != "" }

// Check returns an error for an address, HOST:PORT, that other machines can reach, when that is not secured.
func (c Config) Check(address string) error {
	host, _, err := net.SplitHostPort(address)
	switch {
	case err != nil:
		return err
	case Loopback(host), c.Token != "" && c.TLS():
		return nil
	}
	return fmt.Errorf("other machines can reach %q: set security.token, security.tls.ca, security.tls.certificate and security.tls.key, or listen on 127.0.0.1", host)
}

// Loopback says that a host is this machine, and that no other one can reach it by this name.
func Loopback(host string) bool {
	ip := net.ParseIP(host)
	return host == "localhost" || ip != nil && ip.IsLoopback()
}

// Server is how to take connections; nil: without TLS.
func (c Config) Server() (*tls.Config, error) {
	t, pool, err := c.load()
	if t != nil {
		t.ClientCAs, t.ClientAuth = pool, tls.RequireAndVerifyClientCert
	}
	return t, err
}

// Client is how to connect; nil: without TLS. The other side's certificate must be for the name by which it is called.
func (c Config) Client() (*tls.Config, error) {
	t, pool, err := c.load()
	if t != nil {
		t.RootCAs = pool
	}
	return t, err
}

func (c Config) load() (*tls.Config, *x509.CertPool, error) {
	switch {
	case !c.TLS():
		return nil, nil, nil
	case c.CA == "" || c.Certificate == "" || c.Key == "":
		return nil, nil, errors.New("TLS needs three files: security.tls.ca, the certificate of the authority, and security.tls.certificate and security.tls.key, those of this process")
	}
	authority, err1 := read("ca", c.CA)
	certificate, err2 := read("certificate", c.Certificate)
	key, err3 := read("key", c.Key)
	if err := errors.Join(err1, err2, err3); err != nil {
		return nil, nil, err
	}
	own, err := tls.X509KeyPair(certificate, key)
	if err != nil {
		return nil, nil, fmt.Errorf("security.tls.certificate (%s) and security.tls.key (%s): %w", c.Certificate, c.Key, err)
	}
	pool := x509.NewCertPool()
	if !pool.AppendCertsFromPEM(authority) {
		return nil, nil, fmt.Errorf("security.tls.ca: %s has no certificate in PEM form", c.CA)
	}
	return &tls.Config{MinVersion: tls.VersionTLS13, Certificates: []tls.Certificate{own}}, pool, nil
}

// CheckHost wants the certificate to be for a host by which others reach this process, if there is TLS.
func (c Config) CheckHost(host string) error {
	t, _, err := c.load()
	if t == nil || err != nil {
		return err
	}
	if err := t.Certificates[0].Leaf.VerifyHostname(host); err != nil {
		return fmt.Errorf("security.tls.certificate (%s): %w: make one that has this host, too (flott certificates DIR HOST...)", c.Certificate, err)
	}
	return nil
}

// read is the file that the setting security.tls.NAME names.
func read(name, path string) ([]byte, error) {
	text, err := os.ReadFile(path)
	if err != nil {
		return nil, fmt.Errorf("security.tls.%s: %w", name, err)
	}
	return text, nil
}

// SameToken compares in a time that says nothing about where two tokens differ.
func SameToken(a, b string) bool {
	x, y := sha256.Sum256([]byte(a)), sha256.Sum256([]byte(b))
	return subtle.ConstantTimeCompare(x[:], y[:]) == 1
}
