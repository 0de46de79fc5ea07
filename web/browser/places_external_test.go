//go:build external

package browser

import (
	"fmt"
	"strings"
	"testing"
)

// A place is a part of the page to look at.
type place struct {
	name string
	// hash is where it is. {JOB} stands for a job's id, {JOB/NAME} for the id of its vertex that has the name, {JOB/NAME>NAME} for that of
	// an edge between two operators, {tm} for the first TaskManager.
	hash string
	says string // some words of it
}

// everyPlace is all that the page has to show of the cluster of scenes.
var everyPlace = []place{
	{"overview", "", "Payments risk"},
	{"words-1-stream", "#/job/{words}?layer=1", "Socket Window WordCount"},
	{"words-2-job", "#/job/{words}?layer=2", ""},
	{"words-3-execution", "#/job/{words}?layer=3", ""},
	{"words-4-physical", "#/job/{words}?layer=4", ""},
	{"words-5-table", "#/job/{words}?layer=5", ""},
	{"payments-1-stream", "#/job/{payments}?layer=1", "bottleneck"},
	{"payments-3-execution", "#/job/{payments}?layer=3", ""},
	{"payments-4-physical", "#/job/{payments}?layer=4", ""},
	{"panel-overview", "#/job/{payments}?layer=2&vertex={payments/risk}", "risk"},
	{"panel-subtasks", "#/job/{payments}?layer=3&vertex={payments/risk}&tab=subtasks", ""},
	{"panel-watermarks", "#/job/{payments}?layer=2&vertex={payments/risk}&tab=watermarks", ""},
	{"panel-metrics", "#/job/{payments}?layer=2&vertex={payments/risk}&tab=metrics", ""},
	{"panel-flame", "#/job/{payments}?layer=2&vertex={payments/risk}&tab=flame", ""},
	{"panel-edge", "#/job/{payments}?layer=1&edge={payments/score>risk}", "risk"},
	{"checkpoints", "#/job/{payments}/checkpoints", "off"},
	{"exceptions", "#/job/{failing}/exceptions", "duplicate key"},
	{"exceptions-none", "#/job/{words}/exceptions", ""},
	{"configuration", "#/job/{payments}/config", ""},
	{"goroutines", "#/job/{payments}/goroutines", ""},
	{"job-failing", "#/job/{failing}?layer=3", "Inventory feed"},
	{"job-failed", "#/job/{failed}?layer=3", "Failed"},
	{"job-finished", "#/job/{finished}?layer=3", "Finished"},
	{"taskmanagers", "#/task-manager", ""},
	{"taskmanager", "#/task-manager/{tm}", ""},
	{"taskmanager-metrics", "#/task-manager/{tm}/metrics", ""},
	{"jobmanager-config", "#/job-manager/config", "rest.port"},
	{"jobmanager-log", "#/job-manager/logs", ""},
	{"unknown", "#/nowhere", "nowhere"},
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
	job, part, _ := strings.Cut(name, "/")
	if part == "" {
		return ids[job]
	}
	var g graphs
	from.ask("/jobs/"+ids[job]+"/flott/graphs", &g)
	source, target, isEdge := strings.Cut(part, ">")
	id := g.vertex(part)
	if isEdge {
		id = g.edge(source, target)
	}
	if id == "" {
		t.Fatalf("job %s has no %s", job, part)
	}
	return id
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
		if names[e.Source] == source && names[e.Target] == target {
			return e.ID
		}
	}
	return ""
}

// file is the name of a picture of the place.
func (p place) file(l look) string { return fmt.Sprintf("%s-%d-%s.png", p.name, l.width, l.theme) }
