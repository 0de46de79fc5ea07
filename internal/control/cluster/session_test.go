package cluster

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/flott-dev/flott/connector"
	"github.com/flott-dev/flott/connector/sequence"
	"github.com/flott-dev/flott/internal/control/rest/resttest"
	"github.com/flott-dev/flott/internal/control/view"
)

func init() {
	programs["count"] = func(parallelism int) *flow {
		return newFlow().from(endless(), 1).do("running count", parallelism, func(v int64) { time.Sleep(4 * time.Millisecond); work(v) }).to(parallelism, nothing)
	}
	programs["some"] = func(parallelism int) *flow {
		return newFlow().from(sequence.Of(0, 2000), 1).do("running count", parallelism, func(int64) {}).to(parallelism, func(v int64) error {
			_, err := fmt.Println("printed", v)
			return err
		})
	}
	programs["fail"] = func(parallelism int) *flow { // in two subtasks at the same time
		two := make(chan bool)
		return newFlow().from(endless(), 1).to(parallelism, func(int64) error {
			select {
			case two <- true:
			case <-two:
			}
			return errors.New("deliberate failure")
		})
	}
	programs["slow"] = func(parallelism int) *flow { return newFlow().from(lingering{endless()}, 1).to(parallelism, nothing) }
}

// lingering does not end before somebody makes a file.
type lingering struct{ connector.Source[int64] }

func (l lingering) Reader(ctx context.Context, wake func()) (connector.Reader[int64], error) {
	r, err := l.Source.Reader(ctx, wake)
	return lingeringReader{r}, err
}

type lingeringReader struct{ connector.Reader[int64] }

func (l lingeringReader) Close() error {
	for {
		if _, err := os.Stat(os.Getenv("TEST_LINGERS")); err == nil {
			return l.Reader.Close()
		}
		time.Sleep(10 * time.Millisecond)
	}
}

// work takes about a millisecond.
func work(v int64) {
	for range 100 {
		burned.Add(burn(v))
	}
}

var burned atomic.Int64 // so that it is of use

func nothing(int64) error { return nil }

// Jobs of Flink beside those in rest_test.go.
const (
	socketJob, batch, restored, application = "df47539eca031f58fc9d24de1efc47e1", "3dc1e3f16f704f7e4f4a39de9555e4cb", "e49ace622a9b8e36c8a74623a7017886", "91ce0900db529ce8d8fb235feb2c8986"
	batchApplication, misled                = "7b12606be05f1370e96a8f91419dc42f", "99e69e445d4c5b4806267818016a003c"
	tooWide, waiting                        = "7e488f5b5ebd9634e01b6d577a869cc1", "7ca76b4d07aa61f04a7ed1c5dce667b5"
)

// passing is the recordings of states that pass too quickly: they are replayed against snapshots (package rest).
var passing = regexp.MustCompile("^(job_(detail|status)_initializing|job_failing_running)$")

// ending is the recordings that are replayed last: when Flink's job was over, and the cluster.
var ending = regexp.MustCompile("^(job_stopped.*|yarn_cancel|cluster_shutdown)$")

const all = ".*"

// An act is something that happens to the cluster, and then recordings are replayed.
type act struct {
	do         func()
	recordings string // pattern of names; what was replayed in an act before is not replayed again
}

// TestReplayAgainstASession asks a cluster of processes what Flink was asked, while jobs run that are like those of the recordings.
func TestReplayAgainstASession(t *testing.T) {
	f := startFleet(t)
	_, manager := f.taskManager(8)
	p := &play{fleet: f, manager: manager, recordings: map[string]*resttest.Recording{}, end: filepath.Join(t.TempDir(), "end")}
	p.Server = &resttest.Server{T: t, URL: f.url, Client: f.http, Names: map[string]string{
		"tm-1": p.manager, "flink-lab-standalonesession-0-vm.log.4": "jobmanager.log", "flink-lab-taskexecutor-0-vm.log.1": "taskmanager.log",
	}}
	for _, r := range resttest.Recordings(t) {
		if r.Endpoint() && !passing.MatchString(r.Name) {
			p.recordings[r.Name] = &r
		}
	}
	if n := len(p.recordings); n < 230 {
		t.Errorf("only %d recordings", n)
	}
	p.run([]act{
		{p.fails, "job_failing(_exceptions)?_restarting"},
		{p.fills, "job_failing(_exceptions)?_created|job_too_wide"},
		{nil, ".*_profiler_start|vertex_flamegraph_first"},
		{p.samples, ".*_profiler_.*|vertex_flamegraph.*"},
		{p.triggers, ".*_status(_now|_failed)?"},
		{nil, "job_cancel|job_cancelling"},
		{nil, "job_cancel_default_mode|application_(running|cancel)|job_socket(_[^c].*)?"},
		{p.cancelled, "job_(socket_)?cancelled|application_cancelled"},
		{nil, all},
		{func() { p.Names[stateful] = bounded }, "job_stopped.*|yarn_cancel"}, // which is over
		{nil, "cluster_shutdown"},
	})
	check(t, f.jobManager.Wait()) // it was told to end
}

// A play replays recordings against a cluster.
type play struct {
	*fleet
	*resttest.Server
	manager    string // id of the TaskManager
	recordings map[string]*resttest.Recording
	end        string // the file that lets the restored job end
}

func (p *play) run(acts []act) {
	for _, a := range acts {
		if a.do != nil {
			a.do()
		}
		pattern := regexp.MustCompile("^(" + a.recordings + ")$")
		for _, name := range slices.Sorted(maps.Keys(p.recordings)) {
			if pattern.MatchString(name) && !(a.recordings == all && ending.MatchString(name)) {
				p.Replay(p.recordings[name])
				delete(p.recordings, name)
			}
		}
	}
}

// fails starts a job that fails, and waits until it is about to start again, which is not before it was asked about.
func (p *play) fails() {
	p.submit(doomed, "Failing job", "fail", 2, 2, 5*time.Second)
	p.await(doomed, view.Restarting)
}

// fills starts all other jobs, of which the last ones find no slots.
func (p *play) fills() {
	p.submit(stateful, "Stateful keyed job", "count", 2, 0, 0)
	p.submit(socketJob, "Socket Window WordCount", "count", 1, 0, 0)
	p.submit(restored, "Restored job", "slow", 1, 0, 0, "TEST_LINGERS="+p.end)
	p.submit(application, "app job", "count", 1, 0, 0)
	for _, job := range []string{stateful, socketJob, restored, application} {
		p.await(job, view.Running)
	}
	for jobID, name := range map[string]string{bounded: "Bounded job", batch: "Batch word count", batchApplication: "Batch word count"} {
		p.submit(jobID, name, "some", 2, 0, 0)
		p.await(jobID, view.Finished)
	}
	p.submit(misled, "Bad savepoint", "fail", 2, 0, 0)
	p.over(doomed, misled)
	p.submit(tooWide, "Too wide", "count", 64, 0, 0)
	p.submit(waiting, "Failing job", "count", 64, 0, 0)
	p.await(tooWide, view.Running) // as Flink says it, too
	p.await(waiting, view.Running)
	var job struct{ Vertices []struct{ ID string } }
	p.get("/jobs/"+stateful, &job)
	p.Names[generator], p.Names[count] = job.Vertices[0].ID, job.Vertices[1].ID
	p.metered()
}

// metered waits until all tasks of the stateful job have metrics.
func (p *play) metered() {
	await(p.t, says("metrics"), func() bool {
		var one []struct{ Value string }
		p.get("/jobs/"+stateful+"/vertices/"+p.Names[count]+"/metrics?get=0.numRecordsIn,1.numRecordsIn", &one)
		return len(one) == 2 && one[0].Value != "0" && one[1].Value != "0"
	})
}

// samples waits for flame graphs and profiles.
func (p *play) samples() {
	await(p.t, says("flame graphs"), func() bool {
		var full, onCPU struct{ EndTimestamp int64 }
		p.get("/jobs/"+stateful+"/vertices/"+p.Names[count]+"/flamegraph?type=full", &full)
		p.get("/jobs/"+stateful+"/vertices/"+p.Names[count]+"/flamegraph?type=on_cpu&subtaskindex=0", &onCPU)
		return full.EndTimestamp > 0 && onCPU.EndTimestamp > 0
	})
	p.Names["ITIMER_2026-11-29_23_49_55.html"] = p.profile("/taskmanagers/" + p.manager)
	p.Names["ITIMER_2026-11-29_23_49_56.html"] = p.profile("/jobmanager")
}

// profile waits for the profile of a process, and is the end of its name.
func (p *play) profile(of string) (end string) {
	await(p.t, says("profile"), func() bool {
		var list struct {
			ProfilingList []struct{ Status, OutputFile string }
		}
		p.get(of+"/profiler", &list)
		if len(list.ProfilingList) != 1 || list.ProfilingList[0].Status == "RUNNING" {
			return false
		}
		_, end, _ = strings.Cut(list.ProfilingList[0].OutputFile, "_")
		return true
	})
	return end
}

// triggers starts the operations that recordings ask about.
func (p *play) triggers() {
	for flinks, path := range map[string]string{
		"2375ce7e35e22a4d271e77f30bbdd0e3": "/jobs/" + stateful + "/savepoints", "d58c0a9843acdecca453ba700473ce18": "/jobs/" + stateful + "/savepoints",
		"c3e0b198d775d3d8bd302a4d74733b30": "/jobs/" + stateful + "/checkpoints", "1e0df9388eec7570161e2a1c6f31a70b": "/jobs/" + stateful + "/stop",
		"425e97650d215f17277f888695ff227d": "/savepoint-disposal", "8d3951b3c14c88e66920550fc3f8ebaa": "/datasets/00000000000000000000000000000001",
	} {
		method, body := http.MethodPost, "{}"
		switch path {
		case "/savepoint-disposal":
			body = `{"savepoint-path": "x"}`
		case "/datasets/00000000000000000000000000000001":
			method = http.MethodDelete
		}
		var begun struct {
			ID string `json:"request-id"`
		}
		p.ask(method, path, body, &begun)
		p.Names[flinks] = begun.ID
	}
}

// cancelled waits for the end of the jobs that were cancelled.
func (p *play) cancelled() {
	check(p.t, os.WriteFile(p.end, nil, 0o600))
	p.over(socketJob, restored, application)
}

// over waits for the end of jobs.
func (p *play) over(jobs ...string) {
	for _, j := range jobs {
		_, err := p.Result(p.t.Context(), p.id(j))
		check(p.t, err)
	}
}
