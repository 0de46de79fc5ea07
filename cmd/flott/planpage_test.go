package main

import (
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// The page shows jobs that do not run: each with its graphs, and as something that nobody can change.
func TestPlanAsPage(t *testing.T) {
	two, err := filepath.Abs("testdata/jobs/two")
	if err != nil {
		t.Fatal(err)
	}
	r := start(t, t.TempDir(), "plan", "--page", "127.0.0.1:0", two)
	url, found := strings.CutPrefix(strings.TrimSpace(r.ready), "flott: plan ready: ")
	if !found {
		t.Fatalf("it says %q", r.ready)
	}
	var overview struct {
		Jobs []struct{ JID, Name, State string }
	}
	read(t, url+"jobs/overview", &overview)
	if len(overview.Jobs) != 2 || overview.Jobs[0].Name != "first" || overview.Jobs[0].State != "CREATED" {
		t.Fatalf("the jobs are %+v", overview.Jobs)
	}
	var graphs struct {
		StreamGraph struct{ Nodes []any }
		JobGraph    struct{ Vertices []any }
	}
	read(t, url+"jobs/"+overview.Jobs[1].JID+"/flott/graphs", &graphs)
	if len(graphs.StreamGraph.Nodes) != 2 || len(graphs.JobGraph.Vertices) != 1 {
		t.Errorf("the graphs are %+v", graphs)
	}
	var config struct{ Flott struct{ Plan, ReadOnly bool } }
	if read(t, url+"config", &config); !config.Flott.Plan || !config.Flott.ReadOnly {
		t.Errorf("the page is told %+v", config)
	}
	r.end(os.Interrupt)
}

func read(t *testing.T, url string, into any) {
	t.Helper()
	a, err := http.Get(url)
	if err != nil {
		t.Fatal(err)
	}
	text, err := io.ReadAll(a.Body)
	if err := errors.Join(err, a.Body.Close(), json.Unmarshal(text, into)); err != nil {
		t.Fatalf("%s: %v: %s", url, err, text)
	}
}
