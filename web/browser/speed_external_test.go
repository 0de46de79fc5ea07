//go:build external

package browser

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"os/exec"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/google/pprof/profile"
)

// embed runs a job in a process of its own, which serves the page, and waits for it.
func embed(t *testing.T, job string) (url string) {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	address := l.Addr().String()
	if err := l.Close(); err != nil {
		t.Fatal(err)
	}
	_, port, _ := net.SplitHostPort(address)
	cmd := exec.Command(programs.jobs, job)
	cmd.Env = []string{"PATH=" + os.Getenv("PATH"), "FLOTT_REST_PORT=" + port}
	cmd.SysProcAttr = &syscall.SysProcAttr{Pdeathsig: syscall.SIGKILL}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = cmd.Process.Signal(syscall.SIGTERM)
		_ = cmd.Wait() // its error is that it was cancelled
	})
	for end := time.Now().Add(time.Minute); ; time.Sleep(50 * time.Millisecond) {
		a, err := http.Get("http://" + address + "/jobs/overview")
		if err == nil {
			_ = a.Body.Close()
			return "http://" + address
		}
		if time.Now().After(end) {
			t.Fatal(err)
		}
	}
}

// onlyJob is the id of the job of an embedded JobManager, once all its tasks run.
func onlyJob(t *testing.T, url string) string {
	t.Helper()
	var all struct {
		Jobs []struct {
			JID   string
			Tasks struct{ Total, Running int }
		}
	}
	for end := time.Now().Add(time.Minute); ; time.Sleep(100 * time.Millisecond) {
		readJSON(t, url+"/jobs/overview", &all)
		if j := all.Jobs[0]; j.Tasks.Total > 0 && j.Tasks.Running == j.Tasks.Total {
			return j.JID
		}
		if time.Now().After(end) {
			t.Fatalf("the job does not run: %+v", all.Jobs[0])
		}
	}
}

// slower is how many times slower than those of people the machines may be that test, with other things to do at the same time.
const slower = 10

// An event costs the page of a job with a thousand subtasks less than 8 ms of script and layout, in 95 of 100 cases, whatever it shows.
func TestExternalEventsAreCheap(t *testing.T) {
	const wanted = 8 * time.Millisecond
	url := embed(t, "wide")
	job := onlyJob(t, url)
	var of struct{ Vertices []struct{ ID string } }
	readJSON(t, url+"/jobs/"+job, &of)
	panel := "layer=3&vertex=" + of.Vertices[1].ID + "&tab="
	shows := []string{"layer=1", "layer=2", "layer=3", "layer=4", "layer=5", panel + "overview", panel + "subtasks", panel + "metrics"}
	var tabs []*tab
	for _, s := range shows {
		tb := open(t, url, "#/job/"+job+"?"+s, desk)
		tb.says("numbers")
		tb.settle()
		tabs = append(tabs, tb)
	}
	time.Sleep(3 * time.Second) // until what is only done once is done
	all := eventsOf(tabs)
	for i, s := range shows {
		costs := all[i]
		slices.Sort(costs)
		p50, p95 := costs[len(costs)/2], costs[len(costs)*95/100]
		t.Logf("%s: an event costs %v, p95 %v; wanted: %v", strings.Replace(s, of.Vertices[1].ID, "…", 1), p50, p95, wanted)
		if p95 > wanted*slower {
			t.Errorf("that is more than %d times too much", slower)
		}
	}
}

// eventsOf is what events cost each of some pages: for some time, and until each has had enough of them.
func eventsOf(tabs []*tab) (costs [][]time.Duration) {
	const enough, longest = 10, 5 * time.Minute
	for over := 25 * time.Second; ; over *= 2 {
		costs = nil
		for _, w := range trace(tabs, over) {
			costs = append(costs, w.costs())
		}
		fewest := len(costs[0])
		for _, c := range costs {
			fewest = min(fewest, len(c))
		}
		if fewest >= enough {
			return costs
		}
		if over > longest {
			tabs[0].t.Fatalf("in %v only %d events have come", over, fewest)
		}
	}
}

// What the server does for one open page of a job with a thousand subtasks is less than one percent of a core.
func TestExternalServingIsCheap(t *testing.T) {
	url := embed(t, "wide")
	job := onlyJob(t, url)
	tb := open(t, url, "#/job/"+job+"?layer=3", desk)
	tb.says("numbers")
	tb.settle()
	const seconds = 20
	p := cpuProfile(t, url, seconds)
	share := float64(labelled(p)) / float64(seconds*time.Second)
	t.Logf("REST and sampling take %.2f%% of a core; wanted: 1%%", 100*share)
	if share > 0.01*slower {
		t.Errorf("that is more than %d times too much", slower)
	}
	goroutines, err := profile.ParseData(download(t, url+"/jobs/"+job+"/flott/profile?kind=goroutine"))
	if err != nil {
		t.Fatal(err)
	}
	if labelled(goroutines) == 0 {
		t.Error("no goroutine has the label, not even that of the page's stream")
	}
}

// cpuProfile has the JobManager profile itself.
func cpuProfile(t *testing.T, url string, seconds int) *profile.Profile {
	t.Helper()
	body := fmt.Sprintf(`{"mode":"CPU","duration":%d}`, seconds)
	a, err := http.Post(url+"/jobmanager/profiler", "application/json", strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	_ = a.Body.Close()
	var list struct {
		ProfilingList []struct{ Status, OutputFile, Message string }
	}
	for end := time.Now().Add(time.Duration(seconds)*time.Second + time.Minute); ; time.Sleep(200 * time.Millisecond) {
		readJSON(t, url+"/jobmanager/profiler", &list)
		if len(list.ProfilingList) > 0 && list.ProfilingList[0].Status == "FINISHED" {
			break
		}
		if time.Now().After(end) {
			t.Fatalf("no profile: %+v", list)
		}
	}
	p, err := profile.ParseData(download(t, url+"/jobmanager/profiler/"+list.ProfilingList[0].OutputFile))
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// labelled is what a profile has of what is done for the page: nanoseconds, or goroutines.
func labelled(p *profile.Profile) (sum int64) {
	for _, s := range p.Sample {
		if slices.Contains(s.Label["work"], "watching") {
			sum += s.Value[len(s.Value)-1]
		}
	}
	return sum
}

func download(t *testing.T, url string) []byte {
	t.Helper()
	a, err := http.Get(url)
	if err != nil {
		t.Fatal(err)
	}
	all, err := io.ReadAll(a.Body)
	if err != nil {
		t.Fatal(err)
	}
	_ = a.Body.Close()
	return all
}

func readJSON(t *testing.T, url string, into any) {
	t.Helper()
	if err := json.NewDecoder(bytes.NewReader(download(t, url))).Decode(into); err != nil {
		t.Fatalf("%s: %v", url, err)
	}
}
