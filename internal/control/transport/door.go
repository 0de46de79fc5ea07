package transport

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"net"
	"sync/atomic"

	"google.golang.org/grpc/credentials"
	"google.golang.org/grpc/credentials/insecure"
)

// A door is what connections go through. gRPC has credentials for that, and keeps to itself what flott must know: the connection of a
// stream, to close it, and why two sides do not trust each other.
type door struct {
	credentials.TransportCredentials
	distrust *atomic.Pointer[Refusal]
}

// newDoor is a door with TLS, or, when c is nil, without.
func newDoor(c *tls.Config) door {
	if c == nil {
		return door{insecure.NewCredentials(), new(atomic.Pointer[Refusal])}
	}
	return door{credentials.NewTLS(c), new(atomic.Pointer[Refusal])}
}

// Clone is the same door.
func (d door) Clone() credentials.TransportCredentials {
	return door{d.TransportCredentials.Clone(), d.distrust}
}

// ServerHandshake lets a process in.
func (d door) ServerHandshake(c net.Conn) (net.Conn, credentials.AuthInfo, error) {
	c, info, err := d.TransportCredentials.ServerHandshake(c)
	return c, passed{info, c}, err
}

// passed is who went through the door, and how.
type passed struct {
	credentials.AuthInfo
	conn net.Conn
}

// ClientHandshake goes in. With TLS 1.3 it ends before the other side has looked at our certificate: of that, the first read tells.
func (d door) ClientHandshake(ctx context.Context, name string, c net.Conn) (net.Conn, credentials.AuthInfo, error) {
	c, info, err := d.TransportCredentials.ClientHandshake(ctx, name, c)
	if err != nil {
		d.note(err)
		return nil, nil, err
	}
	return watched{c, d}, info, nil
}

// note keeps an error that is about certificates.
func (d door) note(err error) {
	var other x509.HostnameError
	var verification *tls.CertificateVerificationError
	var plain tls.RecordHeaderError
	var op *net.OpError
	switch {
	case errors.As(err, &other):
		d.distrust.Store(&Refusal{fmt.Sprintf("the certificate of the JobManager is not for the host that it was called by: %v: set jobmanager.rpc.address to one that it is for, or give the JobManager a certificate that has %s, too (flott certificates DIR HOST...)", other, other.Host)})
	case errors.As(err, &verification):
		d.distrust.Store(&Refusal{"the certificate of the JobManager is not trusted: " + verification.Error()})
	case errors.As(err, &op) && op.Op == "remote error":
		d.distrust.Store(&Refusal{"the JobManager does not trust our certificate: " + op.Error()})
	case errors.As(err, &plain):
		d.distrust.Store(&Refusal{"the JobManager does not speak TLS: " + plain.Error()})
	}
}

// watched is a connection whose errors are looked at.
type watched struct {
	net.Conn
	door door
}

// Read reads.
func (w watched) Read(p []byte) (int, error) {
	n, err := w.Conn.Read(p)
	if err != nil {
		w.door.note(err)
	}
	return n, err
}
