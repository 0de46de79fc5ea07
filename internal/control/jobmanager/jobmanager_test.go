package jobmanager

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"go.uber.org/goleak"

	"github.com/flott-dev/flott/internal/control/rpc"
	"github.com/flott-dev/flott/internal/control/watch"
	"github.com/flott-dev/flott/internal/decide/schedule"
	"github.com/flott-dev/flott/internal/graph/execgraph"
	"github.com/flott-dev/flott/internal/graph/jobgraph"
	"github.com/flott-dev/flott/internal/id"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

var (
	theJob   = id.Job{1}
	theToken = rpc.Token(7)
	errDisk  = errors.New("disk full")
)

// operatorID is that of the operators of the test's vertices.
func operatorID(vertex int) id.Operator { return id.Operator{byte(vertex + 1)} }

// submission is a job with one operator a vertex, with the parallelisms given.
func submission(parallelism ...int) Submission {
	job := &jobgraph.Graph{ID: theJob, Name: "test", SlotSharingGroups: []jobgraph.SlotSharingGroup{{Name: "default"}}}
	for v := range parallelism {
		job.Vertices = append(job.Vertices, jobgraph.Vertex{
			Name: fmt.Sprintf("vertex %d", v), Chain: []jobgraph.Operator{{
				ID: operatorID(v), Name: fmt.Sprintf("operator %d", v), Inputs: make([]jobgraph.OperatorInput, min(v, 1)),
			}},
			CoLocationGroup: -1,
		})
	}
	s := Submission{Graph: &execgraph.Graph{Job: job}}
	for v, p := range parallelism {
		s.Graph.Vertices = append(s.Graph.Vertices, execgraph.Vertex{
			Job: &job.Vertices[v], Parallelism: p, Executions: make([]execgraph.Execution, p),
		})
	}
	return s
}

func attempt(vertex, subtask int) schedule.Attempt {
	return schedule.Attempt{Subtask: execgraph.Subtask{Vertex: vertex, Index: subtask}}
}

// A recorder is a worker that only notes what it is told.
type recorder struct{ heard chan string }

func (r *recorder) note(format string, args ...any) { r.heard <- fmt.Sprintf(format, args...) }

func (r *recorder) Deploy(d rpc.Deployment) {
	var b strings.Builder
	for _, a := range d.Attempts {
		fmt.Fprintf(&b, " %d/%d", a.Vertex, a.Index)
	}
	r.note("deploy%s", b.String())
}

func (r *recorder) Cancel(c rpc.Cancellation) {
	var b strings.Builder
	for _, a := range c.Attempts {
		fmt.Fprintf(&b, " %d/%d", a.Vertex, a.Index)
	}
	r.note("cancel%s", b.String())
}

func (r *recorder) NextSplits(q rpc.SplitRequest) {
	r.note("next %d/%d #%d", q.Attempt.Vertex, q.Attempt.Index, q.Number)
}

func (r *recorder) Inquire(rpc.Inquiry) { r.note("inquire") }

func (r *recorder) Measure(q rpc.MetricsRequest) { r.note("measure #%d", q.Number) }

func (r *recorder) Release(rpc.Header) { r.note("release") }

func (r *recorder) Assign(a rpc.Assignment) {
	var b strings.Builder
	for _, s := range a.Splits {
		b.WriteString(" " + s.ID)
	}
	if a.Done {
		b.WriteString(" done")
	}
	r.note("assign %d/%d #%d:%s", a.Attempt.Vertex, a.Attempt.Index, a.Number, b.String())
}

// A bench is one job under test, with a recorder for its worker, inside a synctest bubble.
type bench struct {
	*testing.T
	*Dispatcher
	*recorder
	master *JobMaster
	log    strings.Builder // to be read when all is quiet
}

func onBench(t *testing.T, s Submission, test func(b *bench)) {
	synctest.Test(t, func(t *testing.T) {
		b := &bench{T: t, recorder: &recorder{make(chan string, 100)}}
		b.Dispatcher = New(Options{Token: theToken, Logger: slog.New(slog.NewTextHandler(&b.log, nil))})
		s.Worker = b.recorder
		var err error
		if b.master, err = b.Submit(s); err != nil {
			t.Fatal(err)
		}
		synctest.Wait() // all is deployed
		test(b)
	})
}

// hears waits until everything is quiet, and wants to have heard just this.
func (b *bench) hears(want ...string) {
	b.Helper()
	synctest.Wait()
	var got []string
	for len(b.heard) > 0 {
		got = append(got, <-b.heard)
	}
	if !slices.Equal(got, want) {
		b.Fatalf("the worker heard %q, want %q", got, want)
	}
}

func (b *bench) reports(vertex, subtask int, s execgraph.State, cause error, counters ...rpc.Counters) {
	b.Report(rpc.Report{
		Header:  rpc.Header{Job: theJob, Token: theToken},
		Attempt: attempt(vertex, subtask), State: s, Cause: cause, Metrics: rpc.TaskMetrics{Operators: counters},
	})
}

// sourceEnds reports that the only enumerator has ended.
func (b *bench) sourceEnds(cause error) {
	b.SourceEnded(rpc.SourceEnd{Header: rpc.Header{Job: theJob, Token: theToken}, Enumerator: rpc.Enumerator{Operator: operatorID(0)}, Cause: cause})
}

// ends wants the job to be over.
func (b *bench) ends(state schedule.State) (Result, error) {
	b.Helper()
	b.sourceEnds(nil)
	synctest.Wait()
	select {
	case <-b.master.Done():
	default:
		b.Fatal("the job is not over")
	}
	r, err := b.master.Result()
	if r.State != state {
		b.Fatalf("the job is %s, want %s", r.State, state)
	}
	return r, err
}

// withoutTime is a log without the first column.
func withoutTime(log string) string {
	var b strings.Builder
	for line := range strings.Lines(log) {
		_, rest, _ := strings.Cut(line, " ")
		b.WriteString(rest)
	}
	return b.String()
}

func TestFinish(t *testing.T) {
	onBench(t, submission(1, 2), func(b *bench) {
		b.hears("deploy 0/0 1/0 1/1")
		time.Sleep(time.Second)
		b.reports(0, 0, execgraph.Finished, nil, rpc.Counters{RecordsOut: 10})
		b.reports(1, 0, execgraph.Finished, nil, rpc.Counters{RecordsIn: 4, LateRecords: 1})
		b.reports(1, 0, execgraph.Finished, nil, rpc.Counters{RecordsIn: 4, LateRecords: 1})
		b.reports(1, 1, execgraph.Finished, nil, rpc.Counters{RecordsIn: 6, LateRecords: 1})
		r, err := b.ends(schedule.Finished)
		if err != nil {
			t.Errorf("a finished job has the error %v", err)
		}
		want := []OperatorMetrics{
			{ID: operatorID(0), Name: "operator 0", Counters: rpc.Counters{RecordsOut: 10}},
			{ID: operatorID(1), Name: "operator 1", Counters: rpc.Counters{RecordsIn: 10, LateRecords: 2}},
		}
		if !slices.Equal(r.Operators, want) {
			t.Errorf("counted %v, want %v", r.Operators, want)
		}
		if r.RunTime != time.Second || r.Job != theJob || r.Name != "test" {
			t.Errorf("the result is %+v", r)
		}
		b.hears("cancel", "release")
	})
}

func TestFirstFailureIsTheCause(t *testing.T) {
	onBench(t, submission(1, 2), func(b *bench) {
		b.hears("deploy 0/0 1/0 1/1")
		b.reports(1, 1, execgraph.Failed, errDisk, rpc.Counters{RecordsIn: 3})
		b.hears("cancel 0/0 1/0")
		b.reports(1, 0, execgraph.Failed, errors.New("a later one"))
		b.reports(0, 0, execgraph.Canceled, nil)
		r, err := b.ends(schedule.Failed)
		if !errors.Is(err, errDisk) || strings.Contains(err.Error(), "later") {
			t.Errorf("the error is %v", err)
		}
		if r.Operators[1].RecordsIn != 3 {
			t.Errorf("counted %v", r.Operators)
		}
	})
}

func TestCancel(t *testing.T) {
	onBench(t, submission(1, 1), func(b *bench) {
		b.hears("deploy 0/0 1/0")
		b.master.Cancel(context.Canceled)
		b.master.Cancel(errors.New("a second reason"))
		b.hears("cancel 0/0 1/0")
		b.reports(0, 0, execgraph.Canceled, nil, rpc.Counters{RecordsOut: 5})
		b.reports(1, 0, execgraph.Finished, nil)
		r, err := b.ends(schedule.Canceled)
		if !errors.Is(err, context.Canceled) || strings.Contains(err.Error(), "second") {
			t.Errorf("the error is %v", err)
		}
		if r.Operators[0].RecordsOut != 5 {
			t.Errorf("counted %v", r.Operators)
		}
		b.master.Cancel(context.Canceled) // of a job that is over
	})
}

func TestStuckTaskIsInTheError(t *testing.T) {
	onBench(t, submission(1, 1), func(b *bench) {
		b.hears("deploy 0/0 1/0")
		b.master.Cancel(context.Canceled)
		b.hears("cancel 0/0 1/0")
		b.reports(0, 0, execgraph.Failed, &watch.Stuck{Who: "vertex 0", Stack: "main.f"})
		b.reports(1, 0, execgraph.Canceled, nil)
		_, err := b.ends(schedule.Canceled)
		var stuck *watch.Stuck
		if !errors.Is(err, context.Canceled) || !errors.As(err, &stuck) || stuck.Stack != "main.f" {
			t.Errorf("the error is %v", err)
		}
	})
}

func TestErrorShowsFewStacks(t *testing.T) {
	const hang = 2 * mostStuck
	onBench(t, submission(hang), func(b *bench) {
		b.master.Cancel(context.Canceled)
		for i := range hang {
			b.reports(0, i, execgraph.Failed, &watch.Stuck{Who: "vertex 0", Stack: fmt.Sprintf("main.f(%d)", i)})
		}
		_, err := b.ends(schedule.Canceled)
		if n := strings.Count(err.Error(), "main.f("); n != mostStuck || !strings.Contains(err.Error(), "5 more do not return") {
			t.Errorf("the error has %d stacks: %v", n, err)
		}
		if n := strings.Count(b.log.String(), `who="vertex 0"`); n != hang || strings.Contains(b.log.String(), "main.f(") {
			t.Errorf("the log has %d of %d, or stacks: %s", n, hang, b.log.String())
		}
	})
}

// Perhaps nobody looks at the error of a detached job.
func TestLogOfADetachedJobShowsStacks(t *testing.T) {
	s := submission(1)
	s.Settings.Detached = true
	onBench(t, s, func(b *bench) {
		b.master.Cancel(context.Canceled)
		b.reports(0, 0, execgraph.Failed, &watch.Stuck{Who: "vertex 0", Stack: "main.f()"})
		if _, err := b.ends(schedule.Canceled); !strings.Contains(b.log.String(), "main.f()") {
			t.Errorf("the log says %q, the error is %v", b.log.String(), err)
		}
	})
}

func TestReportsOfNoAttemptAreNotCounted(t *testing.T) {
	onBench(t, submission(1), func(b *bench) {
		b.reports(0, 0, execgraph.Running, nil)
		b.reports(7, 0, execgraph.Finished, nil, rpc.Counters{RecordsIn: 1})
		b.reports(0, 7, execgraph.Finished, nil, rpc.Counters{RecordsIn: 1})
		stale := attempt(0, 0)
		stale.Number = 3
		b.Report(rpc.Report{
			Header: rpc.Header{Job: theJob, Token: theToken}, Attempt: stale, State: execgraph.Failed,
			Metrics: rpc.TaskMetrics{Operators: []rpc.Counters{{RecordsIn: 1}}},
		})
		b.hears("deploy 0/0")
		b.master.Cancel(context.Canceled)
		b.reports(0, 0, execgraph.Canceled, nil)
		if r, _ := b.ends(schedule.Canceled); r.Operators[0].RecordsIn != 0 {
			t.Errorf("counted %v", r.Operators)
		}
	})
}

func TestFence(t *testing.T) {
	onBench(t, submission(1), func(b *bench) {
		b.hears("deploy 0/0")
		for _, h := range []rpc.Header{{Job: theJob, Token: theToken - 1}, {Job: theJob, Token: theToken + 1}, {Job: id.Job{2}, Token: theToken}} {
			b.Report(rpc.Report{Header: h, Attempt: attempt(0, 0), State: execgraph.Failed, Cause: errDisk})
			b.RequestSplits(rpc.SplitRequest{Header: h, Attempt: attempt(0, 0), Operator: operatorID(0), Number: 1})
		}
		b.hears()
		b.reports(0, 0, execgraph.Finished, nil)
		if _, err := b.ends(schedule.Finished); err != nil {
			t.Error(err)
		}
	})
}

func TestSubmitTwiceIsOneJob(t *testing.T) {
	onBench(t, submission(1), func(b *bench) {
		again, err := b.Submit(submission(1))
		if err != nil || again != b.master {
			t.Errorf("the second submission is %p, %v; the first was %p", again, err, b.master)
		}
		b.hears("deploy 0/0")
		b.reports(0, 0, execgraph.Finished, nil)
		if _, err := b.ends(schedule.Finished); err != nil {
			t.Error(err)
		}
		if again, err := b.Submit(submission(1)); err != nil || again != b.master {
			t.Errorf("a submission after the end is %p, %v; the first was %p", again, err, b.master)
		}
	})
}
