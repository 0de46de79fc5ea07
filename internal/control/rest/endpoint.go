package rest

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"reflect"
	"regexp"
	"strings"
)

// An endpoint is one line of the table.
type endpoint struct {
	Method, Path string // as Flink writes it: /jobs/:jobid
	About        string
	Fate         fate
	Why          string // of absent and never: the reason
	Changes      bool   // that is, a request from another site is refused
	Beyond       bool   // Flink has no such endpoint
	Query        []string
	Status       int
	Request      reflect.Type // nil: no body
	Answer       reflect.Type // nil: no JSON
	Media        string       // "": JSON
	serve        func(s *Server, w http.ResponseWriter, c *call) error
}

// A fate is what becomes of an endpoint of Flink in flott.
type fate string

const (
	served fate = "served"
	never  fate = "never triggered" // answers as Flink does where the thing has never happened
	absent fate = "404 with reason"
)

// anyFile is the path of the static files.
const anyFile = "/:*"

var parameter = regexp.MustCompile(`:(\w+)`)

// pattern is the endpoint's for http.ServeMux.
func (e *endpoint) pattern() string {
	return e.Method + " " + parameter.ReplaceAllString(e.Path, "{$1}")
}

// parameters is the names in the path.
func (e *endpoint) parameters() []string {
	var names []string
	for _, m := range parameter.FindAllStringSubmatch(e.Path, -1) {
		names = append(names, m[1])
	}
	return names
}

// get is an endpoint that is asked for JSON.
func get[A any](path, about string, f func(*call) (A, error)) *endpoint {
	return &endpoint{
		Method: http.MethodGet, Path: path, About: about, Fate: served, Status: http.StatusOK, Answer: reflect.TypeFor[A](),
		serve: func(s *Server, w http.ResponseWriter, c *call) error {
			a, err := f(c)
			if err != nil {
				return err
			}
			s.answer(w, c, c.endpoint.Status, a)
			return nil
		},
	}
}

// do is an endpoint that changes something, told what by JSON. The body may be missing.
func do[B, A any](method, path string, status int, about string, f func(*call, B) (A, error)) *endpoint {
	e := get(path, about, func(c *call) (a A, err error) {
		var b B
		if err := c.read(&b); err != nil {
			return a, err
		}
		return f(c, b)
	})
	e.Method, e.Status, e.Changes, e.Request = method, status, true, reflect.TypeFor[B]()
	if e.Request == reflect.TypeFor[none]() {
		e.Request = nil
	}
	return e
}

// none is an empty body or answer.
type none struct{}

// plain is an endpoint that answers with text, as long as it may be.
func plain(path, about string, f func(*call) (io.ReadCloser, error)) *endpoint {
	return &endpoint{
		Method: http.MethodGet, Path: path, About: about, Fate: served, Status: http.StatusOK, Media: "text/plain",
		serve: func(s *Server, w http.ResponseWriter, c *call) error {
			from, err := f(c)
			if err != nil {
				return err
			}
			s.stream(w, c, from)
			if err := from.Close(); err != nil {
				s.options.Log.Debug("text cannot be closed", "path", c.URL.Path, "error", err)
			}
			return nil
		},
	}
}

// missing is an endpoint that flott cannot have.
func missing(method, path, why string) *endpoint {
	return &endpoint{
		Method: method, Path: path, Fate: absent, Why: why, Status: http.StatusNotFound, Answer: reflect.TypeFor[errorBody](),
		serve: func(*Server, http.ResponseWriter, *call) error { return refuse(http.StatusNotFound, "%s", why) },
	}
}

// query names the parameters of an endpoint's query.
func (e *endpoint) query(names ...string) *endpoint {
	e.Query = names
	return e
}

// untriggered says that the thing never happens here, and why.
func (e *endpoint) untriggered(why string) *endpoint {
	e.Fate, e.Why = never, why
	return e
}

// changes marks a GET that changes something.
func (e *endpoint) changes() *endpoint {
	e.Changes = true
	return e
}

// beyond marks what Flink does not have.
func (e *endpoint) beyond() *endpoint {
	e.Beyond = true
	return e
}

// handler serves an endpoint.
func (s *Server) handler(e *endpoint) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		c := &call{Request: r, server: s, endpoint: e}
		switch err := e.serve(s, w, c); {
		case err == nil:
		case errors.Is(err, context.Canceled): // nobody waits for the answer; without one it must not look like a success
			panic(http.ErrAbortHandler)
		default:
			s.fail(w, r, failureOf(err), s.shared(e))
		}
	})
}

// shared says that pages of other sites may read the answer.
func (s *Server) shared(e *endpoint) bool {
	return e.Method == http.MethodGet && !e.Changes && s.options.Token == ""
}

func (s *Server) answer(w http.ResponseWriter, c *call, status int, a any) {
	if s.shared(c.endpoint) {
		w.Header().Set("Access-Control-Allow-Origin", "*")
	}
	writeJSON(w, status, a)
}

func writeJSON(w http.ResponseWriter, status int, a any) {
	var b strings.Builder
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(a); err != nil {
		http.Error(w, err.Error(), http.StatusInternalServerError)
		return
	}
	w.Header().Set("Content-Type", "application/json; charset=UTF-8")
	w.WriteHeader(status)
	_, _ = io.WriteString(w, strings.TrimSuffix(b.String(), "\n")) // or the reader has gone
}

// stream sends text. That the reader has gone is no error of ours.
func (s *Server) stream(w http.ResponseWriter, c *call, from io.Reader) {
	if s.shared(c.endpoint) {
		w.Header().Set("Access-Control-Allow-Origin", "*")
	}
	w.Header().Set("Content-Type", c.endpoint.Media)
	w.WriteHeader(c.endpoint.Status)
	if _, err := io.Copy(w, from); err != nil {
		s.options.Log.Debug("answer was cut off", "path", c.URL.Path, "error", err)
	}
}
