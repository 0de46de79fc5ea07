//go:build external

package browser

import (
	"bytes"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"os"
	"regexp"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/flott-dev/flott/web"
)

// A scene is a cluster at one moment: what a JobManager has answered to all that the page asks. So the page looks the same each time.
// The files in testdata/scenes are recordings of real clusters, which -record makes anew.
type scene struct {
	t       *testing.T
	At      int64 // ms since the epoch
	Answers map[string]*answer
	// Events are the first of each stream, which then has nothing new.
	Events map[string]string

	mu  sync.Mutex
	url string
}

type answer struct {
	Status int             `json:",omitempty"` // 0: OK
	JSON   json.RawMessage `json:",omitempty"`
	Text   string          `json:",omitempty"` // what is not JSON
}

var (
	record = flag.Bool("record", false, "record the scenes anew")
	update = flag.Bool("update", false, "take the pictures of today for right")
)

// showScene serves a scene by its name.
func showScene(t *testing.T, name string, stage func(*scene)) *scene {
	t.Helper()
	file := "testdata/scenes/" + name + ".json"
	s := &scene{t: t, Answers: map[string]*answer{}, Events: map[string]string{}}
	if *record {
		stage(s)
		s.save(file)
	}
	text, err := os.ReadFile(file)
	if err := errors.Join(err, json.Unmarshal(text, s)); err != nil {
		t.Fatal(err)
	}
	server := httptest.NewServer(s)
	t.Cleanup(server.Close)
	s.url = server.URL
	return s
}

// ServeHTTP answers as the JobManager did.
func (s *scene) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if web.Page().Serve(w, r) {
		return
	}
	if strings.HasSuffix(r.URL.Path, "/flott/events") {
		s.stream(w, r)
		return
	}
	a := s.find(r.URL)
	switch {
	case a == nil:
		http.Error(w, "this was not recorded", http.StatusNotFound)
	case a.JSON != nil:
		w.Header().Set("Content-Type", "application/json; charset=UTF-8")
		w.WriteHeader(max(a.Status, http.StatusOK))
		_, _ = w.Write(a.JSON)
	default:
		w.Header().Set("Content-Type", "text/plain; charset=utf-8")
		w.WriteHeader(max(a.Status, http.StatusOK))
		_, _ = io.WriteString(w, a.Text)
	}
}

// find is the answer to a question, or to one that differs only in what it asks for.
func (s *scene) find(u *url.URL) *answer {
	if a := s.Answers[u.RequestURI()]; a != nil {
		return a
	}
	for asked, a := range s.Answers {
		if path, _, _ := strings.Cut(asked, "?"); path == u.Path {
			return a
		}
	}
	return nil
}

// sent is when an event was sent, as it says.
var sent = regexp.MustCompile(`"now":\d+`)

// stream sends what was recorded, as if it were now, and then only that it is there.
func (s *scene) stream(w http.ResponseWriter, r *http.Request) {
	w.Header().Set("Content-Type", "text/event-stream")
	_, _ = io.WriteString(w, sent.ReplaceAllString(s.Events[r.URL.RequestURI()], fmt.Sprintf(`"now":%d`, s.At)))
	tick := time.NewTicker(time.Second)
	defer tick.Stop()
	for seq := 1000; ; seq++ {
		if err := http.NewResponseController(w).Flush(); err != nil {
			return
		}
		select {
		case <-r.Context().Done():
			return
		case <-tick.C:
		}
		fmt.Fprintf(w, "event: frame\nid: %d\ndata: {\"now\":%d,\"seq\":%d}\n\n", seq, s.At, seq)
	}
}

// ask reads an answer.
func (s *scene) ask(path string, into any) {
	s.t.Helper()
	a := s.Answers[path]
	if a == nil {
		s.t.Fatalf("%s was not recorded", path)
	}
	if err := json.Unmarshal(a.JSON, into); err != nil {
		s.t.Fatal(err)
	}
}

// take visits places of a cluster's page, and keeps what it was answered.
func (s *scene) take(c *cluster, places []place) {
	s.t.Helper()
	to, err := url.Parse(c.url)
	if err != nil {
		s.t.Fatal(err)
	}
	proxy := &httputil.ReverseProxy{FlushInterval: -1, Rewrite: func(r *httputil.ProxyRequest) { r.SetURL(to) }, ModifyResponse: s.keep}
	server := httptest.NewServer(proxy)
	defer server.Close()
	for _, p := range places {
		tb := open(s.t, server.URL, at(s.t, c, p.hash), desk)
		tb.settle()
		time.Sleep(3 * time.Second) // until it has asked for what it asks for later
		tb.complaints()             // answers are what they are
		tb.close()
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.At = time.Now().UnixMilli()
}

// keep keeps the last answer to each question.
func (s *scene) keep(a *http.Response) error {
	u := a.Request.URL
	if a.Request.Method != http.MethodGet || u.Path == "/" || strings.HasPrefix(u.Path, "/assets/") {
		return nil
	}
	if strings.HasSuffix(u.Path, "/flott/events") {
		a.Body = &tape{ReadCloser: a.Body, scene: s, key: u.RequestURI(), end: time.Now().Add(1500 * time.Millisecond)}
		return nil
	}
	body, err := io.ReadAll(a.Body)
	if err := errors.Join(err, a.Body.Close()); err != nil {
		return err
	}
	a.Body = io.NopCloser(bytes.NewReader(body))
	kept := &answer{Text: string(body)}
	if json.Valid(body) {
		kept = &answer{JSON: body}
	}
	if a.StatusCode != http.StatusOK {
		kept.Status = a.StatusCode
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.Answers[u.RequestURI()] = kept
	return nil
}

// A tape keeps the beginning of a stream.
type tape struct {
	io.ReadCloser
	scene *scene
	key   string
	end   time.Time
	text  []byte
}

func (t *tape) Read(p []byte) (int, error) {
	n, err := t.ReadCloser.Read(p)
	if time.Now().Before(t.end) {
		t.text = append(t.text, p[:n]...)
	}
	return n, err
}

func (t *tape) Close() error {
	whole := t.text[:bytes.LastIndex(append([]byte("\n\n"), t.text...), []byte("\n\n"))]
	t.scene.mu.Lock()
	defer t.scene.mu.Unlock()
	if len(t.scene.Events[t.key]) < len(whole) {
		t.scene.Events[t.key] = string(whole)
	}
	return t.ReadCloser.Close()
}

// save writes the scene, without the names of this machine.
func (s *scene) save(file string) {
	s.t.Helper()
	text, err := json.MarshalIndent(s, "", " ")
	if err != nil {
		s.t.Fatal(err)
	}
	host, err := os.Hostname()
	if err != nil {
		s.t.Fatal(err)
	}
	text = regexp.MustCompile(`\b`+regexp.QuoteMeta(host)+`\b`).ReplaceAll(text, []byte("host-1"))
	text = bytes.ReplaceAll(text, []byte(os.TempDir()+"/"), []byte("/var/flott/"))
	if err := os.WriteFile(file, text, 0o644); err != nil {
		s.t.Fatal(err)
	}
}
