package network

import (
	"bufio"
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"io"
	"net"
	"strings"
	"sync"

	"github.com/flott-dev/flott/internal/data/shuffle"
)

// A peer is another worker, for the life of one connection with it:
//
//	waiting --(dialed by us, or by it)--> connected --(first error, Close, or it connects anew)--> gone: the link is broken
//	   |                                                                                             ^
//	   +--(cannot be dialed, does not dial, Close)---------------------------------------------------+
type peer struct {
	endpoint *Endpoint
	name     string
	address  string
	link     *shuffle.Link
	context  context.Context // ends with the connection; its cause says why
	cancel   context.CancelCauseFunc
	incoming chan net.Conn // from a peer that dials
	dialed   bool          // it has dialed. Guarded by the endpoint's lock
}

func (e *Endpoint) newPeer(name, address string) *peer {
	p := &peer{endpoint: e, name: name, address: address, link: shuffle.NewLink(name, e.directory), incoming: make(chan net.Conn, 1)}
	p.context, p.cancel = context.WithCancelCause(e.context)
	return p
}

// run is the peer's life.
func (p *peer) run() {
	c, err := p.connect()
	if err == nil {
		err = p.carry(c)
	}
	p.cancel(err)
	p.endpoint.forget(p) // who asks from now on gets a new link
	p.link.Break(err)
	select {
	case c := <-p.incoming: // too late
		_ = c.Close()
	default:
	}
}

// connect dials, or waits for the peer to do so.
func (p *peer) connect() (net.Conn, error) {
	ctx, cancel := context.WithTimeoutCause(p.context, p.endpoint.options.patience, errSilent)
	defer cancel()
	if p.endpoint.options.Worker < p.name {
		return p.dial(ctx)
	}
	select {
	case c := <-p.incoming:
		return c, nil
	case <-ctx.Done():
		return nil, context.Cause(ctx)
	}
}

var (
	errSilent = errors.New("it was not made in time")
	errGone   = errors.New("the worker has closed it, or is gone")
)

// dial tries all addresses.
func (p *peer) dial(ctx context.Context) (c net.Conn, err error) {
	for address := range strings.SplitSeq(p.address, ",") {
		c, failure := p.dialOne(ctx, address)
		if failure == nil {
			return c, nil
		}
		err = errors.Join(err, fmt.Errorf("it cannot be made to %s: %w", address, failure))
	}
	if ctx.Err() != nil {
		err = context.Cause(ctx)
	}
	return nil, err
}

func (p *peer) dialOne(ctx context.Context, address string) (net.Conn, error) {
	kind, where, err := split(address)
	if err != nil {
		return nil, err
	}
	var d net.Dialer
	c, err := d.DialContext(ctx, kind, where)
	if err != nil {
		return nil, err
	}
	if secure := p.endpoint.options.Client; kind == "tcp" && secure != nil {
		secure = secure.Clone()
		secure.ServerName, _, _ = net.SplitHostPort(where)
		c = tls.Client(c, secure)
	}
	if err := p.endpoint.within(ctx, c, func() error { return p.endpoint.introduce(c, p.name) }); err != nil {
		_ = c.Close()
		return nil, err
	}
	return c, nil
}

// carry moves frames until the connection ends.
func (p *peer) carry(c net.Conn) error {
	var both sync.WaitGroup
	both.Go(func() { p.cancel(p.read(c)) })
	both.Go(func() { p.cancel(p.write(c)) })
	<-p.context.Done()
	_ = c.Close() // ends both
	both.Wait()
	return context.Cause(p.context)
}

// read gives the link what comes.
func (p *peer) read(c net.Conn) error {
	r := bufio.NewReaderSize(c, 64<<10)
	for {
		switch err := p.link.Read(r); {
		case errors.Is(err, io.EOF), errors.Is(err, io.ErrUnexpectedEOF):
			return errGone
		case err != nil:
			return err
		}
	}
}

// write writes what the link has, as much at once as there is.
func (p *peer) write(c net.Conn) error {
	var records *bufio.Writer // of TLS, which would make one of each piece
	if _, secure := c.(*tls.Conn); secure {
		records = bufio.NewWriterSize(c, 64<<10)
	}
	for {
		pieces := net.Buffers(p.link.Next())
		if len(pieces) == 0 {
			select {
			case <-p.link.Bell():
			case <-p.context.Done():
				return nil
			}
			continue
		}
		if err := writeAll(c, records, pieces); err != nil {
			return err
		}
	}
}

func writeAll(c net.Conn, records *bufio.Writer, pieces net.Buffers) error {
	if records == nil {
		_, err := pieces.WriteTo(c) // one system call
		return err
	}
	if _, err := pieces.WriteTo(records); err != nil {
		return err
	}
	return records.Flush()
}
