package resttest

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"slices"
	"strings"
	"testing"
)

// A Server is asked what Flink was asked.
type Server struct {
	T      testing.TB
	URL    string
	Client *http.Client
	// Names is what stands in Flink's requests for what, here: ids of jobs and vertices, names of files.
	Names map[string]string
	used  map[int]bool // indexes of differences that were found
}

// Replay asks one thing, and fails the test for what is different without reason.
func (s *Server) Replay(r *Recording) {
	s.T.Helper()
	for _, found := range s.replay(r) {
		if i := slices.IndexFunc(Differences, func(d Difference) bool { return d.has(r, found) }); i < 0 {
			s.T.Errorf("%s: %s %s: %s", r.Name, r.Request.Method, r.Request.Path, found)
		} else {
			if s.used == nil {
				s.used = map[int]bool{}
			}
			s.used[i] = true
		}
	}
}

// Unused is the differences that nothing of what was replayed has.
func (s *Server) Unused() (all []Difference) {
	for i, d := range Differences {
		if !s.used[i] {
			all = append(all, d)
		}
	}
	return all
}

// ask does not follow redirects: they are one of the things to see.
func (s *Server) ask(method, path, body, contentType string) (*http.Response, string) {
	s.T.Helper()
	r, err := http.NewRequestWithContext(s.T.Context(), method, s.URL+path, strings.NewReader(body))
	if err != nil {
		s.T.Fatal(err)
	}
	if contentType != "" {
		r.Header.Set("Content-Type", contentType)
	}
	client := *s.Client
	client.CheckRedirect = func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }
	a, err := client.Do(r)
	if err != nil {
		s.T.Fatal(err)
	}
	text, err := io.ReadAll(a.Body)
	if err := errors.Join(err, a.Body.Close()); err != nil {
		s.T.Fatal(err)
	}
	return a, string(text)
}

// replay is the differences between Flink's answer and ours.
func (s *Server) replay(r *Recording) (found []string) {
	s.T.Helper()
	path := r.Request.Path
	if r.Request.Query != "" {
		path += "?" + r.Request.Query
	}
	for flinks, ours := range s.Names {
		path = strings.ReplaceAll(path, flinks, ours)
	}
	header := r.Request.Headers["Content-Type"]
	a, body := s.ask(r.Request.Method, path, bodyOf(r), header)
	if a.StatusCode != r.Response.Status {
		return []string{fmt.Sprintf("status %d, want %d", a.StatusCode, r.Response.Status)}
	}
	for flinks, ours := range s.Names {
		body = strings.ReplaceAll(body, ours, flinks)
	}
	if got, want := a.Header.Get("Content-Type"), r.header("content-type"); got != want {
		found = append(found, fmt.Sprintf("content type %q, want %q", got, want))
	}
	if want := r.header("access-control-allow-origin"); a.Header.Get("Access-Control-Allow-Origin") != want {
		found = append(found, fmt.Sprintf("cors %q, want %q", a.Header.Get("Access-Control-Allow-Origin"), want))
	}
	if r.Request.Method == http.MethodHead || !strings.HasPrefix(r.header("content-type"), "application/json") {
		return found
	}
	if a.StatusCode >= 300 {
		return append(found, differentErrors(r.Response.Body, []byte(body))...)
	}
	return append(found, differentShapes("", shapeOf(r.Response.Body), shapeOf([]byte(body)))...)
}

// bodyOf is the request's: JSON, or text that is none.
func bodyOf(r *Recording) string {
	var s string
	if json.Unmarshal(r.Request.Body, &s) == nil {
		return s
	}
	return string(r.Request.Body)
}

// differentErrors compares the number of errors and the first line of each.
func differentErrors(want, got []byte) []string {
	var w, g errorBody
	if err := json.Unmarshal(want, &w); err != nil {
		return []string{err.Error()}
	}
	if err := json.Unmarshal(got, &g); err != nil {
		return []string{fmt.Sprintf("no error: %s", got)}
	}
	for i := range g.Errors {
		g.Errors[i] = shortened(g.Errors[i]).(string)
	}
	if !slices.Equal(w.Errors, g.Errors) {
		return []string{fmt.Sprintf("errors %q, want %q", g.Errors, w.Errors)}
	}
	return nil
}

type errorBody struct {
	Errors []string `json:"errors"`
}
