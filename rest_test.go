package flott_test

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"log/slog"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/flott-dev/flott"
)

// addresses takes where jobs can be looked at out of the log.
type addresses struct {
	slog.Handler
	found chan string
}

func (a addresses) Handle(_ context.Context, r slog.Record) error {
	r.Attrs(func(attr slog.Attr) bool {
		if attr.Key == "page" {
			a.found <- attr.Value.String()
		}
		return true
	})
	return nil
}

func (a addresses) Enabled(context.Context, slog.Level) bool { return true }

// onFreePort lets the test's jobs be looked at, and finds out where.
func onFreePort(t *testing.T) addresses {
	inFolder(t, "rest.port: 0")
	before := slog.Default()
	t.Cleanup(func() { slog.SetDefault(before) })
	at := addresses{slog.DiscardHandler, make(chan string, 1)}
	slog.SetDefault(slog.New(at))
	return at
}

func TestEmbeddedJobCanBeLookedAt(t *testing.T) {
	at := onFreePort(t)
	env := flott.New(flott.Parallelism(1))
	env.From(flott.Sequence(0, 1<<62)).KeyBy(func(v int64) int64 { return v % 7 }).Reduce(func(a, b int64) int64 { return max(a, b) }).Discard()
	job, err := env.Start(t.Context(), "looked at")
	if err != nil {
		t.Fatal(err)
	}
	base := <-at.found
	client := &http.Client{Transport: &http.Transport{DisableKeepAlives: true}}
	if got := ask(t, client, base+"/jobs/"+job.ID()); got["name"] != "looked at" {
		t.Errorf("the job is %v", got)
	}
	graphs := ask(t, client, base+"/jobs/"+job.ID()+"/flott/graphs")
	if text, _ := json.Marshal(graphs["streamGraph"]); !strings.Contains(string(text), "(HASH)") {
		t.Errorf("no word why edges are not chained: %s", text)
	}
	if page := get(t, client, base); !strings.Contains(page, "<title>flott</title>") {
		t.Errorf("the page is %s", page)
	}
	if err := job.Cancel(t.Context()); err != nil {
		t.Fatal(err)
	}
	if _, err := client.Get(base + "/overview"); err == nil {
		t.Error("it is served when the job is over")
	}
}

func ask(t *testing.T, client *http.Client, url string) (doc map[string]any) {
	t.Helper()
	body := get(t, client, url)
	if err := json.Unmarshal([]byte(body), &doc); err != nil {
		t.Fatalf("%v: %s", err, body)
	}
	return doc
}

func get(t *testing.T, client *http.Client, url string) string {
	t.Helper()
	a, err := client.Get(url)
	if err != nil {
		t.Fatal(err)
	}
	body, err := io.ReadAll(a.Body)
	if err := errors.Join(err, a.Body.Close()); err != nil {
		t.Fatal(err)
	}
	return string(body)
}

// What the code says wins over the settings; only those decide whether the page may change something.
func TestPage(t *testing.T) {
	at := onFreePort(t)
	t.Setenv("FLOTT_REST_PORT", "1")
	t.Setenv("FLOTT_WEB_READ_ONLY", "true")
	env := flott.New(flott.Page("127.0.0.1:0"))
	env.From(flott.Sequence(0, 1<<62)).Discard()
	job, err := env.Start(t.Context(), "with a page")
	if err != nil {
		t.Fatal(err)
	}
	client := &http.Client{Transport: &http.Transport{DisableKeepAlives: true}}
	if config := ask(t, client, <-at.found+"/config"); config["flott"].(map[string]any)["readOnly"] != true {
		t.Errorf("the page is told %v", config)
	}
	if err := job.Cancel(t.Context()); err != nil {
		t.Fatal(err)
	}
}

// Who does not want to wait a minute until a job that hangs is said to make no progress says how long.
func TestPatienceOfADiagnosis(t *testing.T) {
	at := onFreePort(t)
	t.Setenv("FLOTT_DIAGNOSIS_PATIENCE", "1s")
	release := make(chan bool)
	env := flott.New()
	env.From(flott.Sequence(0, 1<<62)).To(flott.ForEach(func(int64) error {
		<-release
		return nil
	}))
	job, err := env.Start(t.Context(), "hangs")
	if err != nil {
		t.Fatal(err)
	}
	client := &http.Client{Transport: &http.Transport{DisableKeepAlives: true}}
	url := <-at.found + "/jobs/" + job.ID() + "/flott/diagnosis"
	end := time.Now().Add(50 * time.Second) // which is less than a minute
	for ask(t, client, url)["level"] != "stalled" {
		if time.Now().After(end) {
			t.Fatal("nothing is said of a job that hangs")
		}
		time.Sleep(100 * time.Millisecond)
	}
	close(release)
	if err := job.Cancel(t.Context()); err != nil {
		t.Fatal(err)
	}
}

func TestAddressThatIsNoPages(t *testing.T) {
	for _, wrong := range []string{"8081", ":8081", "0.0.0.0:8081", "example.com:80"} {
		env := flott.New(flott.Page(wrong))
		env.From(flott.Of(1)).Discard()
		if _, err := env.Execute(t.Context(), "with a page"); err == nil || !strings.Contains(err.Error(), "127.0.0.1:8081") {
			t.Errorf("%s: %v", wrong, err)
		}
	}
}

func TestPortThatIsTaken(t *testing.T) {
	at := onFreePort(t)
	env := flott.New(flott.Parallelism(1))
	env.From(flott.Sequence(0, 1<<62)).Discard()
	job, err := env.Start(t.Context(), "first")
	if err != nil {
		t.Fatal(err)
	}
	t.Setenv("FLOTT_REST_PORT", (<-at.found)[len("http://127.0.0.1:"):])
	second := flott.New(flott.Parallelism(1))
	second.From(flott.Of(1)).Discard()
	if _, err := second.Execute(t.Context(), "second"); err == nil || !strings.Contains(err.Error(), "rest.port") {
		t.Errorf("two jobs on one port: %v", err)
	}
	if err := job.Cancel(t.Context()); err != nil {
		t.Fatal(err)
	}
}
