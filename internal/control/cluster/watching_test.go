package cluster

import (
	"bufio"
	"encoding/json"
	"io"
	"net"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/flott-dev/flott/internal/control/view"
	"github.com/flott-dev/flott/internal/graph/program"
)

// A logLine is a line of a log as REST has it.
type logLine struct {
	Seq                       int64
	At                        int64
	Level, Message, Job, Task string
	Fields                    map[string]string
}

// TestEmbeddedJobsCanBeWatched asks for what an embedded job has logged, and what has happened to it.
func TestEmbeddedJobsCanBeWatched(t *testing.T) {
	f := programs["fail"](2)
	g, binding := f.compile(t)
	g.Restart = program.RestartStrategy{Type: program.FixedDelay, Fixed: program.FixedRestart{Attempts: 1000, Delay: time.Hour}}
	job, err := Start(t.Context(), g, binding, Options{Logger: quiet.Logger})
	check(t, err)
	l, err := net.Listen("tcp", "127.0.0.1:0")
	check(t, err)
	served := make(chan error, 1)
	go func() { served <- job.Serve(l, Shown{Log: quiet.Logger}) }() // ends with the job
	client := &http.Client{Transport: &http.Transport{DisableKeepAlives: true}}
	get := func(path string, into any) {
		t.Helper()
		r, err := http.NewRequestWithContext(t.Context(), http.MethodGet, "http://"+l.Addr().String()+path, nil)
		check(t, err)
		a, err := client.Do(r)
		check(t, err)
		defer func() { check(t, a.Body.Close()) }()
		check(t, json.NewDecoder(a.Body).Decode(into))
	}
	var said struct{ Lines []logLine }
	await(t, says("a line of the log"), func() bool {
		get("/jobmanager/flott/log?level=warn&q=starts+again", &said)
		return len(said.Lines) > 0
	})
	if line := said.Lines[0]; line.Job != job.ID().String() || line.Level != "WARN" || !strings.Contains(line.Fields["error"], "deliberate failure") || line.Task == "" {
		t.Errorf("the log says %+v", line)
	}
	var overview struct {
		Flott struct{ Events []struct{ Kind, Text string } }
	}
	get("/overview", &overview)
	if e := overview.Flott.Events; len(e) < 2 || e[0].Kind != string(view.JobRestarted) || !strings.Contains(e[0].Text, "Starts again in 1 h 0 min with 3 tasks: ") {
		t.Errorf("what happened: %+v", e)
	}
	stream := openEvents(t, client, "http://"+l.Addr().String()+"/flott/events?job="+job.ID().String())
	check(t, job.Cancel(t.Context()))
	check(t, <-served)
	rest, err := io.ReadAll(stream)
	check(t, err) // which ends as it should
	if _, last, _ := strings.Cut(string(rest), "event: job\n"); !strings.Contains(last, `"state":"CANCELED"`) {
		t.Errorf("the last that a page hears is %s", rest)
	}
}

// openEvents is a stream from which the first event was read.
func openEvents(t *testing.T, client *http.Client, url string) io.Reader {
	t.Helper()
	r, err := http.NewRequestWithContext(t.Context(), http.MethodGet, url, nil)
	check(t, err)
	a, err := client.Do(r)
	check(t, err)
	t.Cleanup(func() { check(t, a.Body.Close()) })
	stream := bufio.NewReader(a.Body)
	first, err := stream.ReadString('\n')
	check(t, err)
	if first != "event: frame\n" {
		t.Errorf("the stream begins with %q", first)
	}
	return stream
}
