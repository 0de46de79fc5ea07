package transport

import (
	"context"
	"net"
	"sync/atomic"

	"google.golang.org/grpc"

	"github.com/flott-dev/flott/internal/control/rpc"
	"github.com/flott-dev/flott/internal/control/transport/wire"
	"github.com/flott-dev/flott/internal/id"
)

type (
	toTaskManager     = link[*wire.ToTaskManager, *wire.FromTaskManager] // the JobManager's side
	toResourceManager = link[*wire.FromTaskManager, *wire.ToTaskManager] // the TaskManager's side
)

// TaskManager is the life of a TaskManager's connection.
func (s *Server) TaskManager(stream grpc.BidiStreamingServer[wire.FromTaskManager, wire.ToTaskManager]) error {
	return serve(s, stream, &wire.ToTaskManager{}, &visitingTaskManager{server: s, conn: connOf(stream.Context())})
}

// A visitingTaskManager is a TaskManager on the JobManager's side: what it says comes in by receive, and what it is told goes out as a
// message. The link's reader owns the fields below conn.
type visitingTaskManager struct {
	link   *toTaskManager
	server *Server
	conn   net.Conn
	self   *remote // nil: it has not registered
	left   bool    // it has unregistered
}

func (v *visitingTaskManager) enter(l *toTaskManager) { v.link = l }

func (v *visitingTaskManager) receive(m *wire.FromTaskManager) error {
	var d decoder
	if r, ok := m.GetKind().(*wire.FromTaskManager_Register); ok == (v.self != nil) && m.GetKind() != nil {
		return errOrder
	} else if ok {
		return take(&d, d.registration(r.Register), v.register)
	}
	switch k := m.GetKind().(type) {
	case *wire.FromTaskManager_Heartbeat:
		return take(&d, d.heartbeat(k.Heartbeat), v.server.resources.Heartbeat)
	case *wire.FromTaskManager_WorkerExited:
		return take(&d, d.workerExit(k.WorkerExited), v.server.resources.WorkerExited)
	case *wire.FromTaskManager_Printed:
		return take(&d, d.output(k.Printed), v.server.resources.Printed)
	case *wire.FromTaskManager_Unregister:
		return take(&d, d.leave(k.Unregister), v.unregister)
	}
	return nil
}

func (v *visitingTaskManager) register(r rpc.Registration) {
	v.self = newRemote(v.server.processes, v.link, v.conn, r.ID, id.Job{}, func(q *wire.Question) *wire.ToTaskManager {
		return &wire.ToTaskManager{Kind: &wire.ToTaskManager_Ask{Ask: q}}
	})
	v.server.processes.enter(v.self)
	if r.Address == "" {
		r.Address = v.conn.RemoteAddr().String()
	}
	v.server.resources.Register(r, v)
}

func (v *visitingTaskManager) unregister(l rpc.Leave) {
	v.left = true
	v.server.resources.Unregister(l)
}

func (v *visitingTaskManager) leave(cause error) {
	if v.self == nil {
		return
	}
	v.server.processes.leave(v.self)
	if !v.left {
		v.server.resources.Unregister(rpc.Leave{ID: v.self.name, Cause: cause})
	}
}

// StartWorker tells the TaskManager to start a worker.
func (v *visitingTaskManager) StartWorker(s rpc.WorkerStart) {
	v.link.send(&wire.ToTaskManager{Kind: &wire.ToTaskManager_StartWorker{StartWorker: workerStartOf(&s)}})
}

// StopWorker tells the TaskManager to end a worker.
func (v *visitingTaskManager) StopWorker(s rpc.WorkerStop) {
	v.link.send(&wire.ToTaskManager{Kind: &wire.ToTaskManager_StopWorker{StopWorker: workerStopOf(s)}})
}

// Dismiss closes the connection.
func (v *visitingTaskManager) Dismiss(cause error) {
	if cause == nil {
		cause = errClosed
	}
	v.link.fail(cause)
}

// DialTaskManager keeps a TaskManager connected to the JobManager at an address. For each connection it calls session, with a context
// that ends when the connection does, or ctx; in the first case the TaskManager that has registered is dismissed, too. A session begins
// with Register, under an ID that no other one had, and returns when its context has ended; what it has sent is sent before the
// connection is closed. Then the TaskManager connects again.
//
// DialTaskManager returns nil when ctx has ended, or a session has returned for another reason; a *Refusal when trying again is of no
// use.
func DialTaskManager(ctx context.Context, o Options, address string, session func(context.Context, rpc.ResourceManager)) error {
	c, err := newClient(o, address)
	if err != nil {
		return err
	}
	for {
		over, err := c.taskManager(ctx, session)
		if over || ctx.Err() != nil {
			return nil
		}
		if err := c.pause(ctx, err); err != nil {
			return err
		}
	}
}

func (c *client) taskManager(ctx context.Context, session func(context.Context, rpc.ResourceManager)) (over bool, err error) {
	v := &visitedResourceManager{}
	return talk(ctx, c, wire.JobManagerClient.TaskManager, &wire.FromTaskManager{}, v.receive, func(ctx context.Context, l *toResourceManager) {
		v.link = l
		defer context.AfterFunc(l.ctx, func() { v.dismiss(context.Cause(l.ctx)) })()
		session(ctx, v)
	})
}

// A visitedResourceManager is the ResourceManager on a TaskManager's side.
type visitedResourceManager struct {
	link *toResourceManager
	m    atomic.Pointer[rpc.TaskManager] // who is told; nil: it has not registered, and can be told nothing
}

func (v *visitedResourceManager) receive(m *wire.ToTaskManager) error {
	to := v.m.Load()
	if to == nil {
		return nil
	}
	var d decoder
	switch k := m.GetKind().(type) {
	case *wire.ToTaskManager_StartWorker:
		return take(&d, d.workerStart(k.StartWorker), (*to).StartWorker)
	case *wire.ToTaskManager_StopWorker:
		return take(&d, d.workerStop(k.StopWorker), (*to).StopWorker)
	}
	return nil
}

// dismiss says that the connection has closed.
func (v *visitedResourceManager) dismiss(cause error) {
	if to := v.m.Load(); to != nil {
		(*to).Dismiss(cause)
	}
}

// Register says that the TaskManager is there.
func (v *visitedResourceManager) Register(r rpc.Registration, m rpc.TaskManager) {
	v.m.Store(&m)
	v.link.send(&wire.FromTaskManager{Kind: &wire.FromTaskManager_Register{Register: registrationOf(&r)}})
}

// Heartbeat sends a heartbeat.
func (v *visitedResourceManager) Heartbeat(h rpc.Heartbeat) {
	v.link.send(&wire.FromTaskManager{Kind: &wire.FromTaskManager_Heartbeat{Heartbeat: heartbeatOf(h)}})
}

// WorkerExited says that nothing is left of a worker.
func (v *visitedResourceManager) WorkerExited(e rpc.WorkerExit) {
	v.link.send(&wire.FromTaskManager{Kind: &wire.FromTaskManager_WorkerExited{WorkerExited: workerExitOf(e)}})
}

// Printed sends what a worker has printed. Workers that print faster than it can be sent are held up by it.
func (v *visitedResourceManager) Printed(o rpc.Output) {
	o.Lines = append([]byte(nil), o.Lines...) // the message goes later, and the caller may use the bytes again
	v.link.follow(&wire.FromTaskManager{Kind: &wire.FromTaskManager_Printed{Printed: outputOf(o)}})
}

// Unregister says that the TaskManager leaves.
func (v *visitedResourceManager) Unregister(l rpc.Leave) {
	v.link.send(&wire.FromTaskManager{Kind: &wire.FromTaskManager_Unregister{Unregister: leaveOf(l)}})
}
