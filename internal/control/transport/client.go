package transport

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"net"
	"strconv"
	"strings"
	"sync"
	"time"

	"google.golang.org/grpc"
	"google.golang.org/grpc/metadata"
	"google.golang.org/protobuf/proto"

	"github.com/flott-dev/flott/internal/control/rpc"
	"github.com/flott-dev/flott/internal/control/transport/wire"
)

// Pauses between tries to connect: they double, up to a bound, and vary so that not all processes come at once.
const (
	firstPause = 100 * time.Millisecond
	mostPause  = 3 * time.Second
)

// A client is a process that connects to the JobManager.
type client struct {
	options  Options
	protocol string
	address  string
	door     door
	next     time.Duration // pause
}

func dial(ctx context.Context, address string) (net.Conn, error) {
	var d net.Dialer
	return d.DialContext(ctx, "tcp", address)
}

func newClient(o Options, address string) (*client, error) {
	config, err := o.Security.Client()
	if err != nil {
		return nil, err
	}
	if o.dial == nil {
		o.dial = dial
	}
	return &client{options: o, protocol: strconv.Itoa(rpc.Protocol), address: address, door: newDoor(config), next: firstPause}, nil
}

// pause waits before the next try, as err was why the last one failed. It returns an error when there should be none.
func (c *client) pause(ctx context.Context, err error) error {
	var refusal *Refusal
	if errors.As(err, &refusal) {
		return refusal
	}
	wait := c.next/2 + rand.N(c.next)
	c.options.log().Warn("no connection to the JobManager", "address", c.address, "error", err, "again in", wait)
	c.next = min(2*c.next, mostPause)
	select {
	case <-ctx.Done():
	case <-time.After(wait):
	}
	return nil
}

// reason is what the failure to connect means. gRPC does not say whether it is about certificates.
func (c *client) reason(err error) error {
	if distrust := c.door.distrust.Load(); distrust != nil {
		return distrust
	}
	if !c.options.Security.TLS() && strings.Contains(err.Error(), "error reading server preface") { // or it is ending just now
		return fmt.Errorf("%w (a JobManager that wants TLS answers so: then security.tls.* must be set here, too)", reason(err))
	}
	return reason(err)
}

func (c *client) conn() (*grpc.ClientConn, error) {
	c.door.distrust.Store(nil)
	return grpc.NewClient("passthrough:///"+c.address,
		grpc.WithTransportCredentials(c.door), grpc.WithContextDialer(c.options.dial), grpc.WithDisableServiceConfig(), grpc.WithIdleTimeout(0),
		grpc.WithDefaultCallOptions(grpc.MaxCallRecvMsgSize(mostFromJobManager)))
}

// A call is a stream that this process has opened.
type call[Out, In any] interface {
	stream[Out, In]
	Header() (metadata.MD, error)
	CloseSend() error
}

// A told is a message of the JobManager, which may be a question.
type told interface{ GetAsk() *wire.Question }

// talk opens a call and holds a session on it, which speaks by the link, and from which receive is told what comes. It returns whether
// the session has ended of itself; else why there is no connection.
func talk[Out proto.Message, In told, C call[Out, In]](
	ctx context.Context, c *client, open func(wire.JobManagerClient, context.Context, ...grpc.CallOption) (C, error), alive Out,
	receive func(In) error, session func(context.Context, *link[Out, In]),
) (over bool, err error) {
	conn, err := c.conn()
	if err != nil {
		return false, err
	}
	defer func() { _ = conn.Close() }() // nothing is left to be said on it
	// The call lives on when ctx ends, for there is still a farewell to send.
	life, fail := context.WithCancelCause(metadata.NewOutgoingContext(context.WithoutCancel(ctx), c.options.introduction(c.protocol)))
	defer fail(errClosed)
	ending := make(chan struct{})
	l := newLink[Out, In](life, fail, nil, ending, alive)
	defer l.silence.Stop()
	giveUp := context.AfterFunc(ctx, func() { fail(context.Cause(ctx)) })
	jobManager := wire.NewJobManagerClient(conn)
	stream, err := open(jobManager, life)
	if err == nil {
		err = welcome(stream)
	}
	if !giveUp() || life.Err() != nil {
		return false, context.Cause(life)
	}
	if err != nil {
		return false, c.reason(err)
	}
	c.next, l.stream = firstPause, stream
	a := newAnswers(life, c.options, jobManager)
	defer a.close()
	return hold(ctx, l, stream.CloseSend, ending, func(m In) error {
		if q := m.GetAsk(); q != nil {
			a.answer(q)
			return nil
		}
		return receive(m)
	}, session)
}

// welcome waits until the JobManager has admitted this process.
func welcome[Out, In any](s call[Out, In]) error {
	md, err := s.Header()
	if err == nil && said(md, protocolHeader) == "" {
		if _, err = s.Recv(); err == nil {
			return &Refusal{"this is no JobManager of flott"}
		}
	}
	return err
}

// hold holds a session. It owns the two goroutines of the link.
func hold[Out proto.Message, In any](
	ctx context.Context, l *link[Out, In], closeSend func() error, ending chan<- struct{},
	receive func(In) error, session func(context.Context, *link[Out, In]),
) (over bool, err error) {
	within, leave := context.WithCancelCause(ctx)
	defer leave(nil)
	context.AfterFunc(l.ctx, func() { leave(context.Cause(l.ctx)) })
	var both sync.WaitGroup
	both.Go(func() { l.read(receive) })
	both.Go(func() {
		l.write()
		_ = closeSend() // if it fails the link has
	})
	session(within, l)
	over, err = ctx.Err() == nil && l.ctx.Err() == nil, context.Cause(l.ctx) // within may not have heard of it yet
	close(ending)
	late := time.AfterFunc(farewell, func() { l.fail(errSilent) })
	defer late.Stop()
	both.Wait()
	return over, err
}
