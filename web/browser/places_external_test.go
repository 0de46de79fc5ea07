//go:build external

package browser

import (
	"fmt"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
)

// A place is a part of the page to look at.
type place struct {
	name  string
	scene string
	// hash is where it is. {JOB} stands for a job's id, {JOB/NAME} for the id of its vertex that has the name, {JOB/NAME>NAME} for that of
	// an edge between two operators, {tm} for the first TaskManager.
	hash string
	says string     // some words of it
	act  func(*tab) // what somebody does there; nil: nothing
	// befalls is what then happens to the server; nil: nothing.
	befalls func(*tab, *scene)
	// refused says that some answers are errors, which the browser complains of.
	refused bool
}

// everyPlace is all that the page has to show.
var everyPlace = []place{
	{name: "overview", scene: "cluster", says: "Payments risk"},
	{name: "words-1-stream", scene: "cluster", hash: "#/job/{words}?layer=1", says: "Socket Window WordCount"},
	{name: "words-2-job", scene: "cluster", hash: "#/job/{words}?layer=2"},
	{name: "words-3-execution", scene: "cluster", hash: "#/job/{words}?layer=3"},
	{name: "words-4-physical", scene: "cluster", hash: "#/job/{words}?layer=4"},
	{name: "words-5-table", scene: "cluster", hash: "#/job/{words}?layer=5"},
	{name: "payments-1-stream", scene: "cluster", hash: "#/job/{payments}?layer=1", says: "bottleneck"},
	{name: "payments-2-job", scene: "cluster", hash: "#/job/{payments}?layer=2", says: "bottleneck"},
	{name: "payments-3-execution", scene: "cluster", hash: "#/job/{payments}?layer=3"},
	{name: "payments-4-physical", scene: "cluster", hash: "#/job/{payments}?layer=4"},
	{name: "payments-5-table", scene: "cluster", hash: "#/job/{payments}?layer=5"},

	{name: "panel-overview", scene: "cluster", hash: "#/job/{payments}?layer=2&vertex={payments/risk}", says: "risk"},
	{name: "panel-subtasks", scene: "cluster", hash: "#/job/{payments}?layer=3&vertex={payments/risk}&tab=subtasks"},
	{name: "panel-subtask", scene: "cluster", hash: "#/job/{payments}?layer=3&vertex={payments/risk}&subtask=0&tab=subtasks"},
	{name: "panel-watermarks", scene: "cluster", hash: "#/job/{payments}?layer=2&vertex={payments/risk}&tab=watermarks"},
	{name: "panel-watermarks-none", scene: "cluster", hash: "#/job/{words}?layer=2&vertex={words/Flat Map}&tab=watermarks"},
	{name: "panel-metrics", scene: "cluster", hash: "#/job/{payments}?layer=2&vertex={payments/risk}&tab=metrics"},
	{name: "panel-flame", scene: "cluster", hash: "#/job/{payments}?layer=2&vertex={payments/risk}&tab=flame&samples=off_cpu"},
	{name: "panel-flame-waits", scene: "cluster", hash: "#/job/{stuck}?layer=2&vertex={stuck/printer}&subtask=0&tab=flame&samples=off_cpu"},
	{name: "panel-pressure", scene: "cluster", hash: "#/job/{payments}?layer=2&vertex={payments/score}&tab=pressure"},
	{name: "panel-times", scene: "cluster", hash: "#/job/{failing}?layer=2&vertex={failing/feed}&tab=times"},
	{name: "panel-edge", scene: "cluster", hash: "#/job/{payments}?layer=1&edge={payments/score>risk}", says: "risk"},
	{name: "panel-edge-chained", scene: "cluster", hash: "#/job/{payments}?layer=1&edge={payments/orders>parse}", says: "parse"},

	{name: "checkpoints", scene: "cluster", hash: "#/job/{payments}/checkpoints", says: "off"},
	{name: "exceptions", scene: "cluster", hash: "#/job/{failing}/exceptions", says: "duplicate key"},
	{name: "exceptions-none", scene: "cluster", hash: "#/job/{words}/exceptions"},
	{name: "configuration", scene: "cluster", hash: "#/job/{payments}/config"},
	{name: "goroutines", scene: "cluster", hash: "#/job/{payments}/goroutines"},
	{name: "job-failing", scene: "cluster", hash: "#/job/{failing}?layer=3", says: "Inventory feed"},
	{name: "job-failed", scene: "cluster", hash: "#/job/{failed}?layer=3", says: "Failed"},
	{name: "job-finished", scene: "cluster", hash: "#/job/{finished}?layer=3", says: "Finished"},
	{name: "job-cancelled", scene: "cluster", hash: "#/job/{cancelled}?layer=3", says: "Cancelled"},
	{name: "job-waiting", scene: "cluster", hash: "#/job/{waiting}?layer=3", says: "slots"},
	{name: "job-stuck", scene: "cluster", hash: "#/job/{stuck}?layer=3", says: "no progress"},
	{name: "job-unknown", scene: "cluster", hash: "#/job/" + strings.Repeat("0", 32), says: "not found", refused: true},
	{name: "job-page-unknown", scene: "cluster", hash: "#/job/{words}/nowhere", says: "nowhere"},

	{name: "taskmanagers", scene: "cluster", hash: "#/task-manager"},
	{name: "taskmanager", scene: "cluster", hash: "#/task-manager/{tm}"},
	{name: "taskmanager-metrics", scene: "cluster", hash: "#/task-manager/{tm}/metrics"},
	{name: "taskmanager-logs", scene: "cluster", hash: "#/task-manager/{tm}/logs"},
	{name: "taskmanager-output", scene: "cluster", hash: "#/task-manager/{tm}/stdout"},
	{name: "taskmanager-goroutines", scene: "cluster", hash: "#/task-manager/{tm}/goroutines"},
	{name: "taskmanager-profiler", scene: "cluster", hash: "#/task-manager/{tm}/profiler", says: "go tool pprof"},
	{name: "taskmanager-unknown", scene: "cluster", hash: "#/task-manager/nobody", says: "nobody", refused: true},
	{name: "jobmanager-config", scene: "cluster", hash: "#/job-manager/config", says: "rest.port"},
	{name: "jobmanager-metrics", scene: "cluster", hash: "#/job-manager/metrics"},
	{name: "jobmanager-log", scene: "cluster", hash: "#/job-manager/logs"},
	{name: "jobmanager-files", scene: "cluster", hash: "#/job-manager/files"},
	{name: "jobmanager-output", scene: "cluster", hash: "#/job-manager/stdout"},
	{name: "jobmanager-goroutines", scene: "cluster", hash: "#/job-manager/goroutines"},
	{name: "jobmanager-profiler", scene: "cluster", hash: "#/job-manager/profiler", says: "go tool pprof"},
	{name: "unknown", scene: "cluster", hash: "#/nowhere", says: "nowhere"},

	{name: "keys", scene: "cluster", hash: "#/job/{payments}?layer=2", act: keys},
	{name: "palette", scene: "cluster", act: palette},
	{name: "palette-found", scene: "cluster", hash: "#/job/{words}?layer=2", act: paletteFound},
	{name: "palette-nothing", scene: "cluster", act: paletteNothing},
	{name: "cancel", scene: "cluster", hash: "#/job/{words}?layer=1", act: cancel},
	{name: "cancel-typed", scene: "cluster", hash: "#/job/{words}?layer=1", act: cancelTyped},
	{name: "cancel-refused", scene: "cluster", hash: "#/job/{words}?layer=1", act: cancelTyped, befalls: cancelRefused, refused: true},
	{name: "lost", scene: "cluster", befalls: lost, refused: true},
	{name: "lost-job", scene: "cluster", hash: "#/job/{payments}?layer=3", befalls: lost, refused: true},
	{name: "stale", scene: "cluster", hash: "#/job/{payments}?layer=2", befalls: stale},
	{name: "card-failed", scene: "cluster", hash: "#/task-manager/{tm}/metrics", befalls: failed("metrics"), refused: true},
	{name: "card-failed-panel", scene: "cluster", hash: "#/job/{payments}?layer=2&vertex={payments/risk}&tab=metrics", befalls: failed("flott/history"), refused: true},
	{name: "card-failed-graph", scene: "cluster", hash: "#/job/{payments}?layer=2", befalls: failed("flott/graphs"), refused: true},

	{name: "empty", scene: "empty", says: "flott run"},
	{name: "empty-taskmanagers", scene: "empty", hash: "#/task-manager"},
	{name: "idle", scene: "idle", says: "flott run"},
	{name: "idle-taskmanagers", scene: "idle", hash: "#/task-manager"},
	{name: "idle-taskmanager", scene: "idle", hash: "#/task-manager/{tm}"},
	{name: "idle-profiler", scene: "idle", hash: "#/task-manager/{tm}/profiler"},
	{name: "idle-palette", scene: "idle", act: palette},
	{name: "sign-in", scene: "locked", says: "token", refused: true},
	{name: "read-only", scene: "read-only", hash: "#/job/{words}?layer=2", says: "Socket Window WordCount"},
	{name: "read-only-profiler", scene: "read-only", hash: "#/task-manager/{tm}/profiler"},
	{name: "read-only-palette", scene: "read-only", hash: "#/job/{words}?layer=2", act: palette},

	{name: "wide-overview", scene: "wide", says: "Thousand subtasks"},
	{name: "wide-1-stream", scene: "wide", hash: "#/job/{wide}?layer=1", says: "numbers"},
	{name: "wide-2-job", scene: "wide", hash: "#/job/{wide}?layer=2", says: "numbers"},
	{name: "wide-3-execution", scene: "wide", hash: "#/job/{wide}?layer=3", says: "numbers"},
	{name: "wide-4-physical", scene: "wide", hash: "#/job/{wide}?layer=4", says: "numbers"},
	{name: "wide-5-table", scene: "wide", hash: "#/job/{wide}?layer=5", says: "numbers"},
	{name: "wide-subtasks", scene: "wide", hash: "#/job/{wide}?layer=3&vertex={wide/sums}&tab=subtasks", says: "sums"},
	{name: "wide-subtask", scene: "wide", hash: "#/job/{wide}?layer=3&vertex={wide/sums}&subtask=100&tab=subtasks", says: "sums"},
	{name: "wide-metrics", scene: "wide", hash: "#/job/{wide}?layer=2&vertex={wide/sums}&tab=metrics", says: "sums"},
	{name: "wide-pressure", scene: "wide", hash: "#/job/{wide}?layer=2&vertex={wide/sums}&tab=pressure", says: "sums"},
	{name: "wide-times", scene: "wide", hash: "#/job/{wide}?layer=2&vertex={wide/sums}&tab=times", says: "sums"},
	{name: "wide-taskmanager", scene: "wide", hash: "#/task-manager/{tm}"},

	{name: "plan-overview", scene: "plan", says: "Payments risk"},
	{name: "plan-1-stream", scene: "plan", hash: "#/job/{only}?layer=1", says: "orders"},
	{name: "plan-2-job", scene: "plan", hash: "#/job/{only}?layer=2", says: "orders"},
	{name: "plan-3-execution", scene: "plan", hash: "#/job/{only}?layer=3", says: "orders"},
	{name: "plan-5-table", scene: "plan", hash: "#/job/{only}?layer=5", says: "orders"},
	{name: "plan-panel", scene: "plan", hash: "#/job/{only}?layer=2&vertex={only/risk}", says: "risk"},
	{name: "plan-edge", scene: "plan", hash: "#/job/{only}?layer=1&edge={only/score>risk}", says: "risk"},
	{name: "plan-config", scene: "plan", hash: "#/job/{only}/config"},
	{name: "plan-keys", scene: "plan", hash: "#/job/{only}?layer=1", act: keys},
}

// open shows the place, with a scene of its own behind it.
func (p place) open(t *testing.T, l look) *tab {
	t.Helper()
	s := showScene(t, p.scene)
	l.still = s.At
	tb := p.visit(t, s, s.url, l)
	if p.befalls != nil {
		p.befalls(tb, s)
		tb.settle()
	}
	return tb
}

// visit goes there, by the page of a server, and does what there is to do.
func (p place) visit(t *testing.T, from asker, server string, l look) *tab {
	t.Helper()
	tb := blank(t)
	tb.tolerant = p.refused
	tb.dress(l)
	tb.load(server, at(t, from, p.hash))
	tb.says(p.says)
	tb.until(`document.querySelector(".status[data-status=connecting]") == null`) // the first event has come
	tb.settle()
	if p.act != nil {
		p.act(tb)
		tb.settle()
	}
	return tb
}

func keys(tb *tab) {
	tb.press("?")
	tb.until(`document.querySelector("dialog[open]")?.innerText.includes("Keys")`)
}

func palette(tb *tab) {
	tb.click("Find a job")
	tb.until(`document.querySelector("dialog[open] [role=option]") != null`)
}

func paletteFound(tb *tab) {
	palette(tb)
	tb.press("risk")
	tb.until(`[...document.querySelectorAll("[role=option]")].every(e => e.innerText.toLowerCase().includes("risk"))`)
}

func paletteNothing(tb *tab) {
	palette(tb)
	tb.press("xyzzy")
	tb.until(`document.querySelector("[role=option]") == null`)
}

func cancel(tb *tab) {
	tb.click("Cancel…")
	tb.says("flott cancel " + ids["words"])
}

func cancelTyped(tb *tab) {
	cancel(tb)
	tb.press(jobName["words"])
	tb.until(`!document.querySelector("dialog [type=submit]").disabled`)
}

func cancelRefused(tb *tab, s *scene) {
	s.refuse("mode=cancel")
	tb.press("\r")
	tb.until(`document.querySelector("dialog [role=alert]") != null`)
}

// lost takes the connection away.
func lost(tb *tab, s *scene) {
	tb.says("Live")
	s.cut()
	tb.says("onnection lost")
}

// stale has the server fall silent, though it is there.
func stale(tb *tab, s *scene) {
	tb.says("Live")
	s.hush()
	tb.says("Stale since")
}

// failed has the answers of a path be errors from now on.
func failed(path string) func(*tab, *scene) {
	return func(tb *tab, s *scene) {
		s.refuse(path)
		tb.must(chromedp.Do(tb.ctx, chromedp.Reload()))
		tb.says("this answer is an error")
	}
}

// However long names and errors are, no page is: two windows are enough for each. The log may be longer, and scrolls in its card.
func TestExternalLongNames(t *testing.T) {
	c := startCluster(t, 1, 2)
	c.run(map[string]string{"long": "RESTARTING"})
	job := "#/job/" + ids["long"]
	var of struct{ Vertices []struct{ ID string } }
	c.ask("/jobs/"+ids["long"], &of)
	tb := open(t, c.url, "", desk)
	for _, place := range []string{"", job + "?layer=1&vertex=" + of.Vertices[0].ID, job + "?layer=5", job + "/exceptions", "#/job-manager/logs"} {
		tb.visit(place)
		tb.says("a name that goes on")
		tb.settle()
		tb.narrow()
		if windows := eval[float64](tb, "document.documentElement.scrollHeight / innerHeight"); windows > 2 {
			t.Errorf("%q is %.1f windows high", place, windows)
		}
	}
}

// An asker reads answers of the REST API.
type asker interface {
	ask(path string, into any)
}

// at is a place of the page, with the ids of what there is.
func at(t *testing.T, from asker, hash string) string {
	t.Helper()
	for {
		before, rest, found := strings.Cut(hash, "{")
		if !found {
			return hash
		}
		name, after, _ := strings.Cut(rest, "}")
		hash = before + idOf(t, from, name) + after
	}
}

func idOf(t *testing.T, from asker, name string) string {
	t.Helper()
	if name == "tm" {
		var all struct{ TaskManagers []struct{ ID string } }
		from.ask("/taskmanagers", &all)
		return all.TaskManagers[0].ID
	}
	name, part, _ := strings.Cut(name, "/")
	job := jobID(from, name)
	if part == "" {
		return job
	}
	var g graphs
	from.ask("/jobs/"+job+"/flott/graphs", &g)
	source, target, isEdge := strings.Cut(part, ">")
	id := g.vertex(part)
	if isEdge {
		id = g.edge(source, target)
	}
	if id == "" {
		t.Fatalf("job %s has no %s", name, part)
	}
	return id
}

// jobID is the id of a job by its name in ids; only is the one that there is.
func jobID(from asker, name string) string {
	if name != "only" {
		return ids[name]
	}
	var all struct{ Jobs []struct{ JID string } }
	from.ask("/jobs/overview", &all)
	return all.Jobs[0].JID
}

// graphs is what tests read of /jobs/:id/flott/graphs.
type graphs struct {
	StreamGraph struct {
		Nodes []struct {
			ID   int
			Name string
		}
		Edges []struct {
			ID             string
			Source, Target int
		}
	}
	JobGraph struct{ Vertices []struct{ ID, Name string } }
}

func (g *graphs) vertex(name string) string {
	for _, v := range g.JobGraph.Vertices {
		if strings.Contains(v.Name, name) {
			return v.ID
		}
	}
	return ""
}

func (g *graphs) edge(source, target string) string {
	names := map[int]string{}
	for _, n := range g.StreamGraph.Nodes {
		names[n.ID] = n.Name
	}
	for _, e := range g.StreamGraph.Edges {
		if strings.HasSuffix(names[e.Source], source) && strings.HasSuffix(names[e.Target], target) {
			return e.ID
		}
	}
	return ""
}

// file is the name of a picture of the place.
func (p place) file(l look) string { return fmt.Sprintf("%s-%d-%s.png", p.name, l.width, l.theme) }
