// Package transport carries the messages of package rpc between processes: Protocol Buffers over gRPC.
//
// A TaskManager and a worker each open one stream to the JobManager and keep it, so that only the JobManager listens, on one port.
// Messages go both ways on it, in order.
//
//	TaskManager                             JobManager
//	-----------                             ----------
//	connect (TLS)                           certificate of the cluster?
//	open stream: token, protocol, version   token, protocol?  no -> status with the reason, see Refusal
//	                                        <- protocol, version
//	Register, or Ready                      Register(..., stand-in), or Ready(..., stand-in)
//	<-- messages, or a sign of life each second -->
//	Unregister, close                       Unregister, or Disconnected
//
// A side that hears nothing for silence takes the other for dead, and one whose connection closes knows at once. The JobManager then
// tells its ResourceManager or JobMaster so. A TaskManager connects again, as another one; a worker has nobody left to work for.
//
// Sending never waits. What the other side does not take is kept up to mostPending, and then the connection is given up.
package transport

import (
	"context"
	"log/slog"
	"net"
	"time"

	"github.com/flott-dev/flott/internal/control/security"
	"github.com/flott-dev/flott/internal/control/view"
)

const (
	signOfLife  = time.Second      // at most so long a side is quiet
	silence     = 4 * time.Second  // after so long without a message the other side is dead: its loss must be noticed within five
	farewell    = 10 * time.Second // for what was sent before the end to arrive: long, as the other side may be busy
	mostPending = 64 << 20         // bytes that wait to be sent to one peer
	muchPending = 1 << 20          // with so many of them who can wait does
	// Messages are bounded where they are received. The JobManager sends graphs, which may be large; what it is sent is small.
	mostToJobManager   = 16 << 20
	mostFromJobManager = 64 << 20
	mostHeaders        = 16 << 10
)

// Options are what both sides of a connection must know.
type Options struct {
	Version  string // of flott, for people: what decides is rpc.Protocol
	Security security.Config
	Process  view.Process // what a TaskManager or worker says of itself when it is asked; nil: nothing
	Log      *slog.Logger // nil: slog.Default()

	dial func(ctx context.Context, address string) (net.Conn, error) // nil: by TCP
}

func (o *Options) log() *slog.Logger {
	if o.Log == nil {
		return slog.Default()
	}
	return o.Log
}
