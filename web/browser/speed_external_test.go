//go:build external

package browser

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"os/exec"
	"slices"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/chromedp/cdproto/tracing"
	"github.com/chromedp/chromedp"
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

// An event costs the page of a job with a thousand subtasks less than 8 ms of script and layout, in 95 of 100 cases. The bound here is
// ten times looser, as other things run, too.
func TestExternalEventsAreCheap(t *testing.T) {
	url := embed(t, "wide")
	job := onlyJob(t, url)
	for _, layer := range []string{"1", "3", "4", "5"} {
		t.Run("layer "+layer, func(t *testing.T) {
			tb := open(t, url, "#/job/"+job+"?layer="+layer, desk)
			tb.says("numbers")
			tb.settle()
			time.Sleep(3 * time.Second)
			costs := tb.costs(20)
			slices.Sort(costs)
			p50, p95 := costs[len(costs)/2], costs[len(costs)*95/100]
			t.Logf("an event costs %v, p95 %v", p50, p95)
			if p95 > 10*8*time.Millisecond {
				t.Errorf("p95 is %v", p95)
			}
		})
	}
}

// A span is a piece of work of chromium's trace, in microseconds.
type span struct {
	Name, Ph string
	Pid, Tid int
	Ts, Dur  int64
	Tdur     int64 // of the processor, without waiting for it; 0: that is not known
}

// worked is what costs count: script and layout, without painting.
var worked = []string{"FunctionCall", "RunMicrotasks", "EvaluateScript", "TimerFire", "FireAnimationFrame", "Layout", "UpdateLayoutTree", "HitTest", "MinorGC", "MajorGC"}

// costs is how long the page works in each second of a time, in which it gets one event.
func (tb *tab) costs(seconds int) []time.Duration {
	tb.t.Helper()
	costs := make([]time.Duration, seconds)
	spans := tb.trace(time.Duration(seconds) * time.Second)
	var last int64
	for _, s := range spans {
		second := int((s.Ts - spans[0].Ts) / 1_000_000)
		if s.Ts < last || second >= seconds { // it is a part of what was counted
			continue
		}
		costs[second] += time.Duration(cmp.Or(s.Tdur, s.Dur)) * time.Microsecond
		last = s.Ts + s.Dur
	}
	if n := slices.Index(costs, 0); n >= 0 {
		tb.t.Fatalf("nothing happens in second %d", n)
	}
	return costs
}

// trace is what the page's main thread did, in order.
func (tb *tab) trace(over time.Duration) (spans []span) {
	tb.t.Helper()
	var mu sync.Mutex
	done := make(chan struct{})
	tb.must(chromedp.Listen(tb.ctx, func(event any) {
		mu.Lock()
		defer mu.Unlock()
		switch e := event.(type) {
		case *tracing.EventDataCollected:
			for _, v := range e.Value {
				var s span
				if json.Unmarshal([]byte(v), &s) == nil {
					spans = append(spans, s)
				}
			}
		case *tracing.EventTracingComplete:
			close(done)
		}
	}))
	_, err := chromedp.Call(tb.ctx, tracing.Start, tracing.StartParams{
		TransferMode: tracing.StartTransferModeReportEvents,
		TraceConfig:  &tracing.TraceConfig{IncludedCategories: []string{"devtools.timeline", "v8", "__metadata"}},
	})
	tb.must(err)
	time.Sleep(over)
	_, err = chromedp.Call(tb.ctx, tracing.End, struct{}{})
	tb.must(err)
	<-done
	mu.Lock()
	defer mu.Unlock()
	return ofMainThread(spans)
}

// ofMainThread leaves what counts, of the thread that has worked most: that of the page.
func ofMainThread(all []span) []span {
	type thread struct{ pid, tid int }
	total := map[thread]int64{}
	spans := slices.DeleteFunc(all, func(s span) bool { return s.Ph != "X" || !slices.Contains(worked, s.Name) })
	var most thread
	for _, s := range spans {
		at := thread{s.Pid, s.Tid}
		total[at] += s.Dur
		if total[at] > total[most] {
			most = at
		}
	}
	spans = slices.DeleteFunc(spans, func(s span) bool { return (thread{s.Pid, s.Tid}) != most })
	slices.SortFunc(spans, func(a, b span) int { return cmp.Compare(a.Ts, b.Ts) })
	return spans
}

// What the server does for one open page of a job with a thousand subtasks is less than one percent of a core; here ten times that.
func TestExternalServingIsCheap(t *testing.T) {
	url := embed(t, "wide")
	job := onlyJob(t, url)
	tb := open(t, url, "#/job/"+job+"?layer=3", desk)
	tb.says("numbers")
	tb.settle()
	const seconds = 20
	p := cpuProfile(t, url, seconds)
	share := float64(labelled(p)) / float64(seconds*time.Second)
	t.Logf("REST and sampling take %.2f%% of a core", 100*share)
	if share > 10*0.01 {
		t.Errorf("that is too much")
	}
	if len(p.Sample) == 0 {
		t.Error("nothing was measured")
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

// labelled is the CPU time of what is done for the page, in nanoseconds.
func labelled(p *profile.Profile) (ns int64) {
	for _, s := range p.Sample {
		if slices.Contains(s.Label["work"], "watching") {
			ns += s.Value[len(s.Value)-1]
		}
	}
	return ns
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
