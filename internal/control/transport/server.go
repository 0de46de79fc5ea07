package transport

import (
	"context"
	"net"
	"sync"
	"time"

	"google.golang.org/grpc"
	"google.golang.org/grpc/keepalive"
	"google.golang.org/grpc/peer"
	"google.golang.org/protobuf/proto"

	"github.com/flott-dev/flott/internal/control/rpc"
	"github.com/flott-dev/flott/internal/control/transport/wire"
)

// A Server takes the connections of TaskManagers and workers.
type Server struct {
	wire.UnimplementedJobManagerServer
	options  Options
	listener net.Listener
	door     door

	processes *processes

	// of Serve
	jobs      rpc.JobManager
	resources rpc.ResourceManager
	ending    <-chan struct{} // the JobManager ends
	readers   sync.WaitGroup
}

// Listen takes an address, as "127.0.0.1:6123". One that other machines can reach must be secured.
func Listen(o Options, address string) (*Server, error) {
	if err := o.Security.Check(address); err != nil {
		return nil, err
	}
	listener, err := net.Listen("tcp", address)
	if err != nil {
		return nil, err
	}
	s, err := newServer(o, listener)
	if err != nil {
		_ = listener.Close() // the other error says more
	}
	return s, err
}

func newServer(o Options, listener net.Listener) (*Server, error) {
	config, err := o.Security.Server()
	if err != nil {
		return nil, err
	}
	return &Server{options: o, listener: listener, door: newDoor(config), processes: newProcesses()}, nil
}

// Addr is where the server listens.
func (s *Server) Addr() net.Addr { return s.listener.Addr() }

// Close gives up the address of a server that does not serve.
func (s *Server) Close() error { return s.listener.Close() }

// Serve hands on what TaskManagers and workers say, until ctx ends. It is called once. When it returns, all connections are closed,
// and jobs and resources know it.
func (s *Server) Serve(ctx context.Context, jobs rpc.JobManager, resources rpc.ResourceManager) error {
	s.jobs, s.resources, s.ending = jobs, resources, ctx.Done()
	server := grpc.NewServer(
		grpc.Creds(s.door),
		grpc.StreamInterceptor(s.options.admit),
		grpc.MaxRecvMsgSize(mostToJobManager),
		grpc.MaxHeaderListSize(mostHeaders),
		grpc.MaxConcurrentStreams(1+mostQuestions),
		grpc.ConnectionTimeout(silence),
		grpc.KeepaliveParams(keepalive.ServerParameters{MaxConnectionIdle: silence}), // without a stream it is nobody's
		grpc.WaitForHandlers(true),
	)
	wire.RegisterJobManagerServer(server, s)
	stopped := make(chan struct{})
	stop := context.AfterFunc(ctx, func() {
		defer close(stopped)
		late := time.AfterFunc(farewell, server.Stop)
		defer late.Stop()
		server.GracefulStop()
	})
	err := server.Serve(s.listener)
	if stop() { // it ended by itself
		server.Stop()
	} else {
		<-stopped
	}
	s.readers.Wait()
	return err
}

// serve is the life of a stream, from which v is told what comes.
func serve[Out proto.Message, In any](s *Server, stream serverStream[Out, In], alive Out, v visitor[Out, In]) error {
	// The link outlives gRPC's word that the stream has ended: the reader says why.
	ctx, fail := context.WithCancelCause(context.WithoutCancel(stream.Context()))
	defer fail(errClosed)
	context.AfterFunc(ctx, func() { cut(ctx) })
	l := newLink[Out, In](ctx, fail, stream, s.ending, alive)
	v.enter(l)
	s.readers.Go(func() { // until the stream ends: at the latest when this function has returned
		l.read(v.receive)
		v.leave(context.Cause(ctx))
	})
	l.write()
	if closed(s.ending) {
		return nil // gRPC sends what it still has
	}
	<-ctx.Done()
	return context.Cause(ctx)
}

type serverStream[Out, In any] interface {
	stream[Out, In]
	Context() context.Context
}

// A visitor is a TaskManager or a worker, seen from the JobManager.
type visitor[Out proto.Message, In any] interface {
	enter(*link[Out, In])
	receive(In) error
	leave(cause error)
}

// cut closes the connection of a stream that has ended. The other side has a moment to hear why, if it hears anything.
func cut(ctx context.Context) {
	p, _ := peer.FromContext(ctx)
	hears := time.Duration(0)
	if !unheard(context.Cause(ctx)) {
		hears = farewell
	}
	time.AfterFunc(hears, func() { _ = p.AuthInfo.(passed).conn.Close() })
}

// unheard says that a link has failed because of what did not come from the other side, and not because of what did.
func unheard(cause error) bool {
	return cause == errSilent || cause == errSlow //nolint:errorlint // they come as they are
}
