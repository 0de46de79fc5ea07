package jobmanager

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"testing"
	"time"

	"github.com/flott-dev/flott/internal/control/rpc"
	"github.com/flott-dev/flott/internal/decide/schedule"
	"github.com/flott-dev/flott/internal/graph/execgraph"
)

// An asker is somebody who waits for metrics.
type asker struct {
	all []OperatorMetrics
	err error
}

// asks asks for metrics and waits on a goroutine that ends with ctx or the answer.
func (b *bench) asks(ctx context.Context) *asker {
	a := &asker{err: errors.New("there is no answer")}
	go func() { a.all, a.err = b.master.Metrics(ctx) }()
	return a
}

// measures answers a request for metrics.
func (b *bench) measures(number int, tasks ...rpc.AttemptMetrics) {
	h := rpc.Header{Job: theJob, Token: theToken}
	b.ReportMetrics(rpc.MetricsReport{MetricsRequest: rpc.MetricsRequest{Header: h, Number: number}, Worker: rpc.Local, Tasks: tasks})
}

func metricsOf(vertex, subtask int, times rpc.Times, counters ...rpc.Counters) rpc.AttemptMetrics {
	return rpc.AttemptMetrics{Attempt: attempt(vertex, subtask), TaskMetrics: rpc.TaskMetrics{Times: times, Operators: counters}}
}

// wants wants to have got these metrics of the operators.
func (a *asker) wants(t *testing.T, want ...OperatorMetrics) {
	t.Helper()
	for v := range want {
		want[v].ID, want[v].Name = operatorID(v), "operator "+fmt.Sprint(v)
	}
	if a.err != nil || !slices.Equal(a.all, want) {
		t.Errorf("got  %+v, %v\nwant %+v", a.all, a.err, want)
	}
}

func TestMetricsOfARunningJob(t *testing.T) {
	onBench(t, submission(2, 1), func(b *bench) {
		b.hears("deploy 0/0 0/1 1/0")
		first := b.asks(b.Context())
		b.hears("measure #1")
		second := b.asks(b.Context())
		b.hears("measure #2")
		b.reports(0, 1, execgraph.Finished, nil, rpc.Counters{RecordsOut: 100, Watermark: math.MaxInt64})
		b.measures(1,
			metricsOf(0, 0, rpc.Times{Busy: 3 * time.Second, Idle: time.Second}, rpc.Counters{RecordsOut: 10, Watermark: 7}),
			metricsOf(0, 1, rpc.Times{}, rpc.Counters{RecordsOut: 99}), // was on its way when the task ended
			metricsOf(9, 9, rpc.Times{}, rpc.Counters{RecordsOut: 1}),  // of no attempt
		)
		b.hears()
		first.wants(t,
			OperatorMetrics{Times: rpc.Times{Busy: 3 * time.Second, Idle: time.Second}, Counters: rpc.Counters{RecordsOut: 110, Watermark: 7}},
			OperatorMetrics{Counters: rpc.Counters{Watermark: math.MinInt64}}, // nothing was heard of it yet
		)
		b.measures(1) // twice
		b.measures(2, metricsOf(1, 0, rpc.Times{BackPressured: time.Second}, rpc.Counters{RecordsIn: 5, LateRecords: 2, Watermark: 3}))
		b.hears()
		second.wants(t,
			OperatorMetrics{Times: rpc.Times{Busy: 3 * time.Second, Idle: time.Second}, Counters: rpc.Counters{RecordsOut: 110, Watermark: 7}},
			OperatorMetrics{Times: rpc.Times{BackPressured: time.Second}, Counters: rpc.Counters{RecordsIn: 5, LateRecords: 2, Watermark: 3}},
		)
		b.master.Cancel(context.Canceled)
		b.reports(0, 0, execgraph.Canceled, nil)
		b.reports(1, 0, execgraph.Canceled, nil)
		_, _ = b.ends(schedule.Canceled)
	})
}

// Who asks for metrics waits no longer than the job or the context lasts, whether there is an answer or not.
func TestMetricsWithoutAnswer(t *testing.T) {
	onBench(t, submission(1), func(b *bench) {
		b.hears("deploy 0/0")
		ctx, cancel := context.WithCancel(b.Context())
		impatient, patient := b.asks(ctx), b.asks(b.Context())
		b.hears("measure #1", "measure #2")
		cancel()
		b.hears()
		if !errors.Is(impatient.err, context.Canceled) {
			t.Errorf("got %v", impatient.err)
		}
		b.reports(0, 0, execgraph.Finished, nil, rpc.Counters{RecordsOut: 1})
		_, _ = b.ends(schedule.Finished)
		b.hears("cancel", "release")
		patient.wants(t, OperatorMetrics{Counters: rpc.Counters{RecordsOut: 1}})
		late := b.asks(b.Context())
		b.hears()
		late.wants(t, OperatorMetrics{Counters: rpc.Counters{RecordsOut: 1}})
	})
}

func TestFailureOfADetachedJobIsLogged(t *testing.T) {
	for _, detached := range []bool{false, true} {
		s := submission(1, 2)
		s.Settings.Detached = detached
		onBench(t, s, func(b *bench) {
			b.reports(1, 1, execgraph.Failed, errDisk)
			b.reports(0, 0, execgraph.Canceled, nil)
			b.reports(1, 0, execgraph.Canceled, nil)
			_, _ = b.ends(schedule.Failed)
			want := ""
			if detached {
				want = `level=ERROR msg="job failed" job=test job_id=` + theJob.String() + ` task="vertex 1" subtask=(2/2) attempt=0 error="disk full"` + "\n"
			}
			if got := withoutTime(b.log.String()); got != want {
				t.Errorf("detached = %t: the log says %q, want %q", detached, got, want)
			}
		})
	}
}
