//go:build external

package browser

import (
	"bytes"
	"fmt"
	"net/http"
	"os/exec"
	"strings"
	"testing"
	"time"
)

// stages set each scene up, and take what is to be seen of it.
var stages = map[string]func(*scene){
	"cluster":   stageCluster,
	"empty":     func(s *scene) { s.take(startCluster(s.t, 0, 1)) },
	"idle":      func(s *scene) { s.take(startCluster(s.t, 1, 2)) },
	"locked":    func(s *scene) { s.take(startCluster(s.t, 0, 1, "FLOTT_SECURITY_TOKEN=secret")) },
	"read-only": stageReadOnly,
	"wide":      stageWide,
	"plan":      stagePlan,
}

// stageCluster has jobs that fare well, badly, and not any more.
func stageCluster(s *scene) {
	c := startCluster(s.t, 2, 4, "FLOTT_SLOT_REQUEST_TIMEOUT=1 h") // one job waits for slots
	c.run(map[string]string{"words": "RUNNING", "payments": "RUNNING", "stuck": "RUNNING", "failing": "RUNNING", "cancelled": "RUNNING"})
	c.cancel("cancelled")
	c.run(map[string]string{"failed": "FAILED", "finished": "FINISHED"})
	c.submit("waiting")
	time.Sleep(75 * time.Second) // until it is plain that the stuck one is stuck
	c.profile("/jobmanager/profiler")
	c.profile(at(s.t, c, "/taskmanagers/{tm}/profiler"))
	s.take(c)
}

func stageReadOnly(s *scene) {
	c := startCluster(s.t, 1, 2, "FLOTT_WEB_READ_ONLY=true")
	c.run(map[string]string{"words": "RUNNING"})
	time.Sleep(15 * time.Second) // until rates have something to rest on
	s.take(c)
}

func stageWide(s *scene) {
	c := startCluster(s.t, 2, 125)
	c.run(map[string]string{"wide": "RUNNING"})
	time.Sleep(30 * time.Second) // a thousand subtasks take a while to start
	s.take(c)
}

func stagePlan(s *scene) {
	s.take(&cluster{t: s.t, url: planned(s.t, "payments")})
}

// planned shows the plan of a job on a page, and tells where.
func planned(t *testing.T, job string) (url string) {
	t.Helper()
	cmd := exec.Command(programs.flott, "plan", "--page", "127.0.0.1:0", programs.jobs, "--", job)
	place, stop := serving(t, cmd, "flott: plan ready: ")
	t.Cleanup(stop)
	url, _, _ = strings.Cut(place, "/#")
	return url
}

func (c *cluster) cancel(job string) {
	c.t.Helper()
	c.send(http.MethodPatch, "/jobs/"+ids[job]+"?mode=cancel", "")
	c.await(job, "CANCELED")
}

// profile takes one of a process.
func (c *cluster) profile(path string) {
	c.t.Helper()
	c.send(http.MethodPost, path, `{"mode":"CPU","duration":1}`)
	for end := time.Now().Add(time.Minute); ; time.Sleep(100 * time.Millisecond) {
		var list struct{ ProfilingList []struct{ Status string } }
		c.ask(path, &list)
		if all := list.ProfilingList; len(all) > 0 && all[0].Status == "FINISHED" {
			return
		}
		if time.Now().After(end) {
			c.t.Fatalf("%s: %+v", path, list)
		}
	}
}

// send asks the JobManager to do something.
func (c *cluster) send(method, path, body string) {
	c.t.Helper()
	r, err := http.NewRequestWithContext(c.t.Context(), method, c.url+path, bytes.NewReader([]byte(body)))
	if err != nil {
		c.t.Fatal(err)
	}
	r.Header.Set("Content-Type", "application/json")
	a, err := http.DefaultClient.Do(r)
	if err != nil {
		c.t.Fatal(err)
	}
	_ = a.Body.Close()
	if a.StatusCode >= http.StatusMultipleChoices {
		c.t.Fatal(fmt.Errorf("%s %s: %s", method, path, a.Status))
	}
}
