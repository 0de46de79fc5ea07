package worker

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

	"github.com/flott-dev/flott/connector"
	"github.com/flott-dev/flott/connector/callback"
	"github.com/flott-dev/flott/internal/control/rpc"
	"github.com/flott-dev/flott/internal/control/watch"
	"github.com/flott-dev/flott/internal/data/operator"
	"github.com/flott-dev/flott/internal/data/shuffle"
	"github.com/flott-dev/flott/internal/decide/schedule"
	"github.com/flott-dev/flott/internal/graph/execgraph"
	"github.com/flott-dev/flott/internal/graph/jobgraph"
	"github.com/flott-dev/flott/internal/graph/program"
	"github.com/flott-dev/flott/internal/graph/streamgraph"
	"github.com/flott-dev/flott/internal/id"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

var theJob = id.Job{1}

// A recorder is a JobManager that only notes what it is told.
type recorder struct {
	rpc.JobManager // what is not noted must not be said
	heard          chan string
}

func (r *recorder) Assigned(a rpc.Assignment) {
	text := fmt.Sprintf("%d/%d gets #%d:", a.Attempt.Vertex, a.Attempt.Index, a.Number)
	for _, s := range a.Splits {
		text += " " + s.ID
	}
	if a.Done {
		text += " done"
	}
	r.heard <- text
}

func (r *recorder) SourceEnded(e rpc.SourceEnd) {
	text := fmt.Sprintf("source ended #%d", e.Enumerator.Number)
	var stuck *watch.Stuck
	switch {
	case errors.As(e.Cause, &stuck):
		text += ": stuck in " + stuck.Stack
	case e.Cause != nil:
		text += ": " + e.Cause.Error()
	}
	r.heard <- text
}

func (r *recorder) Report(m rpc.Report) {
	text := fmt.Sprintf("%d/%d %s", m.Attempt.Vertex, m.Attempt.Index, m.State)
	var stuck *watch.Stuck
	switch {
	case errors.As(m.Cause, &stuck):
		text += ": stuck"
	case m.Cause != nil:
		text += ": " + m.Cause.Error()
	}
	for _, o := range m.Metrics.Operators {
		text += fmt.Sprintf(" %d>%d", o.RecordsIn, o.RecordsOut)
	}
	r.heard <- text
}

func (r *recorder) ReportMetrics(m rpc.MetricsReport) {
	text := fmt.Sprintf("#%d:", m.Number)
	for _, a := range m.Tasks {
		text += fmt.Sprintf(" %d/%d", a.Attempt.Vertex, a.Attempt.Index)
		for _, o := range a.Operators {
			text += fmt.Sprintf(" %d>%d", o.RecordsIn, o.RecordsOut)
		}
		text += fmt.Sprintf(" %v idle", a.Idle)
	}
	r.heard <- text
}

func (r *recorder) RequestSplits(m rpc.SplitRequest) {
	r.heard <- fmt.Sprintf("%d/%d asks #%d", m.Attempt.Vertex, m.Attempt.Index, m.Number)
}

// A splitSource is a source whose splits are records, and whose enumerator is a drawer.
type splitSource struct {
	*drawer
	left []connector.Split
}

func (s *splitSource) Bounded() bool { return true }

func (s *splitSource) Reader(context.Context, func()) (connector.Reader[string], error) {
	return s, nil
}

func (s *splitSource) Assign(splits []connector.Split) error {
	s.left = append(s.left, splits...)
	return nil
}

func (s *splitSource) Read(b *connector.Batch[string]) (connector.Status, error) {
	b.V, b.Split, b.End = append(b.V, s.left[0].ID), s.left[0].ID, true
	if s.left = s.left[1:]; len(s.left) > 0 {
		return connector.More, nil
	}
	return connector.Done, nil
}

func (s *splitSource) Snapshot() ([]connector.Split, error) { return s.left, nil }
func (s *splitSource) Close() error                         { return nil }

// A bench is a worker with a job whose tasks read a splitSource and call each, inside a synctest bubble.
type bench struct {
	*testing.T
	*Worker
	*recorder
	source id.Operator
	log    strings.Builder // to be read when all is quiet
}

func onBench(t *testing.T, each func(string) error, test func(b *bench)) {
	onBenchWith(t, &drawer{}, each, test)
}

func onBenchWith(t *testing.T, d *drawer, each func(string) error, test func(b *bench)) {
	synctest.Test(t, func(t *testing.T) {
		exec, binding := compile(t, d, each)
		exec.Job.ID = theJob
		b := &bench{T: t, recorder: &recorder{heard: make(chan string, 100)}, source: exec.Vertices[0].Job.Chain[0].ID}
		b.Worker = New(b.recorder, exec, binding, Options{Logger: slog.New(slog.NewTextHandler(&b.log, nil))})
		test(b)
	})
}

func compile(t *testing.T, d *drawer, each func(string) error) (*execgraph.Graph, *jobgraph.Binding) {
	p := program.New(program.Defaults())
	from := p.Source("source", true, shuffle.KindOf[string]())
	from.Operator = sourceOperator{d, operator.Source[string](&splitSource{drawer: d}, nil)}
	from.SetParallelism(d.readers())
	sink := p.LegacySink(from, "sink")
	sink.Operator = operator.Sink(callback.ForEach(each))
	sink.SetParallelism(d.readers())
	stream, err := streamgraph.From(p)
	check(t, err)
	job, err := jobgraph.From(stream)
	check(t, err)
	binding, err := jobgraph.Bind(stream, job)
	check(t, err)
	exec, err := execgraph.From(job)
	check(t, err)
	return exec, binding
}

// sourceOperator is a source as the typed API makes it: it knows its enumerator and runs its readers.
type sourceOperator struct {
	Enumerable
	operator.Constructor
}

func check(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func header(token rpc.Token) rpc.Header { return rpc.Header{Job: theJob, Token: token} }

func (b *bench) deploy(token rpc.Token) {
	b.Deploy(rpc.Deployment{Header: header(token), Attempts: []schedule.Attempt{{}}})
}

func (b *bench) cancel(token rpc.Token) {
	b.Cancel(rpc.Cancellation{Header: header(token), Attempts: []schedule.Attempt{{}}})
}

func (b *bench) assign(token rpc.Token, number int, done bool, ids ...string) {
	a := rpc.Assignment{SplitRequest: rpc.SplitRequest{Header: header(token), Operator: b.source, Number: number}, Done: done}
	for _, id := range ids {
		a.Splits = append(a.Splits, connector.Split{ID: id})
	}
	b.Assign(a)
}

// hears waits until everything is quiet, and wants the JobManager to have heard just this.
func (b *bench) hears(want ...string) {
	b.Helper()
	synctest.Wait()
	var got []string
	for len(b.heard) > 0 {
		got = append(got, <-b.heard)
	}
	if !slices.Equal(got, want) {
		b.Fatalf("the JobManager heard %q, want %q", got, want)
	}
}

func nothing(string) error { return nil }

func TestTaskReportsAndAsks(t *testing.T) {
	onBench(t, nothing, func(b *bench) {
		b.deploy(1)
		b.hears("0/0 INITIALIZING", "0/0 RUNNING", "0/0 asks #1")
		b.assign(1, 1, false, "a", "b")
		b.hears("0/0 asks #2")
		b.assign(1, 2, true)
		b.hears("0/0 FINISHED 0>2 2>0")
		b.cancel(1)
		b.Release(header(1))
		time.Sleep(2 * watch.Patience)
		b.hears()
	})
}

func TestMetricsWhileTasksRun(t *testing.T) {
	onBench(t, nothing, func(b *bench) {
		measure := func(token rpc.Token, number int) {
			b.Measure(rpc.MetricsRequest{Header: header(token), Number: number})
		}
		b.deploy(2)
		b.hears("0/0 INITIALIZING", "0/0 RUNNING", "0/0 asks #1")
		b.assign(2, 1, false, "a", "b")
		b.hears("0/0 asks #2")
		time.Sleep(3 * time.Second)
		measure(2, 7)
		b.hears("#7: 0/0 0>2 2>0 3s idle")
		measure(1, 8) // of a leader that was replaced
		b.hears()
		b.assign(2, 2, true)
		b.hears("0/0 FINISHED 0>2 2>0")
		measure(2, 9)
		b.hears("#9:")
		b.Release(header(2))
		measure(2, 10)
		b.hears()
	})
}

func TestMessagesThatComeTwice(t *testing.T) {
	onBench(t, nothing, func(b *bench) {
		b.deploy(1)
		b.deploy(1)
		b.hears("0/0 INITIALIZING", "0/0 RUNNING", "0/0 asks #1")
		b.assign(1, 1, false, "a")
		b.assign(1, 1, false, "a")
		b.hears("0/0 asks #2")
		b.assign(1, 1, false, "a")
		b.assign(1, 2, true, "b")
		b.hears("0/0 FINISHED 0>2 2>0")
		b.assign(1, 2, true, "b")
		b.deploy(1)
		b.hears()
	})
}

func TestMessagesOfAReplacedLeader(t *testing.T) {
	onBench(t, nothing, func(b *bench) {
		b.deploy(2)
		b.hears("0/0 INITIALIZING", "0/0 RUNNING", "0/0 asks #1")
		b.cancel(1)
		b.assign(1, 1, true)
		b.Release(header(1))
		b.hears()
		b.cancel(3)
		b.hears("0/0 CANCELED 0>0 0>0")
	})
}

func TestMessagesAboutNothing(t *testing.T) {
	onBench(t, nothing, func(b *bench) {
		b.cancel(1)
		b.assign(1, 1, true, "a")
		b.deploy(1)
		b.hears("0/0 INITIALIZING", "0/0 RUNNING", "0/0 asks #1")
		b.Assign(rpc.Assignment{SplitRequest: rpc.SplitRequest{Header: header(1), Number: 1}, Done: true}) // for no source
		b.hears()
		b.cancel(1)
		b.hears("0/0 CANCELED 0>0 0>0")
		b.Release(header(1))
		b.deploy(1)
		b.hears()
	})
}

func TestUserErrorIsReported(t *testing.T) {
	onBench(t, func(v string) error { return errors.New(v) }, func(b *bench) {
		b.deploy(1)
		b.hears("0/0 INITIALIZING", "0/0 RUNNING", "0/0 asks #1")
		b.assign(1, 1, false, "bad")
		b.hears(`0/0 FAILED: operator "Sink: sink" (1/1): bad 0>1 1>0`)
	})
}

func TestPlanThatDoesNotFitTheProgramIsReported(t *testing.T) {
	onBench(t, nothing, func(b *bench) {
		b.graph.Vertices[0].Job.Chain[1].ID = id.Operator{9}
		b.deploy(1)
		synctest.Wait()
		if heard := <-b.heard; len(b.heard) != 0 || heard[:11] != "0/0 FAILED:" {
			t.Errorf("the JobManager heard %q and %d more", heard, len(b.heard))
		}
	})
}

func TestInquiriesAreAnswered(t *testing.T) {
	onBench(t, nothing, func(b *bench) {
		ask := func(number int) {
			b.Inquire(rpc.Inquiry{Header: header(1), Attempts: []schedule.Attempt{{Number: number}}})
		}
		b.deploy(1)
		b.hears("0/0 INITIALIZING", "0/0 RUNNING", "0/0 asks #1")
		ask(0)
		b.hears("0/0 RUNNING", "0/0 asks #1")
		b.assign(1, 1, true)
		b.hears("0/0 FINISHED 0>0 0>0")
		ask(0)
		b.hears("0/0 FINISHED 0>0 0>0")
	})
}

// What the JobManager was told is not known must not start when its deployment comes late.
func TestUnknownAttemptNeverRuns(t *testing.T) {
	onBench(t, nothing, func(b *bench) {
		b.Inquire(rpc.Inquiry{Header: header(1), Attempts: []schedule.Attempt{{}}, Enumerators: []rpc.Enumerator{{Operator: b.source}}})
		b.hears("0/0 FAILED: "+errUnknownTask.Error(), "source ended #0: "+errUnknownEnumerator.Error())
		b.Deploy(rpc.Deployment{Header: header(1), Attempts: []schedule.Attempt{{}}, Enumerators: []rpc.Enumerator{{Operator: b.source}}})
		b.hears()
	})
}

func TestReleaseEndsWhatIsLeft(t *testing.T) {
	onBench(t, nothing, func(b *bench) {
		b.Deploy(rpc.Deployment{Header: header(1), Attempts: []schedule.Attempt{{}}, Enumerators: []rpc.Enumerator{{Operator: b.source}}})
		b.hears("0/0 INITIALIZING", "0/0 RUNNING", "0/0 asks #1")
		b.Release(header(1))
		synctest.Wait()
		got := []string{<-b.heard, <-b.heard}
		slices.Sort(got)
		if want := []string{"0/0 CANCELED 0>0 0>0", "source ended #0"}; !slices.Equal(got, want) {
			t.Errorf("the JobManager heard %q, want %q", got, want)
		}
	})
}

func TestStuckTaskIsGivenUp(t *testing.T) {
	var hang chan bool
	onBench(t, func(string) error { <-hang; return nil }, func(b *bench) {
		hang = make(chan bool) // of this bubble
		b.deploy(1)
		b.hears("0/0 INITIALIZING", "0/0 RUNNING", "0/0 asks #1")
		b.assign(1, 1, false, "a")
		b.hears()
		b.cancel(1)
		time.Sleep(watch.Patience - time.Millisecond)
		b.hears()
		time.Sleep(time.Millisecond)
		b.hears("0/0 FAILED: stuck 0>1 1>0")
		close(hang) // it comes back after all: too late
		b.hears()
	})
}
