//go:build external

package browser

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"os/exec"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
)

// Every page and panel of jobs that run, that fail again and again, that have failed and that have finished, while numbers come.
func TestExternalPagesOfJobs(t *testing.T) {
	c := startCluster(t, 2, 4)
	states := map[string]string{"payments": "RUNNING", "failing": "RUNNING", "failed": "FAILED", "finished": "FINISHED"}
	c.run(states)
	tb := open(t, c.url, "", desk)
	for job := range states {
		for _, page := range []string{"graph?layer=1", "graph?layer=2", "graph?layer=3", "graph?layer=4", "graph?layer=5", "exceptions", "checkpoints", "config", "goroutines"} {
			tb.visit("#/job/" + ids[job] + "/" + page)
			tb.until("document.title.includes(%s)", jobName[job])
			tb.settle()
			tb.calm(job + " " + page)
		}
		for _, panel := range c.panels(job) {
			tb.visit("#/job/" + ids[job] + "/graph?layer=3&" + panel)
			tb.until(`document.querySelector(".panel") != null`)
			tb.settle()
			tb.calm(job + " " + panel)
		}
	}
}

// panels are the tabs of a job's first vertex, and its first edge.
func (c *cluster) panels(job string) (all []string) {
	c.t.Helper()
	var g graphs
	c.ask("/jobs/"+ids[job]+"/flott/graphs", &g)
	for _, tab := range []string{"overview", "subtasks", "watermarks", "metrics", "flame", "pressure", "times"} {
		all = append(all, "vertex="+g.JobGraph.Vertices[0].ID+"&tab="+tab)
	}
	return append(all, "edge="+g.StreamGraph.Edges[0].ID)
}

var jobName = map[string]string{
	"words": "Socket Window WordCount", "payments": "Payments risk", "failing": "Inventory feed", "failed": "Mail bounces",
	"finished": "Daily report", "wide": "Thousand subtasks", "cancelled": "Import of last year", "waiting": "Clickstream sessions", "stuck": "Invoices to print",
}

// calm wants no complaint so far, and says where there was one.
func (tb *tab) calm(where string) {
	tb.t.Helper()
	for _, c := range tb.complaints() {
		tb.t.Errorf("%s: %s", where, c)
	}
}

// Every page of the cluster, with machines and without.
func TestExternalPagesOfTheCluster(t *testing.T) {
	for name, managers := range map[string]int{"empty": 0, "idle": 1} {
		t.Run(name, func(t *testing.T) {
			c := startCluster(t, managers, 2)
			tb := open(t, c.url, "", desk)
			tb.says("flott run") // how to begin
			places := []string{"#/task-manager", "#/job-manager/config", "#/job-manager/logs", "#/job-manager/stdout", "#/job-manager/goroutines", "#/job-manager/metrics", "#/job-manager/profiler"}
			if managers > 0 {
				for _, tab := range []string{"", "/metrics", "/logs", "/stdout", "/goroutines", "/profiler"} {
					places = append(places, at(t, c, "#/task-manager/{tm}"+tab))
				}
			}
			for _, p := range places {
				tb.visit(p)
				tb.settle()
				tb.calm(p)
			}
		})
	}
}

// A job that is over, or never was, is no place to be lost at.
func TestExternalUnknownJob(t *testing.T) {
	c := startCluster(t, 0, 1)
	tb := open(t, c.url, "#/job/"+ids["words"], desk)
	tb.says("not found")
	tb.complaints() // the browser says that the answer was 404
}

// Cancelling wants the name of the job, and shows what has become of it without a reload.
func TestExternalCancel(t *testing.T) {
	c := startCluster(t, 1, 2)
	c.run(map[string]string{"words": "RUNNING"})
	tb := open(t, c.url, "#/job/"+ids["words"], desk)
	tb.click("Cancel…")
	tb.says("flott cancel " + ids["words"])
	if eval[bool](tb, `document.querySelector("dialog [type=submit]").disabled`) != true {
		t.Error("it can be cancelled without its name")
	}
	tb.press(jobName["words"], kb.Enter)
	tb.says("Cancelled")
	c.await("words", "CANCELED")
}

// A connection that is lost is said to be, numbers are grey then, and the page goes on by itself when there is one again.
func TestExternalLostConnection(t *testing.T) {
	c := startCluster(t, 1, 2)
	c.run(map[string]string{"words": "RUNNING"})
	to, err := url.Parse(c.url)
	if err != nil {
		t.Fatal(err)
	}
	line := &line{to: httputil.NewSingleHostReverseProxy(to)}
	server := httptest.NewServer(line)
	t.Cleanup(server.Close)
	tb := open(t, server.URL, "", desk)
	tb.says("Live")
	line.cut.Store(true)
	server.CloseClientConnections()
	tb.says("Connection lost")
	line.cut.Store(false)
	tb.says("Live")
	tb.complaints() // the browser says that nobody answered
}

// A line to a server can be cut.
type line struct {
	to  *httputil.ReverseProxy
	cut atomic.Bool
}

func (l *line) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if l.cut.Load() {
		panic(http.ErrAbortHandler)
	}
	l.to.ServeHTTP(w, r)
}

// A browser has six connections for a server, and keeps pages that were left, for the way back: they must let go of their streams.
func TestExternalLeftPages(t *testing.T) {
	c := startCluster(t, 0, 1)
	tb := open(t, c.url, "", desk)
	for i := range 8 {
		tb.says("Live")
		tb.says("flott run")
		tb.must(chromedp.Do(tb.ctx, chromedp.Navigate(fmt.Sprintf("%s/?%d", c.url, i))))
	}
}

// With a token the page asks for it, and then has everything, events too.
func TestExternalToken(t *testing.T) {
	c := startCluster(t, 0, 1, "FLOTT_SECURITY_TOKEN=secret")
	tb := open(t, c.url, "", desk)
	tb.says("wants its token")
	tb.until(`document.querySelector("input[type=password]") != null`)
	eval[chromedp.Void](tb, `document.querySelector("input[type=password]").focus()`)
	tb.press("secret", kb.Enter)
	tb.says("Live")
	tb.says("flott run")
	tb.complaints() // the browser has said that answers were 401
	tb.visit("#/job-manager/config")
	tb.says("security.token")
	tb.settle()
	tb.calm("signed in")
}

// Where the page may only show, there is nothing to press.
func TestExternalReadOnly(t *testing.T) {
	c := startCluster(t, 1, 2, "FLOTT_WEB_READ_ONLY=true")
	c.run(map[string]string{"words": "RUNNING"})
	tb := open(t, c.url, "#/job/"+ids["words"], desk)
	tb.says(jobName["words"])
	tb.settle()
	if eval[bool](tb, `[...document.querySelectorAll("button")].some(b => b.innerText.startsWith("Cancel"))`) {
		t.Error("there is a button")
	}
	status := eval[int](tb, `fetch("jobs/`+ids["words"]+`?mode=cancel", {method: "PATCH"}).then(a => a.status)`)
	if status != http.StatusForbidden {
		t.Errorf("the page can cancel: %d", status)
	}
	tb.complaints() // the browser says that the answer was 403
}

// A program that does not run is shown as its first two layers.
func TestExternalPlan(t *testing.T) {
	cmd := exec.Command(programs.flott, "plan", "--page", "127.0.0.1:0", programs.jobs, "--", "payments")
	url, stop := serving(t, cmd, "flott: plan ready: ")
	t.Cleanup(stop)
	base, place, _ := strings.Cut(url, "#")
	tb := open(t, strings.TrimSuffix(base, "/"), "#"+place, desk)
	tb.says("not running")
	tb.says("orders")
	tb.settle()
	for _, layer := range []string{"2", "1"} {
		tb.press(layer)
		tb.until("location.hash.includes(%s)", "layer="+layer)
		tb.settle()
		for _, operator := range []string{"orders", "refunds", "risk", "audit"} {
			tb.says(operator)
		}
	}
}
