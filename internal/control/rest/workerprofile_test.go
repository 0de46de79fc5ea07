package rest

import (
	"strings"
	"testing"

	"github.com/google/pprof/profile"
)

func TestProfileOfWorkers(t *testing.T) {
	b := newBench(t, nil, Options{})
	path := "/jobs/" + running + "/flott/profile"
	a, body := b.ask("GET", path+"?kind=heap&seconds=3", "")
	if a.StatusCode != 200 || a.Header.Get("Content-Type") != profileContentType {
		t.Fatal(a.Status, a.Header)
	}
	p, err := profile.ParseData([]byte(body))
	if err != nil || len(p.Sample) == 0 {
		t.Errorf("%v, %v", p, err)
	}
	for query, want := range map[string]int{"?kind=nosuch": 400, "?seconds=0": 400, "?seconds=x": 400, "?seconds=100000": 400} {
		if a, _ := b.ask("GET", path+query, ""); a.StatusCode != want {
			t.Errorf("%s: %s", query, a.Status)
		}
	}
	if a, _ := b.ask("GET", "/jobs/"+nobody+"/flott/profile", ""); a.StatusCode != 404 {
		t.Error(a.Status)
	}
}

func TestGoroutinesOfWorkers(t *testing.T) {
	b := newBench(t, nil, Options{})
	a, body := b.ask("GET", "/jobs/"+running+"/flott/goroutines", "")
	if want := "worker tm-1/worker\n\ngoroutine 1 [running]:\n"; a.StatusCode != 200 || !strings.HasPrefix(body, want) {
		t.Errorf("%s: %s, want %s", a.Status, body, want)
	}
}
