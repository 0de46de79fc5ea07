//go:build external

package browser

import (
	"bytes"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"maps"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"os"
	"regexp"
	"slices"
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
	name    string
	At      int64 // ms since the epoch
	Answers map[string]*answer
	// Events are the first of each stream, which then has nothing new.
	Events map[string]string

	mu     sync.Mutex
	url    string
	server *httptest.Server
	fate   fate
}

// A fate is what becomes of a scene's server.
type fate struct {
	gone, silent bool
	refused      string // words of addresses whose answers are errors; "": none
}

type answer struct {
	Status int `json:",omitempty"` // 0: OK
	Body   string
}

var (
	record = flag.Bool("record", false, "record the scenes anew")
	update = flag.Bool("update", false, "take the pictures of today for right")
)

// recordScene sets a scene up and keeps it.
func recordScene(t *testing.T, name string) {
	t.Helper()
	s := &scene{t: t, name: name, Answers: map[string]*answer{}, Events: map[string]string{}}
	stages[name](s)
	s.save()
}

func (s *scene) file() string { return "testdata/scenes/" + s.name + ".json" }

// showScene serves a scene until the test ends.
func showScene(t *testing.T, name string) *scene {
	t.Helper()
	s := &scene{t: t, name: name}
	text, err := os.ReadFile(s.file())
	if err := errors.Join(err, json.Unmarshal(text, s)); err != nil {
		t.Fatal(err)
	}
	s.server = httptest.NewServer(s)
	t.Cleanup(s.server.Close)
	s.url = s.server.URL
	return s
}

// befall changes the fate of the scene.
func (s *scene) befall(change func(*fate)) {
	s.mu.Lock()
	defer s.mu.Unlock()
	change(&s.fate)
}

func (s *scene) fated() fate {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.fate
}

// cut takes the server away, as far as one can see.
func (s *scene) cut() {
	s.befall(func(f *fate) { f.gone = true })
	s.server.CloseClientConnections()
}

// hush ends the events, but not their stream.
func (s *scene) hush() { s.befall(func(f *fate) { f.silent = true }) }

// refuse makes errors of the answers to addresses that have these words.
func (s *scene) refuse(words string) { s.befall(func(f *fate) { f.refused = words }) }

func (f fate) refuses(address string) bool {
	return f.refused != "" && strings.Contains(address, f.refused)
}

// ServeHTTP answers as the JobManager did.
func (s *scene) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	f := s.fated()
	switch {
	case f.gone:
		panic(http.ErrAbortHandler)
	case web.Page().Serve(w, r):
	case f.refuses(r.URL.RequestURI()):
		http.Error(w, `{"errors": ["this answer is an error"]}`, http.StatusInternalServerError)
	case strings.HasSuffix(r.URL.Path, "/flott/events"):
		s.stream(w, r)
	default:
		s.find(r).send(w)
	}
}

// send writes the answer. What was not recorded there is not.
func (a *answer) send(w http.ResponseWriter) {
	if a == nil {
		http.Error(w, "this was not recorded", http.StatusNotFound)
		return
	}
	if json.Valid([]byte(a.Body)) {
		w.Header().Set("Content-Type", "application/json; charset=UTF-8")
	} else {
		w.Header().Set("Content-Type", "text/plain; charset=utf-8")
	}
	w.WriteHeader(max(a.Status, http.StatusOK))
	_, _ = io.WriteString(w, a.Body)
}

// find is the answer to a question. What follows on a text that was read is nothing.
func (s *scene) find(r *http.Request) *answer {
	if goesOn(r) {
		return &answer{}
	}
	return s.Answers[r.URL.RequestURI()]
}

// goesOn says that the rest of a text is asked for.
func goesOn(r *http.Request) bool { return r.Header.Get("Log-Offset") != "" }

// sent is when an event was sent, as it says.
var sent = regexp.MustCompile(`"now":\d+`)

// stream sends what was recorded, as if it were now, and then only that it is there.
func (s *scene) stream(w http.ResponseWriter, r *http.Request) {
	begin, recorded := s.Events[r.URL.RequestURI()]
	if !recorded {
		http.NotFound(w, r)
		return
	}
	w.Header().Set("Content-Type", "text/event-stream")
	_, _ = io.WriteString(w, sent.ReplaceAllString(begin, fmt.Sprintf(`"now":%d`, s.At)))
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
		if s.fated().silent {
			continue
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
	if err := json.Unmarshal([]byte(a.Body), into); err != nil {
		s.t.Fatal(err)
	}
}

// take visits the places of a cluster's page, and keeps what it was answered.
func (s *scene) take(c *cluster) {
	s.t.Helper()
	to, err := url.Parse(c.url)
	if err != nil {
		s.t.Fatal(err)
	}
	proxy := &httputil.ReverseProxy{FlushInterval: -1, Rewrite: func(r *httputil.ProxyRequest) { r.SetURL(to) }, ModifyResponse: s.keep}
	server := httptest.NewServer(proxy)
	defer server.Close()
	for _, p := range everyPlace {
		if p.scene != s.name || p.befalls != nil { // what befalls a place is no other one
			continue
		}
		tb := p.visit(s.t, &cluster{t: s.t, url: server.URL}, server.URL, desk)
		time.Sleep(3 * time.Second) // until it has asked for what it asks for later
		tb.complaints()             // answers are what they are
		tb.close()
	}
	s.takeAgain(server.URL)
	time.Sleep(4 * time.Second) // until there are new samples of what goroutines do
	s.takeAgain(server.URL)
	s.At = time.Now().UnixMilli()
}

// takeAgain asks all that was asked once more, at one moment: what was answered on the way is minutes old by now.
func (s *scene) takeAgain(server string) {
	var asking sync.WaitGroup
	for _, question := range s.questions() {
		asking.Go(func() { s.read(server + question) })
	}
	asking.Wait()
}

// read reads an answer, or the beginning of a stream.
func (s *scene) read(url string) {
	a, err := http.Get(url)
	if err != nil {
		s.t.Error(err)
		return
	}
	end := time.AfterFunc(2*taped, func() { _ = a.Body.Close() })
	defer end.Stop()
	_, _ = io.Copy(io.Discard, a.Body)
	_ = a.Body.Close()
}

func (s *scene) questions() []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return append(slices.Collect(maps.Keys(s.Answers)), slices.Collect(maps.Keys(s.Events))...)
}

// keep keeps the last answer to each question.
func (s *scene) keep(a *http.Response) error {
	u := a.Request.URL
	if a.Request.Method != http.MethodGet || goesOn(a.Request) || u.Path == "/" || strings.HasPrefix(u.Path, "/assets/") {
		return nil
	}
	if strings.HasSuffix(u.Path, "/flott/events") {
		a.Body = &tape{ReadCloser: a.Body, scene: s, key: u.RequestURI(), end: time.Now().Add(taped)}
		return nil
	}
	body, err := io.ReadAll(a.Body)
	if err := errors.Join(err, a.Body.Close()); err != nil {
		return err
	}
	a.Body = io.NopCloser(bytes.NewReader(body))
	kept := &answer{Body: string(body)}
	if a.StatusCode != http.StatusOK {
		kept.Status = a.StatusCode
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.Answers[u.RequestURI()] = kept
	return nil
}

// taped is how much of a stream is kept: a frame or two.
const taped = 1500 * time.Millisecond

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
	if len(whole) > 0 {
		t.scene.Events[t.key] = string(whole)
	}
	return t.ReadCloser.Close()
}

// save writes the scene, without the names of this machine.
func (s *scene) save() {
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
	text = regexp.MustCompile(regexp.QuoteMeta(os.TempDir())+`/Test\w+/\d+`).ReplaceAll(text, []byte("/var/flott"))
	if err := os.WriteFile(s.file(), text, 0o644); err != nil {
		s.t.Fatal(err)
	}
}
