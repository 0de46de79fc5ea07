package transport

import (
	"fmt"
	"math"
	"time"

	"github.com/flott-dev/flott/connector"
	"github.com/flott-dev/flott/internal/control/rpc"
	"github.com/flott-dev/flott/internal/control/transport/wire"
	"github.com/flott-dev/flott/internal/control/view"
	"github.com/flott-dev/flott/internal/decide/schedule"
	"github.com/flott-dev/flott/internal/graph/execgraph"
)

// A decoder reads messages from their wire form. What a message lacks is zero; what cannot be is the decoder's error, and the message is
// void.
type decoder struct{ err error }

func (d *decoder) fail(format string, args ...any) {
	if d.err == nil {
		d.err = fmt.Errorf("malformed message: "+format, args...)
	}
}

// take hands on a message that d has read, unless it is void.
func take[M any](d *decoder, m M, to func(M)) error {
	if d.err == nil {
		to(m)
	}
	return d.err
}

// exactly copies bytes of which the number is fixed.
func (d *decoder) exactly(dst, src []byte, what string) {
	if copy(dst, src) != len(dst) || len(src) != len(dst) {
		d.fail("%s of %d bytes, want %d", what, len(src), len(dst))
	}
}

// number reads a counter, which always fits the integers of a 32-bit machine, too.
func (d *decoder) number(n uint32) int {
	if n > math.MaxInt32 {
		d.fail("number %d is too large", n)
	}
	return int(n)
}

func (d *decoder) header(h *wire.Header) (v rpc.Header) {
	d.exactly(v.Job[:], h.GetJob(), "job id")
	v.Token = rpc.Token(h.GetToken())
	return v
}

// TaskManagers.

func (d *decoder) registration(r *wire.Registration) rpc.Registration {
	h := r.GetHardware()
	return rpc.Registration{
		ID: r.GetId(), Host: r.GetHost(), DataHost: r.GetDataHost(), DataPort: d.number(r.GetDataPort()), Address: r.GetAddress(),
		Slots: d.number(r.GetSlots()), Memory: r.GetMemory(), Version: r.GetVersion(),
		Hardware: rpc.Hardware{Cores: d.number(h.GetCores()), Memory: h.GetMemory(), Free: h.GetFree()},
	}
}

func (d *decoder) heartbeat(h *wire.Heartbeat) rpc.Heartbeat {
	return rpc.Heartbeat{
		ID: h.GetId(), Number: d.number(h.GetNumber()), Workers: each(h.GetWorkers(), d.workerFigures), Figures: d.figures(h.GetFigures()),
	}
}

func (d *decoder) workerFigures(w *wire.WorkerFigures) rpc.WorkerFigures {
	return rpc.WorkerFigures{Worker: rpc.WorkerID(w.GetWorker()), Figures: d.figures(w.GetFigures())}
}

func (d *decoder) figures(f *wire.Figures) rpc.Figures {
	return rpc.Figures{
		Pid: d.number(f.GetPid()), Resident: f.GetResident(), Limit: f.GetLimit(),
		HeapUsed: f.GetHeapUsed(), HeapCommitted: f.GetHeapCommitted(), HeapMax: f.GetHeapMax(),
		Goroutines: d.number(f.GetGoroutines()), Collections: f.GetCollections(), CollectionTime: time.Duration(f.GetCollectionTime()),
		CPU: time.Duration(f.GetCpu()), Load: f.GetLoad(),
	}
}

func (d *decoder) workerStart(s *wire.WorkerStart) rpc.WorkerStart {
	v := rpc.WorkerStart{
		Header: d.header(s.GetHeader()), Worker: rpc.WorkerID(s.GetWorker()), Args: s.GetArgs(), Env: s.GetEnv(),
		Memory: s.GetMemory(), Slots: d.number(s.GetSlots()), Graph: s.GetGraph(), Fingerprint: s.GetFingerprint(), Earlier: s.GetEarlier(),
		Secret: s.GetSecret(),
	}
	d.exactly(v.Blob[:], s.GetBlob(), "hash of an executable")
	return v
}

func (d *decoder) workerStop(s *wire.WorkerStop) rpc.WorkerStop {
	return rpc.WorkerStop{Header: d.header(s.GetHeader()), Worker: rpc.WorkerID(s.GetWorker())}
}

func (d *decoder) workerExit(e *wire.WorkerExit) rpc.WorkerExit {
	return rpc.WorkerExit{Header: d.header(e.GetHeader()), Worker: rpc.WorkerID(e.GetWorker()), Cause: d.error(e.GetCause())}
}

func (d *decoder) output(o *wire.Output) rpc.Output {
	return rpc.Output{Header: d.header(o.GetHeader()), Worker: rpc.WorkerID(o.GetWorker()), Lines: o.GetLines()}
}

func (d *decoder) leave(l *wire.Leave) rpc.Leave {
	return rpc.Leave{ID: l.GetId(), Cause: d.error(l.GetCause())}
}

// Workers.

func (d *decoder) attempt(a *wire.Attempt) schedule.Attempt {
	return schedule.Attempt{
		Subtask: execgraph.Subtask{Vertex: d.number(a.GetVertex()), Index: d.number(a.GetSubtask())}, Number: d.number(a.GetNumber()),
	}
}

func (d *decoder) enumerator(e *wire.Enumerator) (v rpc.Enumerator) {
	d.exactly(v.Operator[:], e.GetOperator(), "operator id")
	v.Number = d.number(e.GetNumber())
	return v
}

func (d *decoder) deployment(m *wire.Deployment) rpc.Deployment {
	return rpc.Deployment{
		Header: d.header(m.GetHeader()), Attempts: each(m.GetAttempts(), d.attempt), Placement: d.placement(m.GetPlacement()),
		Enumerators: each(m.GetEnumerators(), d.enumerator),
	}
}

func (d *decoder) placement(p *wire.Placement) rpc.Placement {
	return rpc.Placement{
		Workers: each(p.GetWorkers(), d.address),
		Of:      each(p.GetOf(), func(row *wire.Row) []uint16 { return d.indexes(row, len(p.GetWorkers())) }),
		Attempt: each(p.GetAttempt(), (*wire.Row).GetValues),
	}
}

func (d *decoder) indexes(row *wire.Row, workers int) []uint16 {
	return each(row.GetValues(), func(v uint32) uint16 {
		if v > math.MaxUint16 || int(v) >= workers {
			d.fail("worker %d of %d", v, workers)
		}
		return uint16(v)
	})
}

func (d *decoder) address(a *wire.WorkerAddress) rpc.WorkerAddress {
	return rpc.WorkerAddress{ID: rpc.WorkerID(a.GetId()), Host: a.GetHost(), Data: a.GetData()}
}

func (d *decoder) cancellation(c *wire.Cancellation) rpc.Cancellation {
	return rpc.Cancellation{
		Header: d.header(c.GetHeader()), Attempts: each(c.GetAttempts(), d.attempt), Enumerators: each(c.GetEnumerators(), d.enumerator),
	}
}

func (d *decoder) inquiry(i *wire.Inquiry) rpc.Inquiry {
	return rpc.Inquiry{
		Header: d.header(i.GetHeader()), Attempts: each(i.GetAttempts(), d.attempt), Enumerators: each(i.GetEnumerators(), d.enumerator),
	}
}

func (d *decoder) ready(r *wire.WorkerReady) rpc.WorkerReady {
	return rpc.WorkerReady{
		Header: d.header(r.GetHeader()), Worker: rpc.WorkerID(r.GetWorker()), Data: r.GetData(), Pid: d.number(r.GetPid()),
	}
}

func (d *decoder) refusal(r *wire.WorkerRefusal) rpc.WorkerRefusal {
	return rpc.WorkerRefusal{Header: d.header(r.GetHeader()), Worker: rpc.WorkerID(r.GetWorker()), Difference: r.GetDifference()}
}

func (d *decoder) report(r *wire.Report) rpc.Report {
	return rpc.Report{
		Header: d.header(r.GetHeader()), Attempt: d.attempt(r.GetAttempt()), State: d.state(r.GetState()), Cause: d.error(r.GetCause()),
		Metrics: d.metrics(r.GetMetrics()),
	}
}

// state reads a state. Both kinds have the same numbers.
func (d *decoder) state(s wire.State) execgraph.State {
	if _, ok := wire.State_name[int32(s)]; !ok {
		d.fail("state %d", s)
	}
	return execgraph.State(s)
}

func (d *decoder) metricsRequest(r *wire.MetricsRequest) rpc.MetricsRequest {
	return rpc.MetricsRequest{Header: d.header(r.GetHeader()), Number: d.number(r.GetNumber())}
}

func (d *decoder) metricsReport(r *wire.MetricsReport) rpc.MetricsReport {
	return rpc.MetricsReport{
		MetricsRequest: d.metricsRequest(r.GetRequest()), Worker: rpc.WorkerID(r.GetWorker()), Tasks: each(r.GetTasks(), d.attemptMetrics),
	}
}

func (d *decoder) attemptMetrics(m *wire.AttemptMetrics) rpc.AttemptMetrics {
	return rpc.AttemptMetrics{Attempt: d.attempt(m.GetAttempt()), TaskMetrics: d.metrics(m.GetMetrics())}
}

func (d *decoder) metrics(m *wire.TaskMetrics) rpc.TaskMetrics {
	return rpc.TaskMetrics{
		Times: rpc.Times{
			Busy: time.Duration(m.GetBusy()), Idle: time.Duration(m.GetIdle()), BackPressured: time.Duration(m.GetBackPressured()),
		},
		BytesIn: m.GetBytesIn(), BytesOut: m.GetBytesOut(), Operators: each(m.GetOperators(), d.counters),
		Inputs: each(m.GetInputs(), d.inputTime), Time: d.eventTime(m.GetTime()),
		Keys: view.KeyShare{Group: d.number(m.GetKeys().GetGroup()), Share: d.number(m.GetKeys().GetShare())},
	}
}

func (d *decoder) inputTime(t *wire.InputTime) view.InputTime {
	by := t.GetHeldBy()
	return view.InputTime{Watermark: t.GetWatermark(), Held: by != nil, Vertex: d.number(by.GetVertex()), Subtask: d.number(by.GetSubtask())}
}

func (d *decoder) eventTime(t *wire.EventTime) *view.EventTime {
	if t == nil {
		return nil
	}
	return &view.EventTime{
		Free: t.GetFree(), NoSplit: t.GetNoSplit(), Split: t.GetSplit(), Watermark: t.GetWatermark(),
		Silent: t.GetSilent(), Furthest: t.GetFurthest(), IdleAfter: t.GetIdleAfter(),
	}
}

func (d *decoder) counters(c *wire.Counters) rpc.Counters {
	return rpc.Counters{
		RecordsIn: c.GetRecordsIn(), RecordsOut: c.GetRecordsOut(), LateRecords: c.GetLateRecords(), Watermark: c.GetWatermark(),
	}
}

func (d *decoder) splitRequest(r *wire.SplitRequest) rpc.SplitRequest {
	v := rpc.SplitRequest{Header: d.header(r.GetHeader()), Attempt: d.attempt(r.GetAttempt()), Number: d.number(r.GetNumber())}
	d.exactly(v.Operator[:], r.GetOperator(), "operator id")
	return v
}

func (d *decoder) assignment(a *wire.Assignment) rpc.Assignment {
	return rpc.Assignment{SplitRequest: d.splitRequest(a.GetRequest()), Splits: each(a.GetSplits(), d.split), Done: a.GetDone()}
}

func (d *decoder) split(s *wire.Split) connector.Split {
	return connector.Split{ID: s.GetId(), Position: s.GetPosition()}
}

func (d *decoder) sourceEnd(e *wire.SourceEnd) rpc.SourceEnd {
	return rpc.SourceEnd{Header: d.header(e.GetHeader()), Enumerator: d.enumerator(e.GetEnumerator()), Cause: d.error(e.GetCause())}
}
