package transport

import (
	"github.com/flott-dev/flott/connector"
	"github.com/flott-dev/flott/internal/control/rpc"
	"github.com/flott-dev/flott/internal/control/transport/wire"
	"github.com/flott-dev/flott/internal/control/view"
	"github.com/flott-dev/flott/internal/decide/schedule"
)

// The functions xOf make the wire form of an x. Counters are below 2^32 there.

func headerOf(h rpc.Header) *wire.Header { return &wire.Header{Job: h.Job[:], Token: int64(h.Token)} }

// each maps a list.
func each[A, B any](list []A, of func(A) B) []B {
	if list == nil {
		return nil
	}
	mapped := make([]B, len(list))
	for i := range list {
		mapped[i] = of(list[i])
	}
	return mapped
}

// TaskManagers.

func registrationOf(r *rpc.Registration) *wire.Registration {
	return &wire.Registration{
		Id: r.ID, Host: r.Host, DataHost: r.DataHost, DataPort: uint32(r.DataPort), Address: r.Address, Slots: uint32(r.Slots),
		Memory: r.Memory, Version: r.Version,
		Hardware: &wire.Hardware{Cores: uint32(r.Hardware.Cores), Memory: r.Hardware.Memory, Free: r.Hardware.Free},
	}
}

func heartbeatOf(h rpc.Heartbeat) *wire.Heartbeat {
	return &wire.Heartbeat{Id: h.ID, Number: uint32(h.Number), Workers: each(h.Workers, workerFiguresOf), Figures: figuresOf(h.Figures)}
}

func workerFiguresOf(w rpc.WorkerFigures) *wire.WorkerFigures {
	return &wire.WorkerFigures{Worker: string(w.Worker), Figures: figuresOf(w.Figures)}
}

func figuresOf(f rpc.Figures) *wire.Figures {
	return &wire.Figures{
		Pid: uint32(f.Pid), Resident: f.Resident, Limit: f.Limit,
		HeapUsed: f.HeapUsed, HeapCommitted: f.HeapCommitted, HeapMax: f.HeapMax,
		Goroutines: uint32(f.Goroutines), Collections: f.Collections, CollectionTime: int64(f.CollectionTime),
		Cpu: int64(f.CPU), Load: f.Load,
	}
}

func workerStartOf(s *rpc.WorkerStart) *wire.WorkerStart {
	return &wire.WorkerStart{
		Header: headerOf(s.Header), Worker: string(s.Worker), Blob: s.Blob[:], Args: s.Args, Env: s.Env,
		Memory: s.Memory, Slots: uint32(s.Slots), Graph: s.Graph, Fingerprint: s.Fingerprint, Earlier: s.Earlier, Secret: s.Secret,
	}
}

func workerStopOf(s rpc.WorkerStop) *wire.WorkerStop {
	return &wire.WorkerStop{Header: headerOf(s.Header), Worker: string(s.Worker)}
}

func workerExitOf(e rpc.WorkerExit) *wire.WorkerExit {
	return &wire.WorkerExit{Header: headerOf(e.Header), Worker: string(e.Worker), Cause: errorOf(e.Cause)}
}

func outputOf(o rpc.Output) *wire.Output {
	return &wire.Output{Header: headerOf(o.Header), Worker: string(o.Worker), Lines: o.Lines}
}

func leaveOf(l rpc.Leave) *wire.Leave { return &wire.Leave{Id: l.ID, Cause: errorOf(l.Cause)} }

// Workers.

func attemptOf(a schedule.Attempt) *wire.Attempt {
	return &wire.Attempt{Vertex: uint32(a.Vertex), Subtask: uint32(a.Index), Number: uint32(a.Number)}
}

func enumeratorOf(e rpc.Enumerator) *wire.Enumerator {
	return &wire.Enumerator{Operator: e.Operator[:], Number: uint32(e.Number)}
}

func deploymentOf(d *rpc.Deployment) *wire.Deployment {
	return &wire.Deployment{
		Header: headerOf(d.Header), Attempts: each(d.Attempts, attemptOf), Placement: placementOf(d.Placement),
		Enumerators: each(d.Enumerators, enumeratorOf),
	}
}

func placementOf(p rpc.Placement) *wire.Placement {
	return &wire.Placement{Workers: each(p.Workers, addressOf), Of: each(p.Of, rowOf[uint16]), Attempt: each(p.Attempt, rowOf[uint32])}
}

func addressOf(a rpc.WorkerAddress) *wire.WorkerAddress {
	return &wire.WorkerAddress{Id: string(a.ID), Host: a.Host, Data: a.Data}
}

func rowOf[T uint16 | uint32](row []T) *wire.Row {
	return &wire.Row{Values: each(row, func(v T) uint32 { return uint32(v) })}
}

func cancellationOf(c rpc.Cancellation) *wire.Cancellation {
	return &wire.Cancellation{Header: headerOf(c.Header), Attempts: each(c.Attempts, attemptOf), Enumerators: each(c.Enumerators, enumeratorOf)}
}

func inquiryOf(i rpc.Inquiry) *wire.Inquiry {
	return &wire.Inquiry{Header: headerOf(i.Header), Attempts: each(i.Attempts, attemptOf), Enumerators: each(i.Enumerators, enumeratorOf)}
}

func readyOf(r rpc.WorkerReady) *wire.WorkerReady {
	return &wire.WorkerReady{Header: headerOf(r.Header), Worker: string(r.Worker), Data: r.Data, Pid: uint32(r.Pid)}
}

func refusalOf(r rpc.WorkerRefusal) *wire.WorkerRefusal {
	return &wire.WorkerRefusal{Header: headerOf(r.Header), Worker: string(r.Worker), Difference: r.Difference}
}

func reportOf(r *rpc.Report) *wire.Report {
	return &wire.Report{
		Header: headerOf(r.Header), Attempt: attemptOf(r.Attempt), State: wire.State(r.State), Cause: errorOf(r.Cause), Metrics: metricsOf(r.Metrics),
	}
}

func metricsRequestOf(r rpc.MetricsRequest) *wire.MetricsRequest {
	return &wire.MetricsRequest{Header: headerOf(r.Header), Number: uint32(r.Number)}
}

func metricsReportOf(r rpc.MetricsReport) *wire.MetricsReport {
	return &wire.MetricsReport{Request: metricsRequestOf(r.MetricsRequest), Worker: string(r.Worker), Tasks: each(r.Tasks, attemptMetricsOf)}
}

func attemptMetricsOf(m rpc.AttemptMetrics) *wire.AttemptMetrics {
	return &wire.AttemptMetrics{Attempt: attemptOf(m.Attempt), Metrics: metricsOf(m.TaskMetrics)}
}

func metricsOf(m rpc.TaskMetrics) *wire.TaskMetrics {
	return &wire.TaskMetrics{
		Busy: int64(m.Busy), Idle: int64(m.Idle), BackPressured: int64(m.BackPressured),
		BytesIn: m.BytesIn, BytesOut: m.BytesOut, Operators: each(m.Operators, countersOf),
		Inputs: each(m.Inputs, inputTimeOf), Time: eventTimeOf(m.Time), Keys: keyShareOf(m.Keys),
	}
}

func inputTimeOf(t view.InputTime) *wire.InputTime {
	w := &wire.InputTime{Watermark: t.Watermark}
	if t.Held {
		w.HeldBy = &wire.Producer{Vertex: uint32(t.Vertex), Subtask: uint32(t.Subtask)}
	}
	return w
}

func eventTimeOf(t *view.EventTime) *wire.EventTime {
	if t == nil {
		return nil
	}
	return &wire.EventTime{
		Free: t.Free, NoSplit: t.NoSplit, Split: t.Split, Watermark: t.Watermark, Silent: t.Silent, Furthest: t.Furthest, IdleAfter: t.IdleAfter,
	}
}

func keyShareOf(k view.KeyShare) *wire.KeyShare {
	if k.Share == 0 {
		return nil
	}
	return &wire.KeyShare{Group: uint32(k.Group), Share: uint32(k.Share)}
}

func countersOf(c rpc.Counters) *wire.Counters {
	return &wire.Counters{RecordsIn: c.RecordsIn, RecordsOut: c.RecordsOut, LateRecords: c.LateRecords, Watermark: c.Watermark}
}

func splitRequestOf(r rpc.SplitRequest) *wire.SplitRequest {
	return &wire.SplitRequest{Header: headerOf(r.Header), Attempt: attemptOf(r.Attempt), Operator: r.Operator[:], Number: uint32(r.Number)}
}

func assignmentOf(a rpc.Assignment) *wire.Assignment {
	return &wire.Assignment{Request: splitRequestOf(a.SplitRequest), Splits: each(a.Splits, splitOf), Done: a.Done}
}

func splitOf(s connector.Split) *wire.Split { return &wire.Split{Id: s.ID, Position: s.Position} }

func sourceEndOf(e rpc.SourceEnd) *wire.SourceEnd {
	return &wire.SourceEnd{Header: headerOf(e.Header), Enumerator: enumeratorOf(e.Enumerator), Cause: errorOf(e.Cause)}
}
