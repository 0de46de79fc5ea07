// Package resttest compares a server with Flink: it has recordings of a real Flink 2.3, asks what Flink was asked, and finds what is
// different in status, headers, the form of errors, and members and types of the answers. What may be different stands in one table,
// with the reason.
package resttest

import (
	"bufio"
	"bytes"
	"compress/gzip"
	_ "embed" // the recordings
	"encoding/json"
	"strings"
	"testing"
)

// A Recording is a request to Flink and its answer.
type Recording struct {
	Name    string `json:"name"`
	Request struct {
		Method  string            `json:"method"`
		Path    string            `json:"path"`
		Query   string            `json:"query"`
		Headers map[string]string `json:"headers"`
		Body    json.RawMessage   `json:"body"`
	} `json:"request"`
	Response struct {
		Status  int             `json:"status"`
		Headers [][2]string     `json:"headers"`
		Body    json.RawMessage `json:"body"`
	} `json:"response"`
}

//go:embed testdata/flink.jsonl.gz
var packed []byte

func (r *Recording) header(name string) string {
	for _, h := range r.Response.Headers {
		if h[0] == name {
			return h[1]
		}
	}
	return ""
}

// Recordings is all of them, by name.
func Recordings(t testing.TB) (all []Recording) {
	t.Helper()
	z, err := gzip.NewReader(bytes.NewReader(packed))
	if err != nil {
		t.Fatal(err)
	}
	lines := bufio.NewScanner(z)
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		var r Recording
		if err := json.Unmarshal(lines.Bytes(), &r); err != nil {
			t.Fatal(err)
		}
		all = append(all, r)
	}
	if err := lines.Err(); err != nil {
		t.Fatal(err)
	}
	return all
}

// Endpoint says that it is a request to an endpoint, and not to a file of Flink's dashboard.
func (r *Recording) Endpoint() bool {
	return r.Request.Path != "" && !strings.HasPrefix(r.Name, "static_")
}
