package rest

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/flott-dev/flott/internal/control/view"
	"github.com/flott-dev/flott/internal/graph/execgraph"
	"github.com/flott-dev/flott/internal/id"
)

// later shows a job as it is after some more seconds, in which each task read a thousand records a second.
func (b *bench) later(j *view.Job, d time.Duration, change func(*view.Job)) *view.Job {
	return b.cluster.replace(j, func(next *view.Job) {
		for v := range next.Vertices {
			for s := range next.Vertices[v].Subtasks {
				a := next.Vertices[v].Subtasks[s].Current()
				before := a.Metrics
				a.Metrics = metricsAfter(&next.Graph.Vertices[v], 10*time.Second+d)
				a.Metrics.At = before.At + d.Milliseconds()
			}
		}
		if change != nil {
			change(next)
		}
	})
}

func TestRatesAreOfNow(t *testing.T) {
	b := newBench(t, nil, Options{})
	j := b.cluster.list[0]
	path := "/jobs/" + running + "/vertices/" + vertexForProfile
	var first, second []metricValue
	b.into(path+"/subtasks/0/metrics?get=numRecordsInPerSecond,busyTimeMsPerSecond,numRecordsIn", &first)
	b.later(j, 2*time.Second, func(next *view.Job) { // and then it read three times as much
		next.Vertices[2].Subtasks[0].Attempts[0].Metrics.Operators[0].RecordsIn += 4000
		next.Vertices[2].Subtasks[0].Attempts[0].Metrics.Busy += time.Second
	})
	b.into(path+"/subtasks/0/metrics?get=numRecordsInPerSecond,busyTimeMsPerSecond,numRecordsIn", &second)
	want := "[{numRecordsIn 10000} {numRecordsInPerSecond 1000.0} {busyTimeMsPerSecond 250.0}] [{numRecordsIn 16000} {numRecordsInPerSecond 3000.0} {busyTimeMsPerSecond 750.0}]"
	if got := fmt.Sprint(first, second); got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
	var all []map[string]any
	b.into(path+"/subtasks/metrics?get=numRecordsIn&agg=min,skew&subtasks=0-3,7", &all)
	if got := fmt.Sprint(all); got != "[map[id:numRecordsIn min:16000 skew:0]]" {
		t.Error(got)
	}
	b.into(path+"/subtasks/metrics?get=numRecordsIn&subtasks=1", &all)
	if len(all) != 0 {
		t.Error("subtask 1 has metrics", all)
	}
}

// What a task did when it ran is not what it does now.
func TestTasksThatAreOverDoNothing(t *testing.T) {
	b := newBench(t, nil, Options{})
	j := b.cluster.replace(b.cluster.list[0], func(next *view.Job) {
		for v := range next.Vertices {
			next.Vertices[v].Subtasks[0].Attempts[0].State = execgraph.Finished
		}
	})
	var read []metricValue
	b.into("/jobs/"+running+"/vertices/"+vertexForProfile+"/subtasks/0/metrics?get=numRecordsIn,numRecordsInPerSecond", &read)
	if got := fmt.Sprint(read); got != "[{numRecordsIn 10000} {numRecordsInPerSecond 0.0}]" {
		t.Error(got)
	}
	if got := b.rest.history.produced(j); got != 0 {
		t.Errorf("a source that is over makes %v records a second", got)
	}
}

func TestExceptionsByLabel(t *testing.T) {
	b := newBench(t, nil, Options{})
	b.cluster.replace(b.cluster.list[2], func(j *view.Job) {
		labelled := failure1()
		labelled.Labels = map[string]string{"kind": "user"}
		j.Failures.Newest = append(j.Failures.Newest, labelled)
	})
	for query, want := range map[string]string{"": "3 false", "?maxExceptions=1": "1 true", "?failureLabelFilter=kind:user": "1 false", "?failureLabelFilter=kind:other": "0 false"} {
		var e exceptionsBody
		b.into("/jobs/7205f11913e8c2c45bd324fdfc71cc3e/exceptions"+query, &e)
		if got := fmt.Sprint(len(e.History.Entries), e.History.Truncated); got != want {
			t.Errorf("%q: %s, want %s", query, got, want)
		}
	}
}

func TestLogFromAnOffset(t *testing.T) {
	b := newBench(t, nil, Options{})
	for offset, want := range map[string]string{"": "a log", "0": "a log", "2": "log", "5": "", "6": ""} {
		if a, text := b.ask("GET", "/taskmanagers/tm-1/logs/flott.log", "", "Log-Offset", offset); a.StatusCode != 200 || text != want {
			t.Errorf("from %q: %s %q", offset, a.Status, text)
		}
	}
	if a, _ := b.ask("GET", "/jobmanager/logs/flott.log", "", "Log-Offset", "-1"); a.StatusCode != 400 {
		t.Errorf("an offset that is none: %s", a.Status)
	}
}

func TestJobSaysWhatItWaitsFor(t *testing.T) {
	b := newBench(t, nil, Options{})
	b.cluster.replace(b.cluster.list[0], func(j *view.Job) { j.State, j.Waiting = view.Created, "for 2 slots" })
	var d jobDetails
	if b.into("/jobs/"+running, &d); d.Flott.Waiting != "for 2 slots" {
		t.Errorf("it says %+v", d.Flott)
	}
}

func TestGraphsSayWhyEdgesAreNotChained(t *testing.T) {
	b := newBench(t, nil, Options{})
	var g graphsBody
	b.into("/jobs/"+running+"/flott/graphs", &g)
	var unchained []string
	for _, e := range g.StreamGraph.Edges {
		if !e.Chain.Chained {
			unchained = append(unchained, e.Chain.Why)
		}
		if e.Rate == nil || *e.Rate != 1000 {
			t.Errorf("edge %s has no rate", e.ID)
		}
	}
	want := "records are distributed over the subtasks of running count (HASH)|records are distributed over the subtasks of window sum (HASH)"
	if got := strings.Join(unchained, "|"); got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
	one := g.ExecutionGraph.Vertices[2].Subtasks[0]
	if one.TaskManager != "tm-1" || one.Busy != 250 || one.BackPressured != 250 || one.Idle != 500 || one.State != "RUNNING" || one.Rate != 1000 || one.Host != "localhost" || one.Endpoint != "localhost:41867" || one.Pid != 8 {
		t.Errorf("subtask %+v", one)
	}
	if m := g.Physical.Managers; len(m) != 1 || m[0].ID != "tm-1" || len(m[0].Slots) != 1 {
		t.Errorf("placement %+v", m)
	}
	if r := g.ExecutionGraph.Regions; len(r) != 2 || len(r[0].Vertices) != 2 {
		t.Errorf("regions %+v", r)
	}
	if in := g.JobGraph.Vertices[2].Inputs; len(in) != 1 || in[0].ShipStrategy != "HASH" || in[0].Channels != 1 || in[0].Wiring != nil || len(g.JobGraph.Vertices[2].Operators) != 2 {
		t.Errorf("vertex %+v", g.JobGraph.Vertices[2])
	}
}

// TestHealthNamesTheTask lets a task hang for more than a minute of the job's time.
func TestHealthNamesTheTask(t *testing.T) {
	b := newBench(t, nil, Options{})
	ask := func() (int, healthBody) {
		a, body := b.ask("GET", "/flott/health", "")
		var h healthBody
		if err := json.Unmarshal([]byte(body), &h); err != nil {
			t.Fatal(err)
		}
		return a.StatusCode, h
	}
	if status, h := ask(); status != 200 || h.Status != unknown || len(h.Jobs) != 2 {
		t.Errorf("before anything was seen: %d %+v", status, h)
	}
	at := now()
	for _, j := range b.cluster.list {
		if !j.State.Terminal() {
			b.rest.health.observe(j, nil, at)
		}
	}
	if status, h := ask(); status != 200 || h.Status != green {
		t.Errorf("at first: %d %+v", status, h)
	}
	hangs := b.cluster.replace(b.cluster.list[0], func(j *view.Job) {
		for v := range j.Vertices {
			a := j.Vertices[v].Subtasks[0].Current()
			m := *a.Metrics
			m.At += 70_000
			if v == 2 {
				m.Busy += 70 * time.Second
			} else {
				m.Idle += 70 * time.Second
			}
			a.Metrics = &m
		}
	})
	b.rest.health.observe(hangs, nil, at+70_000)
	status, h := ask()
	if status != http.StatusServiceUnavailable || h.Status != red || !strings.Contains(h.Reason, `job "Stateful keyed job": running count -> discard counts: Writer makes no progress: Subtask 0 has been busy for 1 min 10 s`) {
		t.Errorf("%d %+v", status, h)
	}
	var rows jobList
	b.into("/jobs/overview", &rows)
	if rows.Jobs[0].Flott.Health != red || rows.Jobs[3].Flott.Health != green || rows.Jobs[1].Flott.Health != green {
		t.Errorf("rows %+v %+v", rows.Jobs[0].Flott, rows.Jobs[3].Flott)
	}
}

// An event is one of the stream.
type event struct{ name, id, data string }

// events opens a stream; next waits for the next event of a name.
func (b *bench) events(query string, header ...string) (next func(name string) event) {
	b.t.Helper()
	r, err := http.NewRequestWithContext(b.t.Context(), "GET", b.URL+"/flott/events"+query, nil)
	if err != nil {
		b.t.Fatal(err)
	}
	for i := 0; i < len(header); i += 2 {
		r.Header.Set(header[i], header[i+1])
	}
	a, err := b.Server.Client().Do(r)
	if err != nil {
		b.t.Fatal(err)
	}
	b.t.Cleanup(func() { _ = a.Body.Close() })
	if a.StatusCode != 200 || a.Header.Get("Content-Type") != "text/event-stream" {
		b.t.Fatal(a.Status, a.Header)
	}
	lines := bufio.NewScanner(a.Body)
	return func(name string) (e event) {
		b.t.Helper()
		for lines.Scan() {
			key, value, _ := strings.Cut(lines.Text(), ": ")
			switch key {
			case "event":
				e.name = value
			case "id":
				e.id = value
			case "data":
				e.data = value
			case "":
				if e.name == name {
					return e
				}
			}
		}
		b.t.Fatal("the stream ended", lines.Err())
		return e
	}
}

func TestEventsOfAJob(t *testing.T) {
	b := newBench(t, nil, Options{})
	next := b.events("?job="+running, "Last-Event-ID", "41")
	first := next("frame")
	f := readFrame(t, first.data)
	v := f.Vertices[vertexForProfile]
	if first.id != "42" || f.Seq != 42 || len(f.Vertices) != 4 || v.Busy[0] != 250 || v.In[0] != 1000 || *v.Watermark[0] != 22730 || v.State[0] != "RUNNING" ||
		len(f.Jobs) != 1 || f.Jobs[0].RecordsIn != 2000 {
		t.Errorf("%+v", first)
	}
	b.cluster.replace(b.cluster.list[0], func(j *view.Job) { // one vertex goes on, and the job ends
		m := *j.Vertices[2].Subtasks[0].Attempts[0].Metrics
		m.At, m.Busy = m.At+2000, m.Busy+2*time.Second
		j.Vertices[2].Subtasks[0].Attempts[0].Metrics = &m
		j.State = view.Cancelling
	})
	if e := next("job"); !strings.Contains(e.data, `"state":"CANCELLING"`) {
		t.Errorf("%+v", e)
	}
	f = readFrame(t, next("frame").data)
	if len(f.Jobs) != 0 {
		t.Errorf("the job's own row once more: %+v", f.Jobs)
	}
	if len(f.Vertices) != 1 || f.Vertices[vertexForProfile].State != nil || f.Vertices[vertexForProfile].Busy[0] != 1000 {
		t.Errorf("a frame with what did not change: %+v", f)
	}
}

// A job of which nothing is new is not one whose connection is lost.
func TestFramesComeWithoutNews(t *testing.T) {
	b := newBench(t, nil, Options{})
	next := b.events("?job=" + finished)
	first := readFrame(t, next("frame").data)
	second := readFrame(t, next("frame").data)
	if len(first.Vertices) != 4 || len(first.Jobs) != 1 || len(second.Vertices)+len(second.Edges)+len(second.Jobs) != 0 || second.Seq <= first.Seq || second.Now <= first.Now {
		t.Errorf("%+v, and then %+v", first, second)
	}
}

func TestEventsOfTheOverview(t *testing.T) {
	b := newBench(t, nil, Options{})
	next := b.events("")
	f := readFrame(t, next("frame").data)
	if len(f.Jobs) != 4 || f.Jobs[0].Name != "Stateful keyed job" || f.Jobs[0].RecordsIn != 2000 {
		t.Errorf("%+v", f)
	}
	b.cluster.replace(b.cluster.list[3], func(j *view.Job) { j.State = view.Restarting })
	if e := next("job"); !strings.Contains(e.data, `"state":"RESTARTING"`) { // and that of no other before
		t.Errorf("%+v", e)
	}
	for query, want := range map[string]int{"?job=xyz": 400, "?job=" + nobody: 404} {
		if a, _ := b.ask("GET", "/flott/events"+query, ""); a.StatusCode != want {
			t.Errorf("%s: %s", query, a.Status)
		}
	}
}

// A stream that was busy with a step when the server ended, or comes only then, ends all the same.
func TestStreamThatLooksLateHearsTheEnd(t *testing.T) {
	b := newBench(t, nil, Options{})
	over, end := context.WithCancel(t.Context())
	end()
	b.rest.Run(over)
	ctx, forget := context.WithTimeout(t.Context(), time.Minute) // of a page that is still there
	defer forget()
	b.rest.ServeHTTP(httptest.NewRecorder(), httptest.NewRequestWithContext(ctx, http.MethodGet, "/flott/events?job="+running, nil))
	if ctx.Err() != nil {
		t.Error("the stream went on until the page was gone")
	}
}

// What a stream remembers of jobs goes with them, though the page is open for weeks.
func TestStreamForgetsJobs(t *testing.T) {
	b := newBench(t, nil, Options{})
	asked := httptest.NewRequestWithContext(t.Context(), http.MethodGet, "/flott/events", nil)
	f, err := newFeed(b.rest, httptest.NewRecorder(), &call{Request: asked, server: b.rest})
	if err != nil {
		t.Fatal(err)
	}
	for _, jobs := range []int{4, 1} {
		b.cluster.list = b.cluster.list[:jobs]
		if err := f.step(); err != nil || len(f.states) != jobs || len(f.rows) != jobs {
			t.Errorf("of %d jobs it remembers %d states and %d rows, %v", jobs, len(f.states), len(f.rows), err)
		}
	}
}

func TestPrometheus(t *testing.T) {
	b := newBench(t, nil, Options{})
	a, body := b.ask("GET", "/metrics", "")
	if a.StatusCode != 200 {
		t.Fatal(a.Status, body)
	}
	for _, want := range []string{
		`flink_jobmanager_numRunningJobs{host="127.0.0.1"} 2`,
		`flink_jobmanager_taskSlotsAvailable{host="127.0.0.1"} 2`,
		`flink_jobmanager_job_numRestarts{host="127.0.0.1",job_id="8a6b3fa373cd814e9925808e858e4e6d",job_name="Stateful keyed job"} 0`,
		`flink_taskmanager_job_task_numRecordsIn{host="localhost",job_id="8a6b3fa373cd814e9925808e858e4e6d",job_name="Stateful keyed job",subtask_index="0",task_attempt_num="0",task_id="` + vertexForProfile + `",task_name="running count -> discard counts: Writer",tm_id="tm-1"} 10000`,
		`operator_name="running count"`,
		`flink_taskmanager_Status_JVM_CPU_Load{host="localhost",tm_id="tm-1"} 0.04`,
		`flink_taskmanager_job_Status_Flott_Memory_Resident{host="localhost",job_id="8a6b3fa373cd814e9925808e858e4e6d",tm_id="tm-1"} 4096`,
	} {
		if !strings.Contains(body, want) {
			t.Errorf("no %s in\n%s", want, body)
		}
	}
	if strings.Contains(body, "Bounded job") {
		t.Error("a job that is over has series")
	}
}

func TestProfiler(t *testing.T) {
	b := newBench(t, nil, Options{})
	if a, _ := b.ask("POST", "/jobmanager/profiler", `{"mode":"NOSUCH","duration":1}`); a.StatusCode != 400 {
		t.Error(a.Status)
	}
	if a, _ := b.ask("POST", "/taskmanagers/nope/profiler", `{"mode":"CPU","duration":1}`); a.StatusCode != 500 {
		t.Error(a.Status)
	}
	if a, body := b.ask("POST", "/jobmanager/profiler", `{"mode":"CPU","duration":1}`); a.StatusCode != 200 || !strings.Contains(body, `"status":"RUNNING"`) {
		t.Error(a.Status, body)
	}
	b.rest.background.running.Wait()
	var all profilingList
	b.into("/jobmanager/profiler", &all)
	if len(all.List) != 1 || all.List[0].Status != finishedProfile || all.List[0].File == nil {
		t.Fatalf("%+v", all)
	}
	if a, _ := b.ask("GET", "/jobmanager/profiler/"+*all.List[0].File, ""); a.StatusCode != 200 {
		t.Error(a.Status)
	}
}

func TestProfilesGoWithTheirProcess(t *testing.T) {
	b := newBench(t, nil, Options{})
	for _, name := range []string{"JobManager", "tm-1", "gone"} {
		b.rest.profiles.mu.of[name] = []*profiling{{}}
	}
	b.rest.watch(t.Context())
	if of := b.rest.profiles.mu.of; len(of) != 2 || of["gone"] != nil {
		t.Errorf("there are %v", of)
	}
}

func TestSamplesGoWithTheirJob(t *testing.T) {
	b := newBench(t, nil, Options{})
	runs, over := b.cluster.list[0].ID, b.cluster.list[1].ID
	for of, s := range map[sampled]samples{{runs, "cpu"}: {}, {over, "cpu"}: {}, {over, "goroutine"}: {under: true}, {id.Job{1}, "cpu"}: {}} {
		b.rest.flames.mu.of[of] = &s
	}
	b.rest.watch(t.Context())
	if of := b.rest.flames.mu.of; len(of) != 2 || of[sampled{runs, "cpu"}] == nil || of[sampled{over, "goroutine"}] == nil {
		t.Errorf("there are %v", of)
	}
}

func TestFlameGraph(t *testing.T) {
	b := newBench(t, nil, Options{})
	path := "/jobs/" + running + "/vertices/" + vertexForProfile + "/flamegraph?type=on_cpu&subtaskindex=0"
	var g flameGraph
	b.into(path, &g)
	if g.End != flameWaiting {
		t.Errorf("%+v", g)
	}
	b.rest.background.running.Wait()
	b.into(path, &g)
	if g.End <= 0 || g.Data.Value != 3 || g.Data.Children[0].Name != "operator running count" || g.Data.Children[0].Children[0].Name != "main.work:12" {
		t.Errorf("%+v", g.Data)
	}
	b.into("/jobs/"+finished+"/vertices/"+vertexForProfile+"/flamegraph", &g)
	if g.End != flameTerminated {
		t.Errorf("of a job that is over: %+v", g)
	}
}

func TestTasksOfSlots(t *testing.T) {
	b := newBench(t, nil, Options{})
	b.cluster.replace(b.cluster.list[3], func(j *view.Job) {
		for v := range j.Vertices {
			j.Vertices[v].Subtasks[0].Attempts[0].Slot = 1
		}
	})
	var m managerDetails
	b.into("/taskmanagers/tm-1", &m)
	if m.Tasks != 6 || m.FreeSlots != 2 || len(m.Allocated) != 2 || m.Allocated[0].Tasks != 4 || m.Allocated[1].Tasks != 2 {
		t.Errorf("%+v", m)
	}
}
