package rest

import (
	"bytes"
	"context"
	"io"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/flott-dev/flott/internal/control/view"
	"github.com/flott-dev/flott/internal/graph/execgraph"
	"github.com/flott-dev/flott/internal/graph/golden"
	"github.com/flott-dev/flott/internal/graph/jobgraph"
	"github.com/flott-dev/flott/internal/graph/streamgraph"
	"github.com/flott-dev/flott/internal/graph/text"
	"github.com/flott-dev/flott/internal/id"
)

// A cluster is a view.Source in memory.
type cluster struct {
	mu       sync.Mutex
	list     []*view.Job
	managers []*view.TaskManager
	failures []view.Failure // of jobs that have failed
	ended    bool
	happened []view.Happening // newest first
}

const statefulSpec = `{"name":"Stateful keyed job","env":{"parallelism":1,"maxParallelism":128,"jobName":"Stateful keyed job"},"steps":[
 {"id":"a","op":"source","sourceName":"generator"},
 {"id":"b","op":"source","sourceName":"generator 2"},
 {"id":"k","op":"keyBy","inputs":["a"]},
 {"id":"c","op":"keyedProcess","inputs":["k"],"name":"running count"},
 {"id":"o","op":"discard","inputs":["c"],"name":"discard counts"},
 {"id":"l","op":"keyBy","inputs":["b"]},
 {"id":"w","op":"keyedProcess","inputs":["l"],"name":"window sum"},
 {"id":"p","op":"discard","inputs":["w"],"name":"discard sums"}]}`

const socketSpec = `{"name":"Socket Window WordCount","env":{"parallelism":1,"maxParallelism":128,"jobName":"Socket Window WordCount"},"steps":[
 {"id":"a","op":"source","sourceName":"Socket Stream"},
 {"id":"k","op":"keyBy","inputs":["a"]},
 {"id":"c","op":"keyedProcess","inputs":["k"],"name":"window"},
 {"id":"o","op":"discard","inputs":["c"],"name":"print"}]}`

// newJob is a job of a spec, made some time ago and in a state.
func newJob(t testing.TB, spec, name, jobID string, state view.JobState) *view.Job {
	t.Helper()
	s, err := golden.Parse([]byte(spec))
	if err != nil {
		t.Fatal(err)
	}
	p, _, err := s.Program()
	if err != nil {
		t.Fatal(err)
	}
	stream, err := streamgraph.From(p)
	if err != nil {
		t.Fatal(err)
	}
	g, err := jobgraph.From(stream)
	if err != nil {
		t.Fatal(err)
	}
	g.Name = name
	e, err := execgraph.From(g)
	if err != nil {
		t.Fatal(err)
	}
	j := &view.Job{Graph: g, StreamGraph: text.StreamDocumentJSON(stream, g), State: state}
	if j.ID, err = id.ParseJob(jobID); err != nil {
		t.Fatal(err)
	}
	begun := now() - 20_000
	j.Entered = map[view.JobState]int64{view.Initializing: begun, view.Created: begun + 80, view.Running: begun + 180, state: begun + 5_000}
	if state == view.Running {
		j.Entered[state] = begun + 180
	}
	j.Settings = view.JobSettings{Parallelism: 1, Parameters: map[string]string{"name": name, "parallelism": "1"}}
	for v := range e.Vertices {
		j.Vertices = append(j.Vertices, newVertex(&e.Vertices[v], taskStateOf(state), begun))
	}
	return j
}

func taskStateOf(s view.JobState) execgraph.State {
	switch s {
	case view.Finished:
		return execgraph.Finished
	case view.Canceled:
		return execgraph.Canceled
	case view.Failed:
		return execgraph.Failed
	case view.Created, view.Initializing, view.Restarting:
		return execgraph.Created
	}
	return execgraph.Running
}

func newVertex(e *execgraph.Vertex, state execgraph.State, begun int64) view.Vertex {
	v := view.Vertex{Parallelism: e.Parallelism, MaxParallelism: e.MaxParallelism}
	for range e.Executions {
		a := view.Attempt{Execution: execgraph.Execution{State: state}}
		a.Entered[execgraph.Created] = begun + 90
		if state != execgraph.Created {
			a.Location = view.Location{TaskManager: "tm-1", Host: "localhost", DataPort: 41867}
			for i, s := range []execgraph.State{execgraph.Scheduled, execgraph.Deploying, execgraph.Initializing, execgraph.Running} {
				a.Entered[s] = begun + 100*int64(i+2)
			}
			if state.Terminal() {
				a.Entered[state] = begun + 4_000
			}
			a.Metrics = metricsAfter(e.Job, 10*time.Second)
		}
		v.Subtasks = append(v.Subtasks, view.Subtask{Attempts: []view.Attempt{a}})
	}
	return v
}

// metricsAfter is what a task that reads a thousand records a second has done after a time.
func metricsAfter(v *jobgraph.Vertex, d time.Duration) *view.TaskMetrics {
	n := d.Milliseconds()
	m := &view.TaskMetrics{At: now(), Busy: d / 4, Idle: d / 2, BackPressured: d / 4, BytesIn: 29 * n, BytesOut: 29 * n}
	for range v.Chain {
		m.Operators = append(m.Operators, view.OperatorCounters{RecordsIn: n, RecordsOut: n, Watermark: 22730})
	}
	return m
}

func newCluster(t testing.TB) *cluster {
	c := &cluster{}
	c.list = []*view.Job{
		newJob(t, statefulSpec, "Stateful keyed job", "8a6b3fa373cd814e9925808e858e4e6d", view.Running),
		newJob(t, statefulSpec, "Bounded job", "90f06501f8d54ce702ff5d5dbbd4ad20", view.Finished),
		newJob(t, statefulSpec, "Failing job", "7205f11913e8c2c45bd324fdfc71cc3e", view.Failed),
		newJob(t, socketSpec, "Socket Window WordCount", "df47539eca031f58fc9d24de1efc47e1", view.Running),
	}
	c.failures = []view.Failure{
		{At: now(), Name: "flott.JobError", Text: "restarts are used up\nstack", Concurrent: []view.Failure{failure1()}},
		failure1(),
	}
	c.list[2].Failures.Newest = c.failures
	slots := make([]view.Slot, 4)
	slots[0] = view.Slot{Job: c.list[0].ID, Worker: view.Figures{Pid: 8, Resident: 4096}}
	slots[1] = view.Slot{Job: c.list[3].ID}
	c.managers = []*view.TaskManager{{
		ID: "tm-1", Address: "127.0.0.1:6122", Host: "localhost", DataPort: 41867, Heartbeat: now(), Slots: slots,
		Hardware: view.Hardware{Cores: 2, Memory: 25276059648, Free: 2025848832}, Memory: 4 << 30, Process: someFigures,
	}}
	return c
}

func failure1() view.Failure {
	return view.Failure{
		At: now(), Name: "panic", Text: "deliberate failure of key 0\nmain.go:38", Task: "running count -> discard counts: Writer (1/1) - execution #3",
		Attempt: 3, Location: view.Location{TaskManager: "tm-1", Host: "localhost", DataPort: 41867},
	}
}

var someFigures = view.Figures{Pid: 7, Resident: 30 << 20, Limit: 1 << 30, HeapUsed: 10 << 20, HeapCommitted: 20 << 20, HeapMax: 1 << 30, Goroutines: 12, Collections: 3, CollectionTime: 5 * time.Millisecond, Load: 0.04}

func (c *cluster) Jobs(context.Context) ([]*view.Job, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	return append([]*view.Job{}, c.list...), nil
}

func (c *cluster) Job(_ context.Context, want id.Job) (*view.Job, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, j := range c.list {
		if j.ID == want {
			return j, nil
		}
	}
	return nil, view.ErrUnknownJob
}

// replace shows a changed copy of a job from now on.
func (c *cluster) replace(job *view.Job, change func(*view.Job)) *view.Job {
	c.mu.Lock()
	defer c.mu.Unlock()
	for i, j := range c.list {
		if j.ID == job.ID {
			next := *j
			next.Entered = map[view.JobState]int64{}
			for s, at := range j.Entered {
				next.Entered[s] = at
			}
			next.Vertices = nil
			for _, v := range j.Vertices {
				subtasks := make([]view.Subtask, len(v.Subtasks))
				for k := range subtasks {
					subtasks[k].Attempts = append([]view.Attempt{}, v.Subtasks[k].Attempts...)
				}
				v.Subtasks = subtasks
				next.Vertices = append(next.Vertices, v)
			}
			change(&next)
			c.list[i] = &next
			return &next
		}
	}
	return nil
}

func (c *cluster) Cancel(ctx context.Context, want id.Job) error {
	j, err := c.Job(ctx, want)
	switch {
	case err != nil:
		return err
	case j.State.Terminal():
		return view.ErrJobOver
	}
	c.replace(j, func(j *view.Job) { j.State, j.Entered[view.Cancelling] = view.Cancelling, now() })
	return nil
}

func (c *cluster) TaskManagers(context.Context) ([]*view.TaskManager, error) { return c.managers, nil }

func (c *cluster) Happenings(after int64) []view.Happening {
	c.mu.Lock()
	defer c.mu.Unlock()
	return append([]view.Happening{}, c.happened[:max(0, len(c.happened)-int(after))]...)
}

func (c *cluster) JobManager() view.Process { return process("JobManager") }

func (c *cluster) Config() []view.Setting {
	return []view.Setting{{Key: "rest.port", Value: "8081", Origin: "default"}, {Key: "jobmanager.rpc.address", Value: "127.0.0.1", Origin: "default"}}
}
func (c *cluster) Shutdown() { c.ended = true }

func (c *cluster) TaskManager(want string) (view.Process, error) {
	if want != "tm-1" {
		return nil, view.ErrUnknownTaskManager
	}
	return process(want), nil
}

func (c *cluster) Workers(context.Context, id.Job) ([]view.Process, error) {
	return []view.Process{process("tm-1/worker")}, nil
}

// A process has little to tell, but all of it.
type process string

func (p process) Name() string                                  { return string(p) }
func (p process) Figures(context.Context) (view.Figures, error) { return someFigures, nil }
func (p process) Logs(context.Context) ([]view.LogFile, error) {
	return []view.LogFile{{Name: "flott.log", Size: 12, Modified: now()}}, nil
}

func (p process) Log(_ context.Context, name string, from int64) (io.ReadCloser, error) {
	if name != "" && name != "flott.log" {
		return nil, view.ErrUnknownFile
	}
	const log = "a log"
	return io.NopCloser(strings.NewReader(log[min(from, int64(len(log))):])), nil
}

func (p process) Stdout(context.Context) (io.ReadCloser, error) {
	return io.NopCloser(strings.NewReader("printed")), nil
}

func (p process) Goroutines(context.Context) ([]byte, error) {
	return []byte("goroutine 1 [running]:\nmain.main()\n\t/main.go:3\n\ngoroutine 2 [select]:\nmain.f()\n\t/main.go:7\n"), nil
}

func (p process) Profile(context.Context, string, time.Duration) ([]byte, error) {
	return labelledProfile()
}

func (p process) Environment(context.Context) (view.Environment, error) {
	return view.Environment{GoVersion: "go1.27", Platform: "linux/amd64", Version: "test", Args: []string{"flott"}, Modules: []string{"example.com/m v1.0.0"}, Pid: 7, Started: 8, CPUs: 9, MaxProcs: 10, MemoryLimit: 11}, nil
}

// A client takes blobs and jobs.
type client struct {
	blob      bytes.Buffer
	submitted *view.Submission
}

func (c *client) Has(context.Context, view.Hash) (int64, bool, error) {
	return int64(c.blob.Len()), c.blob.Len() == 10, nil
}

func (c *client) Put(_ context.Context, _ view.Hash, offset, size int64, from io.Reader) (int64, error) {
	if offset > int64(c.blob.Len()) {
		return 0, &view.Refusal{Reason: "there is a gap"}
	}
	c.blob.Truncate(int(offset))
	_, err := c.blob.ReadFrom(from)
	return int64(c.blob.Len()), err
}

func (c *client) Submit(_ context.Context, s view.Submission) (id.Job, error) {
	if c.submitted != nil {
		return id.Job{}, &view.Refusal{Reason: "another job has this id", Conflict: true}
	}
	c.submitted = &s
	return s.Job, nil
}

func (c *client) Output(_ context.Context, job id.Job, from int64, to io.Writer) error {
	const kept = 2
	switch {
	case c.submitted == nil:
		return view.ErrUnknownJob
	case from < kept:
		return &view.NotKept{From: kept}
	}
	_, err := io.WriteString(to, "1> hello\n"[from:])
	return err
}

func (c *client) Result(_ context.Context, job id.Job) (*view.Result, error) {
	if c.submitted == nil {
		return nil, view.ErrUnknownJob
	}
	return &view.Result{Job: job, Name: "job", State: view.Finished, RunTime: 12, Operators: []view.OperatorResult{{Name: "map"}}}, nil
}

// Progress is the result of a job that runs.
func (c *client) Progress(ctx context.Context, job id.Job) (*view.Result, error) {
	r, err := c.Result(ctx, job)
	if err == nil {
		r.State = view.Running
	}
	return r, err
}

var (
	_ view.Source = (*cluster)(nil)
	_ view.Client = (*client)(nil)
)
