package transport

import (
	"context"
	"net"
	"sync/atomic"

	"google.golang.org/grpc"

	"github.com/flott-dev/flott/internal/control/rpc"
	"github.com/flott-dev/flott/internal/control/transport/wire"
)

type (
	toWorker     = link[*wire.ToWorker, *wire.FromWorker] // the JobManager's side
	toJobManager = link[*wire.FromWorker, *wire.ToWorker] // the worker's side
)

// Worker is the life of a worker's connection.
func (s *Server) Worker(stream grpc.BidiStreamingServer[wire.FromWorker, wire.ToWorker]) error {
	return serve(s, stream, &wire.ToWorker{}, &visitingWorker{server: s, conn: connOf(stream.Context())})
}

// A visitingWorker is a worker on the JobManager's side. The link's reader owns the fields below conn.
type visitingWorker struct {
	link   *toWorker
	server *Server
	conn   net.Conn
	self   *remote        // nil: it is not ready
	loss   rpc.WorkerLoss // what to say when the connection closes
}

func (v *visitingWorker) enter(l *toWorker) { v.link = l }

func (v *visitingWorker) receive(m *wire.FromWorker) error {
	var d decoder
	switch k := m.GetKind().(type) {
	case nil:
		return nil
	case *wire.FromWorker_Ready:
		if v.self != nil {
			return errOrder
		}
		return take(&d, d.ready(k.Ready), v.ready)
	case *wire.FromWorker_Refused:
		return take(&d, d.refusal(k.Refused), v.server.jobs.Refused)
	}
	if v.self == nil {
		return errOrder
	}
	return v.report(&d, m)
}

func (v *visitingWorker) ready(r rpc.WorkerReady) {
	v.loss = rpc.WorkerLoss{Header: r.Header, Worker: r.Worker}
	v.self = newRemote(v.server.processes, v.link, v.conn, string(r.Worker), r.Job, func(q *wire.Question) *wire.ToWorker {
		return &wire.ToWorker{Kind: &wire.ToWorker_Ask{Ask: q}}
	})
	v.server.processes.enter(v.self)
	v.server.jobs.Ready(r, v)
}

// report hands on what a worker says that is ready.
func (v *visitingWorker) report(d *decoder, m *wire.FromWorker) error {
	switch k := m.GetKind().(type) {
	case *wire.FromWorker_Report:
		return take(d, d.report(k.Report), v.server.jobs.Report)
	case *wire.FromWorker_ReportMetrics:
		return take(d, d.metricsReport(k.ReportMetrics), v.server.jobs.ReportMetrics)
	case *wire.FromWorker_RequestSplits:
		return take(d, d.splitRequest(k.RequestSplits), v.server.jobs.RequestSplits)
	case *wire.FromWorker_Assigned:
		return take(d, d.assignment(k.Assigned), v.server.jobs.Assigned)
	case *wire.FromWorker_SourceEnded:
		return take(d, d.sourceEnd(k.SourceEnded), v.server.jobs.SourceEnded)
	}
	return nil
}

func (v *visitingWorker) leave(cause error) {
	if v.self == nil {
		return
	}
	v.server.processes.leave(v.self)
	v.loss.Cause, v.loss.Closed = cause, !unheard(cause)
	v.server.jobs.Disconnected(v.loss)
}

// Deploy sends tasks to run.
func (v *visitingWorker) Deploy(d rpc.Deployment) {
	v.link.send(&wire.ToWorker{Kind: &wire.ToWorker_Deploy{Deploy: deploymentOf(&d)}})
}

// Cancel sends what to end.
func (v *visitingWorker) Cancel(c rpc.Cancellation) {
	v.link.send(&wire.ToWorker{Kind: &wire.ToWorker_Cancel{Cancel: cancellationOf(c)}})
}

// NextSplits asks for splits.
func (v *visitingWorker) NextSplits(r rpc.SplitRequest) {
	v.link.send(&wire.ToWorker{Kind: &wire.ToWorker_NextSplits{NextSplits: splitRequestOf(r)}})
}

// Assign gives splits.
func (v *visitingWorker) Assign(a rpc.Assignment) {
	v.link.send(&wire.ToWorker{Kind: &wire.ToWorker_Assign{Assign: assignmentOf(a)}})
}

// Inquire asks how attempts fare.
func (v *visitingWorker) Inquire(i rpc.Inquiry) {
	v.link.send(&wire.ToWorker{Kind: &wire.ToWorker_Inquire{Inquire: inquiryOf(i)}})
}

// Measure asks for metrics.
func (v *visitingWorker) Measure(r rpc.MetricsRequest) {
	v.link.send(&wire.ToWorker{Kind: &wire.ToWorker_Measure{Measure: metricsRequestOf(r)}})
}

// Release says that the job is over.
func (v *visitingWorker) Release(h rpc.Header) {
	v.link.send(&wire.ToWorker{Kind: &wire.ToWorker_Release{Release: headerOf(h)}})
}

// DialWorker connects a worker with the JobManager at an address, trying until ctx ends, and calls session with a context that ends
// when the connection does, or ctx. The session says Ready, or Refused, once; what it has sent is sent before the connection is closed.
// A worker connects once: when the connection is lost, so is the worker.
//
// DialWorker returns nil when the session has returned, or ctx has ended; else why there is no connection, a *Refusal when trying again
// was of no use.
func DialWorker(ctx context.Context, o Options, address string, session func(context.Context, rpc.JobManager)) error {
	c, err := newClient(o, address)
	if err != nil {
		return err
	}
	for {
		met := false
		over, err := c.worker(ctx, func(ctx context.Context, m rpc.JobManager) { met = true; session(ctx, m) })
		switch {
		case over || ctx.Err() != nil:
			return nil
		case met:
			return err
		}
		if err := c.pause(ctx, err); err != nil {
			return err
		}
	}
}

func (c *client) worker(ctx context.Context, session func(context.Context, rpc.JobManager)) (over bool, err error) {
	v := &visitedJobManager{}
	return talk(ctx, c, wire.JobManagerClient.Worker, &wire.FromWorker{}, v.receive, func(ctx context.Context, l *toJobManager) {
		v.link = l
		session(ctx, v)
	})
}

// A visitedJobManager is the JobManager on a worker's side.
type visitedJobManager struct {
	link *toJobManager
	w    atomic.Pointer[rpc.Worker] // who is told; nil: it is not ready, and can be told nothing
}

func (v *visitedJobManager) receive(m *wire.ToWorker) error {
	to := v.w.Load()
	if to == nil {
		return nil
	}
	w := *to
	var d decoder
	switch k := m.GetKind().(type) {
	case *wire.ToWorker_Deploy:
		return take(&d, d.deployment(k.Deploy), w.Deploy)
	case *wire.ToWorker_Cancel:
		return take(&d, d.cancellation(k.Cancel), w.Cancel)
	case *wire.ToWorker_NextSplits:
		return take(&d, d.splitRequest(k.NextSplits), w.NextSplits)
	case *wire.ToWorker_Assign:
		return take(&d, d.assignment(k.Assign), w.Assign)
	case *wire.ToWorker_Inquire:
		return take(&d, d.inquiry(k.Inquire), w.Inquire)
	case *wire.ToWorker_Measure:
		return take(&d, d.metricsRequest(k.Measure), w.Measure)
	case *wire.ToWorker_Release:
		return take(&d, d.header(k.Release), w.Release)
	}
	return nil
}

// Ready says that the worker can run tasks.
func (v *visitedJobManager) Ready(r rpc.WorkerReady, w rpc.Worker) {
	v.w.Store(&w)
	v.link.send(&wire.FromWorker{Kind: &wire.FromWorker_Ready{Ready: readyOf(r)}})
}

// Refused says that the worker cannot run its job.
func (v *visitedJobManager) Refused(r rpc.WorkerRefusal) {
	v.link.send(&wire.FromWorker{Kind: &wire.FromWorker_Refused{Refused: refusalOf(r)}})
}

// Disconnected is for the JobManager's side to say. Who says it here closes the connection by returning.
func (v *visitedJobManager) Disconnected(rpc.WorkerLoss) {}

// Report sends what became of a task.
func (v *visitedJobManager) Report(r rpc.Report) {
	v.link.send(&wire.FromWorker{Kind: &wire.FromWorker_Report{Report: reportOf(&r)}})
}

// ReportMetrics sends what tasks have counted.
func (v *visitedJobManager) ReportMetrics(r rpc.MetricsReport) {
	v.link.send(&wire.FromWorker{Kind: &wire.FromWorker_ReportMetrics{ReportMetrics: metricsReportOf(r)}})
}

// RequestSplits asks for splits.
func (v *visitedJobManager) RequestSplits(r rpc.SplitRequest) {
	v.link.send(&wire.FromWorker{Kind: &wire.FromWorker_RequestSplits{RequestSplits: splitRequestOf(r)}})
}

// Assigned sends splits.
func (v *visitedJobManager) Assigned(a rpc.Assignment) {
	v.link.send(&wire.FromWorker{Kind: &wire.FromWorker_Assigned{Assigned: assignmentOf(a)}})
}

// SourceEnded says that an enumerator has ended.
func (v *visitedJobManager) SourceEnded(e rpc.SourceEnd) {
	v.link.send(&wire.FromWorker{Kind: &wire.FromWorker_SourceEnded{SourceEnded: sourceEndOf(e)}})
}
