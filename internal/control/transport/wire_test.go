package transport

import (
	"context"
	"net"
	"reflect"
	"slices"
	"testing"

	"google.golang.org/protobuf/proto"
	"pgregory.net/rapid"

	"github.com/flott-dev/flott/internal/control/rpc"
	"github.com/flott-dev/flott/internal/control/transport/wire"
	"github.com/flott-dev/flott/internal/control/view"
	"github.com/flott-dev/flott/internal/graph/execgraph"
	"github.com/flott-dev/flott/internal/hostile"
)

func TestStatesHaveTheSameNumbers(t *testing.T) {
	for s := execgraph.Created; s <= execgraph.Failed; s++ {
		if got := wire.State(s).String(); got != s.String() {
			t.Errorf("%d is %s, and %s on the wire", s, s, got)
		}
	}
	if len(wire.State_name) != int(execgraph.Failed)+1 {
		t.Errorf("%d states on the wire", len(wire.State_name))
	}
}

func TestAMalformedMessageIsVoid(t *testing.T) {
	job := &wire.Header{Job: make([]byte, 16)}
	for name, m := range map[string]*wire.FromWorker{
		"report before ready": {Kind: &wire.FromWorker_Report{Report: &wire.Report{Header: job}}},
		"no job":              {Kind: &wire.FromWorker_Ready{Ready: &wire.WorkerReady{}}},
		"pid":                 {Kind: &wire.FromWorker_Ready{Ready: &wire.WorkerReady{Header: job, Pid: 1 << 31}}},
	} {
		r := newRecorder()
		if err := (&visitingWorker{server: &Server{jobs: r}}).receive(m); err == nil || len(r.messages) > 0 {
			t.Errorf("%s: %v, and %d messages", name, err, len(r.messages))
		}
	}
	worker := rpc.Worker(newRecorder())
	v := &visitedJobManager{}
	v.w.Store(&worker)
	for name, p := range map[string]*wire.Placement{
		"no such worker": {Of: []*wire.Row{{Values: []uint32{0}}}},
		"large":          {Of: []*wire.Row{{Values: []uint32{1 << 16}}}, Workers: make([]*wire.WorkerAddress, 1<<16+1)},
	} {
		if err := v.receive(&wire.ToWorker{Kind: &wire.ToWorker_Deploy{Deploy: &wire.Deployment{Header: job, Placement: p}}}); err == nil {
			t.Errorf("%s: no error", name)
		}
	}
}

// FuzzMessages: any bytes give a message or an error, on either side of both kinds of connections.
func FuzzMessages(f *testing.F) {
	for _, m := range append(samples(), crowds()...) {
		data, err := proto.Marshal(m)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(data)
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		r := &recorder{make(chan heard, 8), make(chan rpc.Worker, 8), make(chan rpc.TaskManager, 8)}
		var tm rpc.TaskManager = r
		var w rpc.Worker = r
		known := &visitedResourceManager{}
		known.m.Store(&tm)
		ready := &visitedJobManager{}
		ready.w.Store(&w)
		s := &Server{resources: r, jobs: r, processes: newProcesses()}
		here, there := net.Pipe()
		defer func() { _, _ = here.Close(), there.Close() }()
		feed(t, data, &wire.FromTaskManager{}, (&visitingTaskManager{link: &toTaskManager{ctx: t.Context()}, server: s, conn: here}).receive)
		feed(t, data, &wire.FromTaskManager{}, (&visitingTaskManager{server: s, self: &remote{}}).receive)
		feed(t, data, &wire.FromWorker{}, (&visitingWorker{link: &toWorker{ctx: t.Context()}, server: s, conn: here}).receive)
		feed(t, data, &wire.FromWorker{}, (&visitingWorker{server: s, self: &remote{}}).receive)
		feed(t, data, &wire.ToTaskManager{}, known.receive)
		feed(t, data, &wire.ToWorker{}, ready.receive)
		feed(t, data, &wire.Part{}, func(m *wire.Part) error {
			var d decoder
			_, _ = d.environment(m.GetEnvironment()), each(m.GetLogs().GetFiles(), d.logFile)
			_, _ = d.figures(m.GetFigures()), d.error(m.GetFailed())
			return d.err
		})
	})
}

// price: an empty message in a list takes two bytes, and a struct in memory, as protobuf has it and as package rpc does.
var price = hostile.Price{PerByte: 160, Constant: 32 << 10}

// feed does what a stream does with bytes. That it returns, at its price, is all that is asked.
func feed[M proto.Message](t *testing.T, data []byte, m M, receive func(M) error) {
	t.Helper()
	price.Pay(t, len(data), func() {
		if proto.Unmarshal(data, m) == nil {
			_ = receive(m) // an error is as good as none
		}
	})
}

// crowds are messages with long lists of what takes few bytes.
func crowds() []proto.Message {
	const many = 5000
	return []proto.Message{
		&wire.FromTaskManager{Kind: &wire.FromTaskManager_Heartbeat{Heartbeat: &wire.Heartbeat{Workers: repeat(many, &wire.WorkerFigures{})}}},
		&wire.FromWorker{Kind: &wire.FromWorker_Report{Report: &wire.Report{Metrics: &wire.TaskMetrics{Operators: repeat(many, &wire.Counters{})}}}},
		&wire.FromWorker{Kind: &wire.FromWorker_ReportMetrics{ReportMetrics: &wire.MetricsReport{Tasks: repeat(many, &wire.AttemptMetrics{})}}},
		&wire.FromWorker{Kind: &wire.FromWorker_Assigned{Assigned: &wire.Assignment{Splits: repeat(many, &wire.Split{})}}},
		&wire.ToWorker{Kind: &wire.ToWorker_Deploy{Deploy: &wire.Deployment{
			Attempts: repeat(many, &wire.Attempt{}), Enumerators: repeat(many, &wire.Enumerator{}),
			Placement: &wire.Placement{Workers: repeat(many, &wire.WorkerAddress{}), Of: repeat(many, &wire.Row{}), Attempt: repeat(many, &wire.Row{})},
		}}},
		&wire.Part{Kind: &wire.Part_Logs{Logs: &wire.LogFiles{Files: repeat(many, &wire.LogFile{})}}},
	}
}

func repeat[M any](n int, m M) []M { return slices.Repeat([]M{m}, n) }

// samples is a message of each kind.
func samples() (all []proto.Message) {
	fill := rapid.Custom(func(t *rapid.T) []proto.Message {
		var report rpc.Report
		var deployment rpc.Deployment
		var assignment rpc.Assignment
		var heartbeat rpc.Heartbeat
		var registration rpc.Registration
		var start rpc.WorkerStart
		for _, v := range []any{&report, &deployment, &assignment, &heartbeat, &registration, &start} {
			sample(t, reflect.ValueOf(v).Elem())
		}
		return []proto.Message{
			&wire.FromWorker{Kind: &wire.FromWorker_Report{Report: reportOf(&report)}},
			&wire.FromWorker{Kind: &wire.FromWorker_Assigned{Assigned: assignmentOf(assignment)}},
			&wire.ToWorker{Kind: &wire.ToWorker_Deploy{Deploy: deploymentOf(&deployment)}},
			&wire.FromTaskManager{Kind: &wire.FromTaskManager_Heartbeat{Heartbeat: heartbeatOf(heartbeat)}},
			&wire.FromTaskManager{Kind: &wire.FromTaskManager_Register{Register: registrationOf(&registration)}},
			&wire.ToTaskManager{Kind: &wire.ToTaskManager_StartWorker{StartWorker: workerStartOf(&start)}},
			&wire.FromWorker{Kind: &wire.FromWorker_SourceEnded{SourceEnded: sourceEndOf(rpc.SourceEnd{Cause: context.Canceled})}},
			&wire.Part{Kind: &wire.Part_Environment{Environment: environmentOf(&environment)}},
			&wire.Part{Kind: &wire.Part_Logs{Logs: &wire.LogFiles{Files: each(files, logFileOf)}}},
			&wire.Part{Kind: &wire.Part_Failed{Failed: errorOf(view.ErrUnknownFile)}},
		}
	})
	return fill.Example(1)
}
