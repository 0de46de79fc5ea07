package cluster

import (
	"context"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"regexp"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/flott-dev/flott/connector/sequence"
	"github.com/flott-dev/flott/internal/control/jobmanager"
	"github.com/flott-dev/flott/internal/control/rest"
	"github.com/flott-dev/flott/internal/control/rest/resttest"
	"github.com/flott-dev/flott/internal/control/rpc"
	"github.com/flott-dev/flott/internal/control/view"
	"github.com/flott-dev/flott/internal/control/worker"
	"github.com/flott-dev/flott/internal/graph/program"
	"github.com/flott-dev/flott/internal/id"
)

// elsewhere is the recordings that are of another state of a job, or of what an embedded JobManager does not have. They are replayed
// against snapshots (package rest).
var elsewhere = regexp.MustCompile(`^(` + strings.Join([]string{
	// jobs in passing states, or that are not run here
	`.*_initializing`, `.*_created`, `.*_restarting`, `job_failing_running`, `job_cancel.*`, `job_stopped.*`, `job_restored.*`, `job_batch.*`, `job_bad.*`, `job_too_wide`,
	`job_socket.*`, `job_rescale_detail`, `yarn_cancel`, `application_(running|finished|cancelled|cancel)`, `cluster_shutdown`,
	// operations that somebody started before
	`.*_status(_now|_failed)?`,
	// failures that come together, which is a matter of chance
	`job_fail.*_exceptions(_failed)?`, `job_exceptions_max`,
	// a configuration, and a process beside the JobManager's that could be profiled at the same time
	`.*jobmanager_config`, `taskmanager_profiler_start`,
	// log files and profiles
	`.*_(log|log_file|stdout|profiler_file)`, `jobmanager_profiler_list(_after)?`, `taskmanager_profiler_list_after`, `vertex_flamegraph(_on_cpu)?`, `(job|task)manager_logs`,
}, "|") + `)$`)

// jobManager is an embedded one that can run several jobs, as no program does.
type jobManager struct {
	t *testing.T
	*jobmanager.Dispatcher
}

// run starts a job under an id of Flink's.
func (m *jobManager) run(jobID, name string, f *flow) *jobmanager.JobMaster {
	m.t.Helper()
	g, binding := f.compile(m.t)
	g.Name = name
	g.Restart = program.RestartStrategy{Type: program.FixedDelay, Fixed: program.FixedRestart{Attempts: 2, Delay: time.Millisecond}}
	job, err := id.ParseJob(jobID)
	check(m.t, err)
	s, err := submission(g, Options{Job: job})
	check(m.t, err)
	s.Settings.Parameters = map[string]string{"name": name, "parallelism": "1"}
	s.Settings.Parallelism = 1
	s.Worker = worker.New(m.Dispatcher, s.Graph, binding, worker.Options{ID: rpc.Local, Logger: quiet.Logger})
	master, err := m.Submit(s)
	check(m.t, err)
	return master
}

// The ids of Flink's jobs and vertices that have a counterpart here.
const (
	stateful, bounded, doomed = "8a6b3fa373cd814e9925808e858e4e6d", "90f06501f8d54ce702ff5d5dbbd4ad20", "7205f11913e8c2c45bd324fdfc71cc3e"
	generator, count          = "f362c87ffabe89c8a91fa7d0a523ba6c", "b71731f1c0df9c3076c4a455334d0ad6"
)

// TestReplayAgainstJobsThatRun asks REST over an embedded JobManager what Flink was asked, while one job runs, one has finished and one
// has failed.
func TestReplayAgainstJobsThatRun(t *testing.T) {
	m := &jobManager{t, jobmanager.New(jobmanager.Options{Token: onlyLeader, Logger: quiet.Logger})}
	nothing := func(int64) error { return nil }
	runs := m.run(stateful, "Stateful keyed job", newFlow().from(endless(), 1).do("running count", 2, func(int64) {}).to(2, nothing))
	ended := m.run(bounded, "Bounded job", newFlow().from(sequence.Of(0, 2000), 1).do("running count", 2, func(int64) {}).to(2, nothing))
	fails := m.run(doomed, "Failing job", newFlow().from(endless(), 1).to(2, func(int64) error { return errors.New("deliberate failure") }))
	<-ended.Done()
	<-fails.Done()
	source := newEmbedded(m.Dispatcher)
	server := serve(t, source)
	defer func() {
		runs.Cancel(context.Canceled)
		<-runs.Done()
	}()
	j := source.running(t)
	kit := &resttest.Server{T: t, URL: server.URL, Client: server.Client(), Names: map[string]string{
		generator: j.Graph.Vertices[0].ID.String(), count: j.Graph.Vertices[1].ID.String(), "tm-1": string(rpc.Local),
	}}
	n := 0
	for _, r := range resttest.Recordings(t) {
		if r.Endpoint() && !elsewhere.MatchString(r.Name) {
			n++
			kit.Replay(&r)
		}
	}
	if n < 120 {
		t.Errorf("only %d recordings", n)
	}
}

// running waits until all tasks of the job run and have metrics.
func (e *embedded) running(t *testing.T) *view.Job {
	t.Helper()
	job, err := id.ParseJob(stateful)
	check(t, err)
	for t.Context().Err() == nil {
		j, err := e.Job(t.Context(), job)
		check(t, err)
		if ready(j) {
			return j
		}
		time.Sleep(time.Millisecond)
	}
	t.Fatal(t.Context().Err())
	return nil
}

func ready(j *view.Job) bool {
	for v := range j.Vertices {
		for s := range j.Vertices[v].Subtasks {
			if a := j.Vertices[v].Subtasks[s].Current(); a.State.String() != "RUNNING" || a.Metrics == nil || len(a.Metrics.Operators) == 0 {
				return false
			}
		}
	}
	return j.State == view.Running
}

// serve is REST over a source until the end of the test.
func serve(t *testing.T, source view.Source) *httptest.Server {
	t.Helper()
	handler := rest.New(source, nil, rest.Options{Log: quiet.Logger, Version: "test"})
	server := httptest.NewServer(handler)
	ctx, end := context.WithCancel(t.Context())
	var running sync.WaitGroup
	running.Go(func() { handler.Run(ctx) })
	t.Cleanup(func() {
		server.Client().CloseIdleConnections()
		server.Close()
		end()
		running.Wait()
	})
	return server
}

// TestViewOfAJob cancels an embedded job by REST.
func TestViewOfAJob(t *testing.T) {
	job := newFlow().from(endless(), 2).to(1, func(int64) error { return nil }).start(t.Context(), t)
	server := serve(t, job.View())
	r, err := http.NewRequestWithContext(t.Context(), http.MethodPatch, server.URL+"/jobs/"+job.ID().String(), nil)
	check(t, err)
	a, err := server.Client().Do(r)
	check(t, err)
	check(t, a.Body.Close())
	if _, err := job.Wait(t.Context()); a.StatusCode != http.StatusAccepted || !errors.Is(err, context.Canceled) {
		t.Errorf("%s, %v", a.Status, err)
	}
	if managers, err := job.View().TaskManagers(t.Context()); err != nil || len(managers) != 1 || len(managers[0].Slots) != 0 {
		t.Errorf("slots of a job that is over: %+v, %v", managers, err)
	}
}

// TestFlameGraphNamesTheOperator samples a job that burns time in one operator.
func TestFlameGraphNamesTheOperator(t *testing.T) {
	var burned atomic.Int64
	job := newFlow().from(endless(), 1).do("burn", 2, func(v int64) { burned.Add(burn(v)) }).to(1, func(int64) error { return nil }).start(t.Context(), t)
	defer func() { check(t, job.Cancel(context.Background())) }()
	server := serve(t, job.View())
	j, err := job.View().Job(t.Context(), job.ID())
	check(t, err)
	path := server.URL + "/jobs/" + job.ID().String() + "/vertices/" + j.Graph.Vertices[1].ID.String() + "/flamegraph?type=full"
	for t.Context().Err() == nil {
		r, err := http.NewRequestWithContext(t.Context(), http.MethodGet, path, nil)
		check(t, err)
		a, err := server.Client().Do(r)
		check(t, err)
		text, err := io.ReadAll(a.Body)
		check(t, errors.Join(err, a.Body.Close()))
		if strings.Contains(string(text), `"endTimestamp":-3`) {
			time.Sleep(10 * time.Millisecond)
			continue
		}
		if !strings.Contains(string(text), `"operator burn"`) || !strings.Contains(string(text), "cluster.burn:") {
			t.Errorf("%s", text)
		}
		return
	}
}

//go:noinline
func burn(v int64) (sum int64) {
	for i := range int64(20_000) {
		sum += i ^ v
	}
	return sum
}
