package jobmanager

import (
	"bytes"
	"errors"
	"log/slog"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/flott-dev/flott/internal/control/rpc"
	"github.com/flott-dev/flott/internal/control/view"
	"github.com/flott-dev/flott/internal/decide/schedule"
	"github.com/flott-dev/flott/internal/graph/execgraph"
	"github.com/flott-dev/flott/internal/graph/program"
	"github.com/flott-dev/flott/internal/id"
)

// restarting is a job that starts again twice, after a second.
func restarting(parallelism ...int) Submission {
	s := submission(parallelism...)
	s.Graph.Job.Restart.Type = program.FixedDelay
	s.Graph.Job.Restart.Fixed = program.FixedRestart{Attempts: 2, Delay: time.Second}
	return s
}

func (b *bench) reportsAttempt(number int, s execgraph.State, cause error) {
	a := attempt(0, 0)
	a.Number = number
	b.Report(rpc.Report{
		Header: rpc.Header{Job: theJob, Token: theToken}, Attempt: a, State: s, Cause: cause,
		Metrics: rpc.TaskMetrics{Operators: []rpc.Counters{{RecordsOut: int64(10 + number)}}},
	})
}

func (b *bench) endsSource(number int) {
	b.SourceEnded(rpc.SourceEnd{
		Header: rpc.Header{Job: theJob, Token: theToken}, Enumerator: rpc.Enumerator{Operator: operatorID(0), Number: number},
	})
}

// A job that has ended is the same after the JobManager has started again: attempts, failures, metrics and result.
func TestArchive(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "archive")
	var job *view.Job
	var result *view.Result
	synctest.Test(t, func(t *testing.T) {
		b := &bench{T: t, recorder: &recorder{make(chan string, 100)}}
		b.Dispatcher = New(Options{Token: theToken, Logger: slog.New(slog.NewTextHandler(&b.log, nil)), Archive: dir})
		s := restarting(1)
		s.Worker = b.recorder
		master, err := b.Submit(s)
		if err != nil {
			t.Fatal(err)
		}
		synctest.Wait()
		b.hears("deploy 0/0")
		b.reportsAttempt(0, execgraph.Running, nil)
		b.reportsAttempt(0, execgraph.Failed, errDisk)
		b.endsSource(0)
		b.hears("cancel")
		time.Sleep(time.Second)
		b.hears("deploy 0/0")
		b.reportsAttempt(1, execgraph.Finished, nil)
		b.endsSource(1)
		<-master.Done()
		synctest.Wait()
		if job, err = b.Job(t.Context(), theJob); err != nil {
			t.Fatal(err)
		}
		if result, err = b.Result(t.Context(), theJob); err != nil {
			t.Fatal(err)
		}
		if !strings.Contains(b.log.String(), view.SourcesAgain) {
			t.Errorf("the log is %q", b.log.String())
		}
	})
	attempts := job.Vertices[0].Subtasks[0].Attempts
	if len(attempts) != 2 || attempts[0].State != execgraph.Failed || attempts[0].Metrics.Operators[0].RecordsOut != 10 ||
		attempts[1].Metrics.Operators[0].RecordsOut != 11 || attempts[1].Entered[execgraph.Finished]-attempts[0].Entered[execgraph.Failed] != 1000 {
		t.Errorf("the attempts are %+v", attempts)
	}
	if f := job.Failures.Newest; len(f) != 1 || f[0].Text != "disk full" || f[0].Name != "*errors.errorString" || f[0].Task != "vertex 0 (1/1) - execution #0" {
		t.Errorf("the failures are %+v", f)
	}

	if err := os.WriteFile(filepath.Join(dir, "torn.json"), []byte("{"), 0o600); err != nil {
		t.Fatal(err)
	}
	var log bytes.Buffer
	again := New(Options{Token: theToken + 1, Logger: slog.New(slog.NewTextHandler(&log, nil)), Archive: dir})
	got, err := again.Job(t.Context(), theJob)
	if err != nil || !reflect.DeepEqual(plain(got), plain(job)) {
		t.Errorf("got  %+v, %v\nwant %+v", got, err, job)
	}
	if got, err := again.Result(t.Context(), theJob); err != nil || !reflect.DeepEqual(got, result) {
		t.Errorf("the result is %+v, %v, want %+v", got, err, result)
	}
	if all, err := again.Jobs(t.Context()); err != nil || len(all) != 1 {
		t.Errorf("there are %d jobs, %v", len(all), err)
	}
	if !strings.Contains(log.String(), "torn.json") {
		t.Errorf("the log is %q", log.String())
	}
	var refusal *view.Refusal
	if _, err := again.Submit(submission(1)); !errors.As(err, &refusal) || !refusal.Conflict {
		t.Errorf("a submission with the same id: %v", err)
	}
	if err := again.Cancel(t.Context(), theJob); !errors.Is(err, view.ErrJobOver) {
		t.Errorf("cancel: %v", err)
	}
}

// plain is a job without the difference between nil and empty.
func plain(j *view.Job) view.Job {
	c := *j
	c.Graph, c.StreamGraph = nil, nil
	return c
}

func TestUnknownJobs(t *testing.T) {
	d := New(Options{Token: theToken, Logger: slog.New(slog.DiscardHandler)})
	_, noJob := d.Job(t.Context(), id.Job{9})
	_, noResult := d.Result(t.Context(), id.Job{9})
	_, noProgress := d.Progress(t.Context(), id.Job{9})
	for what, err := range map[string]error{
		"job": noJob, "result": noResult, "progress": noProgress, "cancel": d.Cancel(t.Context(), id.Job{9}), "output": d.Output(t.Context(), id.Job{9}, 0, &bytes.Buffer{}),
	} {
		if !errors.Is(err, view.ErrUnknownJob) {
			t.Errorf("%s: %v", what, err)
		}
	}
}

func TestViewOfARunningJob(t *testing.T) {
	onBench(t, submission(1), func(b *bench) {
		var v *view.Job
		var err error
		got := make(chan bool)
		go func() { // ends with the view
			v, err = b.Job(b.Context(), theJob)
			close(got)
		}()
		b.hears("deploy 0/0", "measure #1")
		b.measures(1, metricsOf(0, 0, rpc.Times{Busy: time.Second}, rpc.Counters{RecordsOut: 5}))
		<-got
		if err != nil || v.State != view.Running || v.Vertices[0].Subtasks[0].Current().Metrics.Busy != time.Second {
			t.Errorf("the view is %+v, %v", v, err)
		}
		start := time.Now()
		v, err = b.Job(b.Context(), theJob) // nobody answers
		if took := time.Since(start); err != nil || took != answerWithin || v.Vertices[0].Subtasks[0].Current().Metrics.Operators[0].RecordsOut != 5 {
			t.Errorf("after %v the view is %+v, %v", took, v, err)
		}
		b.hears("measure #2")
		r, err := b.Progress(b.Context(), theJob)
		if err != nil || r.State != view.Running || r.RunTime < answerWithin.Milliseconds() || r.Operators[0].RecordsOut != 5 || r.Operators[0].Busy != time.Second {
			t.Errorf("so far it is %+v, %v", r, err)
		}
		b.hears("measure #3")
		b.reports(0, 0, execgraph.Finished, nil)
		_, _ = b.ends(schedule.Finished)
	})
}
