// Package network carries the exchange between the workers of a job: one connection for each pair of them, over a Unix socket on one
// machine and TCP between machines, there with TLS. What goes over it, and when, package shuffle decides: a shuffle.Link is one end of
// the exchange with a peer, and this package moves its frames.
//
//	Endpoint             a worker's listeners, and its peers
//	  accept             a goroutine for each listener; what comes must first prove itself, see handshake.go
//	  peer               a goroutine with a Link, for the life of one connection
//	    read, write      its goroutines; the first error ends both, and breaks the link
//
// Of two workers the one whose name is the lesser dials, and the other waits for it, so that there never are two connections. Both
// know that they need each other: the channels between them end at both.
//
// A link is never mended: what was lost with a connection cannot be found again without starting the tasks at both ends anew. Their
// next attempts ask for a link again, and get a new one.
package network

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"os"
	"strings"
	"sync"
	"time"

	"github.com/flott-dev/flott/internal/data/shuffle"
	"github.com/flott-dev/flott/internal/id"
)

// Options are what an endpoint needs to know.
type Options struct {
	Worker string // its name; no two workers of a job have the same
	Job    id.Job
	Secret []byte // of the job's workers
	// Listen is where connections come in: "unix:PATH" and "tcp:HOST:PORT", where port 0 is any free one. Peers try them in this order.
	Listen []string
	Host   string // by which peers reach the TCP address; "": the one it listens at
	// How TCP connections are accepted and dialed; nil: without TLS. The name of who is dialed must be in his certificate.
	Server, Client *tls.Config
	Log            *slog.Logger

	patience time.Duration // of tests
}

// What others can cost.
const (
	patience      = 15 * time.Second // for a connection, with its handshake
	mostStrangers = 64               // connections at their handshake at once
	breath        = 100 * time.Millisecond
)

var (
	errClosed  = errors.New("this worker has closed its data connections")
	errCrowded = errors.New("too many connections are at their handshake")
	errAnew    = errors.New("the worker has connected anew")
)

// An Endpoint is where the data connections of one worker end.
type Endpoint struct {
	options   Options
	directory *shuffle.Directory
	addresses []string
	listeners []net.Listener
	context   context.Context // ends when the endpoint closes, under the lock
	cancel    context.CancelCauseFunc
	strangers chan struct{}
	all       sync.WaitGroup // goroutines
	mu        struct {
		sync.Mutex
		peers map[string]*peer // whose link is not broken
	}
}

// Listen makes an endpoint. It accepts connections until Close.
func Listen(o Options) (*Endpoint, error) {
	if o.patience == 0 {
		o.patience = patience
	}
	e := &Endpoint{options: o, directory: shuffle.NewDirectory(), strangers: make(chan struct{}, mostStrangers)}
	e.context, e.cancel = context.WithCancelCause(context.Background())
	e.mu.peers = map[string]*peer{}
	for _, at := range o.Listen {
		if err := e.listen(at); err != nil {
			return nil, errors.Join(err, e.Close())
		}
	}
	return e, nil
}

func (e *Endpoint) listen(at string) error {
	kind, where, err := split(at)
	if err != nil {
		return err
	}
	l, err := net.Listen(kind, where)
	if err != nil {
		return err
	}
	e.listeners = append(e.listeners, l)
	if kind == "unix" {
		err = os.Chmod(where, 0o600)
	} else {
		where, err = e.reached(l.Addr().String())
	}
	e.addresses = append(e.addresses, kind+":"+where)
	e.all.Go(func() { e.accept(l, kind) })
	return err
}

// reached is where peers reach a TCP address.
func (e *Endpoint) reached(address string) (string, error) {
	host, port, err := net.SplitHostPort(address)
	if e.options.Host != "" {
		host = e.options.Host
	}
	return net.JoinHostPort(host, port), err
}

// split takes an address apart.
func split(address string) (kind, where string, err error) {
	kind, where, _ = strings.Cut(address, ":")
	if (kind != "unix" && kind != "tcp") || where == "" {
		return "", "", fmt.Errorf("the address %q is neither unix:PATH nor tcp:HOST:PORT", address)
	}
	return kind, where, nil
}

// Addr is where peers reach the endpoint: addresses with commas between them.
func (e *Endpoint) Addr() string { return strings.Join(e.addresses, ",") }

// Directory is that of the tasks to which peers send.
func (e *Endpoint) Directory() *shuffle.Directory { return e.directory }

// To is the link to a worker, whose Addr is given. If there is none, its connection is yet to be made; what is sent waits for it, and
// fails with it. Both workers must ask.
func (e *Endpoint) To(worker, address string) *shuffle.Link {
	e.mu.Lock()
	defer e.mu.Unlock()
	if p := e.mu.peers[worker]; p != nil {
		return p.link
	}
	return e.addLocked(worker, address).link
}

// addLocked makes a peer.
func (e *Endpoint) addLocked(worker, address string) *peer {
	p := e.newPeer(worker, address)
	if e.context.Err() != nil {
		p.link.Break(errClosed)
		return p
	}
	e.mu.peers[worker] = p
	e.all.Go(p.run)
	return p
}

// forget makes room for a new link to the peer.
func (e *Endpoint) forget(p *peer) {
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.mu.peers[p.name] == p {
		delete(e.mu.peers, p.name)
	}
}

// Close ends all connections, breaks their links, and returns when nothing of the endpoint is left.
func (e *Endpoint) Close() error {
	e.mu.Lock()
	e.cancel(errClosed)
	e.mu.Unlock()
	var err error
	for _, l := range e.listeners {
		if closing := l.Close(); !errors.Is(closing, net.ErrClosed) {
			err = errors.Join(err, closing)
		}
	}
	e.all.Wait()
	return err
}

// accept takes connections, of peers and of strangers, until the endpoint closes.
func (e *Endpoint) accept(l net.Listener, kind string) {
	for {
		c, err := l.Accept()
		switch {
		case e.context.Err() != nil:
			if err == nil {
				_ = c.Close()
			}
			return
		case err != nil: // no descriptor is left, perhaps
			e.options.Log.Warn("a data connection could not be accepted", "error", err)
			select {
			case <-time.After(breath):
			case <-e.context.Done():
			}
			continue
		}
		select {
		case e.strangers <- struct{}{}:
			e.all.Go(func() { e.welcome(c, kind) })
		default:
			e.refuse(c, errCrowded)
		}
	}
}

// welcome hands a connection to its peer, or closes it.
func (e *Endpoint) welcome(c net.Conn, kind string) {
	defer func() { <-e.strangers }()
	if kind == "tcp" && e.options.Server != nil {
		c = tls.Server(c, e.options.Server)
	}
	var from string
	err := e.within(e.context, c, func() (err error) {
		from, err = e.answer(c)
		return err
	})
	if err == nil {
		err = e.adopt(from, c)
	}
	if err != nil {
		e.refuse(c, err)
	}
}

// refuse closes a connection of which nothing came.
func (e *Endpoint) refuse(c net.Conn, why error) {
	if e.context.Err() == nil {
		e.options.Log.Warn("a data connection was refused", "from", c.RemoteAddr(), "error", why)
	}
	_ = c.Close()
}

// adopt gives a connection to its peer. If that has one, it has noticed sooner than we that this one is lost.
func (e *Endpoint) adopt(from string, c net.Conn) error {
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.context.Err() != nil {
		return errClosed
	}
	p := e.mu.peers[from]
	if p != nil && p.dialed {
		p.cancel(errAnew)
		p = nil
	}
	if p == nil {
		p = e.addLocked(from, "")
	}
	p.dialed = true
	p.incoming <- c // has room for one
	return nil
}

// within does what must not take long, and ends with ctx.
func (e *Endpoint) within(ctx context.Context, c net.Conn, do func() error) error {
	if err := c.SetDeadline(time.Now().Add(e.options.patience)); err != nil {
		return err
	}
	stop := context.AfterFunc(ctx, func() { _ = c.SetDeadline(time.Unix(1, 0)) })
	defer stop()
	if err := do(); err != nil {
		return err
	}
	return c.SetDeadline(time.Time{})
}
