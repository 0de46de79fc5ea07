package connector_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"sync"
	"testing"

	"github.com/flott-dev/flott"
	"github.com/flott-dev/flott/connector"
	"github.com/flott-dev/flott/connector/connectortest"
)

// Post sends records to a web server: up to a thousand in one request, as a JSON array.
type Post[T any] struct{ URL string }

func (p Post[T]) Writer(ctx context.Context, _, _ int) (connector.Writer[T], error) {
	return &poster[T]{ctx: ctx, url: p.URL}, nil
}

type poster[T any] struct {
	ctx    context.Context
	url    string
	unsent []T
}

func (p *poster[T]) Write(v []T, _ []int64) error {
	p.unsent = append(p.unsent, v...)
	if len(p.unsent) < 1000 {
		return nil
	}
	return p.Flush(false)
}

func (p *poster[T]) Flush(bool) error {
	if len(p.unsent) == 0 {
		return nil
	}
	body, err := json.Marshal(p.unsent)
	if err != nil {
		return err
	}
	request, err := http.NewRequestWithContext(p.ctx, http.MethodPost, p.url, bytes.NewReader(body))
	if err != nil {
		return err
	}
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		return err
	}
	p.unsent = p.unsent[:0]
	if err := response.Body.Close(); err != nil {
		return err
	}
	if response.StatusCode >= 300 {
		return fmt.Errorf("%s answered %s", p.url, response.Status)
	}
	return nil
}

func (p *poster[T]) Close() error {
	http.DefaultClient.CloseIdleConnections()
	return nil
}

// A server keeps what is posted to it, by path. Nothing can be posted to /broken.
type server struct {
	mu     sync.Mutex
	posted map[string][]string
}

func (s *server) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	s.mu.Lock()
	defer s.mu.Unlock()
	var records []string
	if err := json.NewDecoder(r.Body).Decode(&records); err != nil || r.URL.Path == "/broken" {
		w.WriteHeader(http.StatusInternalServerError)
		return
	}
	s.posted[r.URL.Path] = append(s.posted[r.URL.Path], records...)
}

func (s *server) records(path string) []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.posted[path]
}

func Example_sink() {
	s := &server{posted: map[string][]string{}}
	web := httptest.NewServer(s)
	defer web.Close()

	env := flott.New(flott.Parallelism(1))
	env.From(flott.Of("a", "b", "c")).To(Post[string]{web.URL + "/letters"})
	if _, err := env.Execute(context.Background(), "post"); err != nil {
		fmt.Println(err)
	}
	fmt.Println(s.records("/letters"))
	// Output: [a b c]
}

func TestPost(t *testing.T) {
	s := &server{posted: map[string][]string{}}
	web := httptest.NewServer(s)
	defer web.Close()
	places := 0
	connectortest.Sink(t, connectortest.SinkCase[string]{
		New: func() (connector.Sink[string], func() ([]string, error)) {
			places++
			path := fmt.Sprintf("/%d", places)
			return Post[string]{web.URL + path}, func() ([]string, error) { return s.records(path), nil }
		},
		Record: func(i int) string { return fmt.Sprintf("record %d", i) },
		Broken: func() connector.Sink[string] { return Post[string]{web.URL + "/broken"} },
	})
}
