package jobmanager

import (
	"bytes"
	"encoding/json"
	"errors"
	"log/slog"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/flott-dev/flott/internal/control/rpc"
	"github.com/flott-dev/flott/internal/control/view"
	"github.com/flott-dev/flott/internal/graph/graphtest"
	"github.com/flott-dev/flott/internal/graph/jobdoc"
	"github.com/flott-dev/flott/internal/graph/program"
	"github.com/flott-dev/flott/internal/id"
)

// sent is a job as a client sends it.
func sent(t *testing.T, job id.Job, text string) view.Submission {
	t.Helper()
	g, err := graphtest.Job(text)
	if err != nil {
		t.Fatal(err)
	}
	document, err := jobdoc.Encode(g)
	if err != nil {
		t.Fatal(err)
	}
	return view.Submission{Job: job, Graph: document, Blob: view.Hash{1}, Args: []string{"a"}, Env: []string{"A=1"}, Protocol: rpc.Protocol, Version: "v1"}
}

const copying = "job Copy\ns = source\no = print s\n"

// accepting is a JobManager without TaskManagers. Its jobs end with the test.
func accepting(t *testing.T, archive string) *Dispatcher {
	t.Helper()
	d := New(Options{Token: theToken, Version: "v2", Logger: slog.New(slog.DiscardHandler), Archive: archive, Retention: Retention{For: time.Hour}})
	done, over := make(chan struct{}), make(chan struct{})
	go func() { // ends with the test
		defer close(over)
		d.Run(done)
	}()
	t.Cleanup(func() {
		for _, m := range d.newest() {
			m.Cancel(errDisk)
			<-m.Done()
		}
		close(done)
		<-over
	})
	return d
}

// An id names one job: the same submission is the same job, running or over, also after the JobManager has started again, and when it is
// the one that finds that only the archive is to know the job from now on.
func TestAcceptIsIdempotent(t *testing.T) {
	archive := t.TempDir()
	synctest.Test(t, func(t *testing.T) {
		d := accepting(t, archive)
		for range 2 {
			if job, err := d.Accept(sent(t, theJob, copying)); err != nil || job != theJob {
				t.Fatalf("%v, %v", job, err)
			}
		}
		if all := d.newest(); len(all) != 1 {
			t.Fatalf("there are %d jobs", len(all))
		}
		d.find(theJob).Cancel(errDisk)
		synctest.Wait() // also for the archive
		wantsCancelled(t, d)
		wantsCancelled(t, accepting(t, archive))
		time.Sleep(2 * time.Hour)
		wantsCancelled(t, d)
	})
}

// wantsCancelled wants the job to be known as one that was cancelled, and no other one to get its id.
func wantsCancelled(t *testing.T, d *Dispatcher) {
	t.Helper()
	if job, err := d.Accept(sent(t, theJob, copying)); err != nil || job != theJob {
		t.Errorf("%v, %v", job, err)
	}
	if r, err := d.Result(t.Context(), theJob); err != nil || r.State != view.Canceled {
		t.Errorf("%+v, %v", r, err)
	}
	other := sent(t, theJob, copying)
	other.Args = nil
	wantsRefusal(t, d, other, true, "arguments")
}

func TestAcceptChoosesAnID(t *testing.T) {
	d := accepting(t, "")
	first, err1 := d.Accept(sent(t, id.Job{}, copying))
	second, err2 := d.Accept(sent(t, id.Job{}, copying))
	if err := errors.Join(err1, err2); err != nil || first == second || first == (id.Job{}) {
		t.Errorf("%v, %v, %v", first, second, err)
	}
}

func TestAcceptRefuses(t *testing.T) {
	d := accepting(t, "")
	if _, err := d.Accept(sent(t, theJob, copying)); err != nil {
		t.Fatal(err)
	}
	for want, change := range map[string]func(*view.Submission){
		"already, which is another one: it differs in executable":            func(s *view.Submission) { s.Blob[2] = 7 },
		"already, which is another one: it differs in graph":                 func(s *view.Submission) { *s = sent(t, theJob, "job Other"+copying[8:]) },
		"already, which is another one: it differs in arguments":             func(s *view.Submission) { s.Args = []string{"a", ""} },
		"already, which is another one: it differs in graph, environment":    func(s *view.Submission) { *s = sent(t, theJob, "job Other"+copying[8:]); s.Env = nil },
		"flott v1 (protocol 999), and this cluster is flott v2 (protocol 1)": func(s *view.Submission) { s.Protocol = 999 },
		"has format 77": func(s *view.Submission) {
			s.Graph = bytes.Replace(s.Graph, []byte(`"Format":1`), []byte(`"Format":77`), 1)
		},
		"job graph:": func(s *view.Submission) { s.Graph = nil },
	} {
		s := sent(t, theJob, copying)
		change(&s)
		wantsRefusal(t, d, s, strings.Contains(want, "already"), want)
	}
}

func wantsRefusal(t *testing.T, d *Dispatcher, s view.Submission, conflict bool, want string) {
	t.Helper()
	_, err := d.Accept(s)
	var r *view.Refusal
	if !errors.As(err, &r) || !strings.Contains(r.Reason, want) || r.Conflict != conflict {
		t.Errorf("%v, want %q", err, want)
	}
}

// What earlier jobs gave the program is passed on as it is.
func TestAcceptKeepsWhatEarlierJobsGave(t *testing.T) {
	d := accepting(t, "")
	s := sent(t, theJob, copying)
	s.Earlier = []json.RawMessage{json.RawMessage(`{"a":1}`), json.RawMessage("null")}
	if _, err := d.Accept(s); err != nil {
		t.Fatal(err)
	}
	if got := string(d.find(theJob).program.Earlier); got != `[{"a":1},null]` {
		t.Errorf("the worker would read %s", got)
	}
}

// A cluster's restart strategy is that of jobs that choose none.
func TestAcceptChoosesARestartStrategy(t *testing.T) {
	d := accepting(t, "")
	d.options.Restart = program.RestartStrategy{Type: program.FixedDelay, Fixed: program.FixedRestart{Attempts: 7}}
	silent, decided := sent(t, id.Job{1}, copying), sent(t, id.Job{2}, copying)
	decided.Graph = bytes.Replace(decided.Graph, []byte(`"Restart":{"Type":""`), []byte(`"Restart":{"Type":"none"`), 1)
	for want, s := range map[string]view.Submission{"Maximum restarts: 7": silent, "Restarts are deactivated": decided} {
		job, err := d.Accept(s)
		if err != nil {
			t.Fatal(err)
		}
		if j, err := d.Job(t.Context(), job); err != nil || !strings.Contains(j.Settings.RestartStrategy, want) {
			t.Errorf("%+v, %v, want %q", j.Settings, err, want)
		}
	}
}
