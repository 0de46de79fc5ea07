package rest

import (
	"encoding/json"
	"fmt"
	"net/http"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/pprof/profile"

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

// verticesOfFlink is, by the ids of the comparable vertices of the stateful job, those of Flink's. Its operators have other places in
// the graph, because a spec has no watermarks of a source.
var verticesOfFlink = map[string]string{
	"bc764cd8ddf7a0cff126f51c16239658": "f362c87ffabe89c8a91fa7d0a523ba6c", // Source: generator
	"feca28aff5a3958840bee985ee7de4d3": "bbf1f46be0db8eae93b979b70fb77055", // Source: generator 2
	vertexForProfile:                   "b71731f1c0df9c3076c4a455334d0ad6", // running count -> discard counts: Writer
	"8b9f3e513101bcc5d198aee685286d98": "1fda57489fc99cc8f66c9108fd52ccef", // window sum -> discard sums: Writer
}

// TestReplay asks flott what Flink was asked, about comparable jobs, and compares status, the form of errors, members and types of
// the answers. What differs has to be in the table of differences, with its reason.
func TestReplay(t *testing.T) {
	if *pack != "" {
		packRecordings(t, strings.Split(*pack, ","))
	}
	b := newBench(t, &client{}, Options{Version: "test", Commit: "c0f8d1a"})
	used := map[*difference]bool{}
	n := 0
	for _, r := range recordings(t) {
		if r.Request.Path == "" || strings.HasPrefix(r.Name, "static_") {
			continue // not an endpoint
		}
		n++
		b.stage(r)
		for _, found := range b.replay(r) {
			if d := excused(r, found); d != nil {
				used[d] = true
				continue
			}
			t.Errorf("%s: %s %s: %s", r.Name, r.Request.Method, r.Request.Path, found)
		}
	}
	if n < 200 {
		t.Errorf("only %d recordings", n)
	}
	for i := range differences {
		if !used[&differences[i]] {
			t.Errorf("no recording differs in %+v any more", differences[i])
		}
	}
}

// stage makes the cluster what Flink's was.
func (b *bench) stage(r recording) {
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
func (b *bench) profile(r recording) {
	b.t.Helper()
	of := map[string][]*profiling{}
	for _, process := range []string{"JobManager", "tm-1"} {
		at, message, file := now(), "Profiling Successful", r.Request.Path[strings.LastIndex(r.Request.Path, "/")+1:]
		of[process] = []*profiling{{Status: finishedProfile, Mode: "ITIMER", Triggered: at, Finished: &at, Duration: 2, Message: &message, File: &file, Legacy: "ITIMER"}}
	}
	b.rest.profiles.running.Wait()
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
	b.rest.flames.running.Wait()
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
func (b *bench) trigger(r recording) {
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

// replay is the differences between Flink's answer and ours.
func (b *bench) replay(r recording) (found []string) {
	b.t.Helper()
	path := r.Request.Path
	for ours, flinks := range verticesOfFlink {
		path = strings.ReplaceAll(path, flinks, ours)
	}
	path = regexp.MustCompile(`/logs/.*`).ReplaceAllString(path, "/logs/flott.log")
	if r.Request.Query != "" {
		path += "?" + r.Request.Query
	}
	var header []string
	for _, name := range []string{"Content-Type", "Origin", "If-Modified-Since"} {
		if v := r.Request.Headers[name]; v != "" && name != "Origin" {
			header = append(header, name, v)
		}
	}
	a, body := b.ask(r.Request.Method, path, bodyOf(r), header...)
	if a.StatusCode != r.Response.Status {
		return []string{fmt.Sprintf("status %d, want %d", a.StatusCode, r.Response.Status)}
	}
	for ours, flinks := range verticesOfFlink {
		body = strings.ReplaceAll(body, ours, flinks)
	}
	if got, want := a.Header.Get("Content-Type"), r.header("content-type"); got != want {
		found = append(found, fmt.Sprintf("content type %q, want %q", got, want))
	}
	if want := r.header("access-control-allow-origin"); a.Header.Get("Access-Control-Allow-Origin") != want {
		found = append(found, fmt.Sprintf("cors %q, want %q", a.Header.Get("Access-Control-Allow-Origin"), want))
	}
	if r.Request.Method == http.MethodHead || !strings.HasPrefix(r.header("content-type"), "application/json") {
		return found
	}
	if a.StatusCode >= 300 {
		return append(found, differentErrors(r.Response.Body, []byte(body))...)
	}
	return append(found, differentShapes("", shapeOf(r.Response.Body), shapeOf([]byte(body)))...)
}

// bodyOf is the request's: JSON, or text that is none.
func bodyOf(r recording) string {
	var s string
	if json.Unmarshal(r.Request.Body, &s) == nil {
		return s
	}
	return string(r.Request.Body)
}

// differentErrors compares the number of errors and the first line of each.
func differentErrors(want, got []byte) []string {
	var w, g errorBody
	if err := json.Unmarshal(want, &w); err != nil {
		return []string{err.Error()}
	}
	if err := json.Unmarshal(got, &g); err != nil {
		return []string{fmt.Sprintf("no error: %s", got)}
	}
	for i := range g.Errors {
		g.Errors[i] = shortened(g.Errors[i]).(string)
	}
	if !slices.Equal(w.Errors, g.Errors) {
		return []string{fmt.Sprintf("errors %q, want %q", g.Errors, w.Errors)}
	}
	return nil
}

// A shape is what a document is made of: kinds of values, members of objects, and the elements of arrays as one.
type shape struct {
	kinds   map[string]bool
	members map[string]*shape
	always  map[string]bool // members that every object here has
	element *shape
}

func shapeOf(data []byte) *shape {
	d := json.NewDecoder(strings.NewReader(string(data)))
	d.UseNumber()
	var v any
	s := &shape{kinds: map[string]bool{}}
	if err := d.Decode(&v); err != nil {
		s.kinds["no JSON"] = true
		return s
	}
	s.add(v)
	return s
}

func (s *shape) add(v any) {
	switch v := v.(type) {
	case nil:
		s.kinds["null"] = true
	case bool:
		s.kinds["boolean"] = true
	case string:
		s.kinds["string"] = true
	case json.Number:
		if strings.ContainsAny(v.String(), ".eE") {
			s.kinds["double"] = true
		} else {
			s.kinds["integer"] = true
		}
	case []any:
		s.kinds["array"] = true
		if s.element == nil {
			s.element = &shape{kinds: map[string]bool{}}
		}
		for _, e := range v {
			s.element.add(e)
		}
	case map[string]any:
		s.object(v)
	}
}

// object takes members whose names are ids as one.
func (s *shape) object(v map[string]any) {
	first := !s.kinds["object"]
	s.kinds["object"] = true
	if s.members == nil {
		s.members, s.always = map[string]*shape{}, map[string]bool{}
	}
	here := map[string]bool{}
	for name, e := range v {
		if len(name) == 32 {
			name = "ID"
		}
		here[name] = true
		if s.members[name] == nil {
			s.members[name] = &shape{kinds: map[string]bool{}}
			s.always[name] = first
		}
		s.members[name].add(e)
	}
	for name := range s.always {
		s.always[name] = s.always[name] && here[name]
	}
}

// differentShapes is what flott's answer lacks, or has of another kind. Members beyond Flink's are named too.
func differentShapes(at string, want, got *shape) (found []string) {
	for kind := range got.kinds {
		if len(want.kinds) > 0 && !want.kinds[kind] {
			found = append(found, fmt.Sprintf("%s is %s, want %s", at, kind, strings.Join(kindsOf(want), " or ")))
		}
	}
	if len(got.kinds) == 0 && len(want.kinds) > 0 && at != "" {
		return []string{fmt.Sprintf("%s is empty, want %s", at, strings.Join(kindsOf(want), " or "))}
	}
	for _, name := range slices.Sorted(keys(want.members)) {
		switch {
		case got.members[name] != nil:
			found = append(found, differentShapes(at+"."+name, want.members[name], got.members[name])...)
		case want.always[name] && got.kinds["object"]:
			found = append(found, fmt.Sprintf("%s.%s is missing", at, name))
		}
	}
	for _, name := range slices.Sorted(keys(got.members)) {
		if want.members[name] == nil && want.kinds["object"] {
			found = append(found, fmt.Sprintf("%s.%s is more", at, name))
		}
	}
	if want.element != nil && got.element != nil {
		found = append(found, differentShapes(at+"[]", want.element, got.element)...)
	}
	return found
}

func kindsOf(s *shape) (all []string) {
	for kind := range s.kinds {
		all = append(all, kind)
	}
	slices.Sort(all)
	return all
}

func keys(m map[string]*shape) func(func(string) bool) {
	return func(yield func(string) bool) {
		for k := range m {
			if !yield(k) {
				return
			}
		}
	}
}

// A difference is one between Flink and flott, with its reason.
type difference struct{ recordings, found, reason string }

func excused(r recording, found string) *difference {
	for i := range differences {
		d := &differences[i]
		if regexp.MustCompile("^("+d.recordings+")$").MatchString(r.Name) && regexp.MustCompile("^("+d.found+")$").MatchString(found) {
			return d
		}
	}
	return nil
}

// differences is all that flott answers in another way than Flink.
var differences = []difference{
	{".*", `.*\.flott is more|\[\]\.origin is more`, "what Flink lacks stands in members of its own"},
	{".*", `cors "", want "\*"`, "pages of other sites may read what GET answers, and nothing else"},
	{"job_(jobmanager|taskmanager)_log_url|.*_(log|log_file|stdout|profiler_file)", `cors "\*", want ""`, "Flink leaves the header out of texts and these two, with no reason to see"},
	{"jar.*|err_jar.*", "status 404, want .*", "Java jars"},
	{"jobs_submit|err_submit.*", "status 404, want .*", "a plan that is a Java object"},
	{"job_coordinator_bad", "status 404, want 500", "a request that is a Java object"},
	{"job_resource_requirements_put.*", "status 500, want 400", "no requirements can be set, so that they are not read"},
	{"job_rescale_detail", "status 404, want 200", "only the Adaptive scheduler rescales; the other recordings are of the Default scheduler"},
	{"checkpoint_detail(_subtasks)?", "status 404, want 200", "no checkpoints yet"},
	{".*checkpoints(_after_rescale)?", `\.history\[\] is empty, .*|\.latest\..* is null, .*|\.summary\..* is string, want double`, "no checkpoints yet"},
	{"(checkpoint_trigger|savepoint|job_stop)_status(_now)?", `\.operation\..*|\.operation is object, want null`, "no checkpoints yet: they fail at once"},
	{"vertex_jm_operator_metrics", `\[\] is empty, .*`, "enumerators have no metrics of their own yet"},
	{".*_profiler_file", `content type .*`, "Flink's profile is a page, flott's is for go tool pprof"},
	{"applications_overview", `.*\.jobs\.(CREATED|FAILED) is more`, "other jobs are there than when this was recorded"},
	{"vertex_flamegraph.*", `\.data(\.children\[\])* is empty, .*`, "stacks have other depths"},
	{"job_bad_savepoint|job_failing_created", `\.application-id is string, want null`, "every job is an application, also one that failed before it ran"},
	{".*accumulators.*|job_execution_result.*", `.*accumulators\[\] is empty, .*|.*\.seen is missing`, "no accumulators: programs count with metrics"},
}
