package rest

import (
	"flag"
	"net/http"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/google/pprof/profile"

	"github.com/flott-dev/flott/internal/control/rest/resttest"
	"github.com/flott-dev/flott/internal/control/view"
)

// The states in which Flink's jobs were when a recording was made, by the recording; the others were RUNNING, or what jobsOfFlink says.
var phases = map[string]view.JobState{
	"job_detail_initializing": view.Initializing, "job_status_initializing": view.Initializing, "job_failing_created": view.Created,
	"job_detail_just_running": view.Running, "job_failing_exceptions_created": view.Created,
	"job_failing_restarting": view.Restarting, "job_failing_exceptions_restarting": view.Restarting,
	"job_cancelling": view.Cancelling, "job_cancelled": view.Canceled, "job_socket_cancelled": view.Canceled,
	"job_stopped": view.Finished, "job_execution_result_running": view.Running, "yarn_cancel": view.Finished,
}

// jobsOfFlink is the jobs that were recorded.
var jobsOfFlink = []struct {
	id, spec, name string
	state          view.JobState
}{
	{running, statefulSpec, "Stateful keyed job", view.Running},
	{finished, statefulSpec, "Bounded job", view.Finished},
	{"7205f11913e8c2c45bd324fdfc71cc3e", statefulSpec, "Failing job", view.Failed},
	{"df47539eca031f58fc9d24de1efc47e1", socketSpec, "Socket Window WordCount", view.Running},
	{"7ca76b4d07aa61f04a7ed1c5dce667b5", statefulSpec, "Failing job", view.Created},
	{"3dc1e3f16f704f7e4f4a39de9555e4cb", batchSpec, "Batch word count", view.Finished},
	{"e49ace622a9b8e36c8a74623a7017886", statefulSpec, "Restored job", view.Running},
	{"7e488f5b5ebd9634e01b6d577a869cc1", statefulSpec, "Too wide", view.Created},
	{"91ce0900db529ce8d8fb235feb2c8986", statefulSpec, "app job", view.Running},
	{"7b12606be05f1370e96a8f91419dc42f", batchSpec, "Batch word count", view.Finished},
	{"99e69e445d4c5b4806267818016a003c", statefulSpec, "Bad savepoint", view.Failed},
}

const batchSpec = `{"name":"Batch word count","env":{"parallelism":1,"runtimeMode":"BATCH","scheduler":"Default","jobName":"Batch word count"},"steps":[
 {"id":"a","op":"source","sourceName":"words","boundedness":"bounded"},
 {"id":"k","op":"keyBy","inputs":["a"]},
 {"id":"c","op":"reduce","inputs":["k"],"name":"count"},
 {"id":"o","op":"discard","inputs":["c"],"name":"out"}]}`

// namesOfFlink is what stands for Flink's vertices and files. The operators of the stateful job have other places in the graph than
// Flink's, because a spec has no watermarks of a source.
var namesOfFlink = map[string]string{
	"f362c87ffabe89c8a91fa7d0a523ba6c":       "bc764cd8ddf7a0cff126f51c16239658", // Source: generator
	"bbf1f46be0db8eae93b979b70fb77055":       "feca28aff5a3958840bee985ee7de4d3", // Source: generator 2
	"b71731f1c0df9c3076c4a455334d0ad6":       vertexForProfile,                   // running count -> discard counts: Writer
	"1fda57489fc99cc8f66c9108fd52ccef":       "8b9f3e513101bcc5d198aee685286d98", // window sum -> discard sums: Writer
	"flink-lab-standalonesession-0-vm.log.4": "flott.log",
	"flink-lab-taskexecutor-0-vm.log.1":      "flott.log",
}

// pack makes the recordings anew: go test -run TestReplay -pack DIR/rest-default,DIR/rest.
var pack = flag.String("pack", "", "folders with recordings of Flink, to pack")

// TestReplay asks flott what Flink was asked, about comparable jobs, and compares status, the form of errors, members and types of
// the answers. What differs has to be in the table of differences, with its reason.
func TestReplay(t *testing.T) {
	if *pack != "" {
		resttest.Pack(t, "resttest/testdata/flink.jsonl.gz", strings.Split(*pack, ","))
	}
	b := newBench(t, &client{}, Options{Version: "test", Commit: "c0f8d1a"})
	server := &resttest.Server{T: t, URL: b.URL, Client: b.Client(), Names: namesOfFlink}
	n := 0
	for _, r := range resttest.Recordings(t) {
		if r.Endpoint() {
			n++
			b.stage(&r)
			server.Replay(&r)
		}
	}
	if n < 200 {
		t.Errorf("only %d recordings", n)
	}
	for _, d := range server.Unused() {
		t.Errorf("no recording differs in %+v any more", d)
	}
}

// stage makes the cluster what Flink's was.
func (b *bench) stage(r *resttest.Recording) {
	b.t.Helper()
	var jobs []*view.Job
	for _, j := range jobsOfFlink {
		state := j.state
		if phase, ok := phases[r.Name]; ok && strings.Contains(r.Request.Path, j.id) {
			state = phase
		}
		job := newJob(b.t, j.spec, j.name, j.id, state)
		if state == view.Failed || state == view.Restarting {
			job.Failures.Newest = b.cluster.failures
		}
		jobs = append(jobs, job)
	}
	b.cluster.mu.Lock()
	b.cluster.list = jobs
	b.cluster.mu.Unlock()
	b.trigger(r)
	b.profile(r)
}

// profile lets there be the profile and the samples that a recording asks about.
func (b *bench) profile(r *resttest.Recording) {
	b.t.Helper()
	of := map[string][]*profiling{}
	for _, process := range []string{"JobManager", "tm-1"} {
		at, message, file := now(), "Profiling Successful", r.Request.Path[strings.LastIndex(r.Request.Path, "/")+1:]
		of[process] = []*profiling{{Status: finishedProfile, Mode: "ITIMER", Triggered: at, Finished: &at, Duration: 2, Message: &message, File: &file, Legacy: "ITIMER"}}
	}
	b.rest.background.running.Wait()
	b.rest.profiles.mu.Lock()
	b.rest.profiles.mu.of = of
	b.rest.profiles.mu.Unlock()
	content, err := labelledProfile()
	if err != nil {
		b.t.Fatal(err)
	}
	seen, err := profile.ParseData(content)
	if err != nil {
		b.t.Fatal(err)
	}
	b.rest.background.running.Wait()
	b.rest.flames.mu.Lock()
	defer b.rest.flames.mu.Unlock()
	clear(b.rest.flames.mu.of)
	if strings.HasPrefix(r.Name, "vertex_flamegraph") && !strings.HasSuffix(r.Name, "_first") {
		for _, kind := range []string{"cpu", "goroutine"} {
			b.rest.flames.mu.of[sampled{b.cluster.list[0].ID, kind}] = &samples{at: time.Now(), all: []*profile.Profile{seen}}
		}
	}
}

var triggerPath = regexp.MustCompile(`^/jobs/([0-9a-f]{32})/(savepoints|checkpoints)/([0-9a-f]{32})$|^/()(savepoint-disposal|datasets/delete)/([0-9a-f]{32})$`)

// trigger lets there be the operation that a recording asks about, unless it asks about one that there is not.
func (b *bench) trigger(r *resttest.Recording) {
	m := triggerPath.FindStringSubmatch(r.Request.Path)
	if m == nil || r.Response.Status == http.StatusNotFound {
		return
	}
	kinds := map[string]string{"savepoints": "savepoint", "checkpoints": "checkpoint", "savepoint-disposal": "savepoint disposal", "datasets/delete": "data set deletion"}
	why := noCheckpoints
	if m[5] != "" {
		why = ""
	}
	b.rest.operations.trigger(operation{kinds[m[2]+m[5]], m[1], m[3] + m[6]}, why)
}
