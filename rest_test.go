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

	"github.com/flott-dev/flott"
)

// addresses takes where jobs can be looked at out of the log.
type addresses struct {
	slog.Handler
	found chan string
}

func (a addresses) Handle(_ context.Context, r slog.Record) error {
	r.Attrs(func(attr slog.Attr) bool {
		if attr.Key == "rest" {
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
	if err := job.Cancel(t.Context()); err != nil {
		t.Fatal(err)
	}
	if _, err := client.Get(base + "/overview"); err == nil {
		t.Error("it is served when the job is over")
	}
}

func ask(t *testing.T, client *http.Client, url string) (doc map[string]any) {
	t.Helper()
	a, err := client.Get(url)
	if err != nil {
		t.Fatal(err)
	}
	body, err := io.ReadAll(a.Body)
	if err := errors.Join(err, a.Body.Close(), json.Unmarshal(body, &doc)); err != nil {
		t.Fatalf("%v: %s", err, body)
	}
	return doc
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
