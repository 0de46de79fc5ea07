package rest

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/google/pprof/profile"
	"go.uber.org/goleak"

	"github.com/flott-dev/flott/internal/control/view"
	"github.com/flott-dev/flott/internal/label"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// A bench is a server over a cluster in memory.
type bench struct {
	t testing.TB
	*httptest.Server
	cluster *cluster
	rest    *Server
}

func newBench(t testing.TB, client view.Client, o Options) *bench {
	t.Helper()
	o.Log = slog.New(slog.NewTextHandler(t.Output(), nil))
	b := &bench{t: t, cluster: newCluster(t)}
	b.rest = New(b.cluster, client, o)
	b.Server = httptest.NewServer(b.rest)
	t.Cleanup(func() { // without Run, which would also look at jobs now and then, in the midst of a test that is slow
		b.rest.background.close() // which ends streams
		b.Server.Client().CloseIdleConnections()
		b.Server.Close()
	})
	return b
}

// ask sends a request; header is names and values in turn.
func (b *bench) ask(method, path, body string, header ...string) (*http.Response, string) {
	b.t.Helper()
	r, err := http.NewRequestWithContext(b.t.Context(), method, b.URL+path, strings.NewReader(body))
	if err != nil {
		b.t.Fatal(err)
	}
	for i := 0; i < len(header); i += 2 {
		r.Header.Set(header[i], header[i+1])
		if header[i] == "Host" {
			r.Host = header[i+1]
		}
	}
	// A server that redirects is one of the things to see.
	client := &http.Client{Transport: b.Server.Client().Transport, CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}
	a, err := client.Do(r)
	if err != nil {
		b.t.Fatal(err)
	}
	text, err := io.ReadAll(a.Body)
	if err := errors.Join(err, a.Body.Close()); err != nil {
		b.t.Fatal(err)
	}
	return a, string(text)
}

// into asks and reads the answer.
func (b *bench) into(path string, v any) {
	b.t.Helper()
	a, body := b.ask("GET", path, "")
	if err := json.Unmarshal([]byte(body), v); err != nil || a.StatusCode != 200 {
		b.t.Fatalf("%s: %d %v: %s", path, a.StatusCode, err, body)
	}
}

const (
	running  = "8a6b3fa373cd814e9925808e858e4e6d"
	finished = "90f06501f8d54ce702ff5d5dbbd4ad20"
	nobody   = "00000000000000000000000000000001"
)

func labelledProfile() ([]byte, error) {
	f := &profile.Function{ID: 1, Name: "main.work"}
	l := &profile.Location{ID: 1, Line: []profile.Line{{Function: f, Line: 12}}}
	sample := func(vertex string) *profile.Sample {
		return &profile.Sample{Location: []*profile.Location{l}, Value: []int64{3}, Label: map[string][]string{
			label.Vertex: {vertex}, label.Subtask: {"(1/1)"}, label.Operator: {"running count"},
		}}
	}
	p := &profile.Profile{
		SampleType: []*profile.ValueType{{Type: "goroutine", Unit: "count"}}, Function: []*profile.Function{f}, Location: []*profile.Location{l},
		Sample: []*profile.Sample{sample(vertexForProfile), sample("another")},
	}
	var b bytes.Buffer
	err := p.Write(&b)
	return b.Bytes(), err
}

// vertexForProfile is the vertex that samples of the fake worker are of.
const vertexForProfile = "51397532e2d9c7a21097a30d590b3114"
