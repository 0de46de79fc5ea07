// Package rest serves Flink's REST API, and what flott has beyond it, over a view.Source.
//
// There is one table of endpoints (table.go). Each has its path as Flink writes it, what becomes of it (served, never triggered,
// absent), a plain struct for its answer, and a function. Serving, docs/rest.md and the OpenAPI document are made from the table, so
// that they cannot disagree. Programs that were written for Flink are pointed at this server: names, types, status codes, the form
// of errors and known quirks are Flink's, and a test replays recordings of a real Flink against it.
//
// What Flink lacks stands in a member called flott, or under a path with /flott/ in it.
package rest

import (
	"context"
	"log/slog"
	"net/http"
	"path"
	"strings"
	"time"

	"github.com/flott-dev/flott/internal/control/logbook"
	"github.com/flott-dev/flott/internal/control/view"
	"github.com/flott-dev/flott/internal/decide/diagnose"
	"github.com/flott-dev/flott/internal/label"
	"github.com/flott-dev/flott/web"
)

// A Server is an http.Handler. Run must run while it serves.
type Server struct {
	source     view.Source
	client     view.Client
	options    Options
	mux        *http.ServeMux
	metrics    http.Handler
	history    *history
	health     *health
	operations *operations
	background *background
	flames     *flames
	profiles   *profiles
	started    time.Time
}

// Options are the settings of a server.
type Options struct {
	Log     *slog.Logger // nil: slog.Default()
	Version string       // of flott
	Commit  string
	// Token, unless it is empty, must come with every request: "Authorization: Bearer TOKEN".
	Token string
	// Patience is how long a task may have work and do none of it before the job is said to make no progress; 0: a minute.
	Patience time.Duration
	// Refresh is how often a page that polls is to do so; 0: every 3 s.
	Refresh time.Duration
	// Book has the lines of this process's log; nil: nothing keeps them.
	Book *logbook.Book
	// Page is served beside the endpoints. nil: there is no page.
	Page *web.Site
	// ReadOnly keeps browsers from changing anything. Command lines still can.
	ReadOnly bool
	// Plan says that the jobs are programs that do not run, for people to look at.
	Plan bool
}

// New serves what source shows. client may be nil: then jobs cannot be submitted here, as they cannot to an embedded JobManager.
func New(source view.Source, client view.Client, o Options) *Server {
	if o.Log == nil {
		o.Log = slog.Default()
	}
	if o.Refresh == 0 {
		o.Refresh = 3 * time.Second
	}
	s := &Server{
		source: source, client: client, options: o,
		mux:     http.NewServeMux(),
		history: newHistory(source), health: newHealth(o.Log, diagnose.Options{Patience: o.Patience}), operations: newOperations(),
		background: newBackground(),
		started:    time.Now(),
	}
	s.flames, s.profiles = newFlames(source, s.background), newProfiles(s.background)
	s.metrics = metricsHandler(s)
	for _, e := range endpoints {
		if e.Path != anyFile {
			s.mux.Handle(e.pattern(), s.handler(e))
		}
	}
	return s
}

// Run looks after running jobs, for rates and health, until ctx ends, and then waits for what requests have started.
func (s *Server) Run(ctx context.Context) {
	defer s.background.close()
	defer context.AfterFunc(ctx, s.background.end)() // for streams, also while Run looks
	tick := time.NewTicker(watchInterval)
	defer tick.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
			label.Watch(func() { s.watch(ctx) })
		}
	}
}

// watchInterval is how often running jobs are looked at when nobody asks.
const watchInterval = 5 * time.Second

// watch looks at every job that is not over.
func (s *Server) watch(ctx context.Context) {
	jobs, err := s.source.Jobs(ctx)
	if err != nil {
		s.options.Log.Debug("jobs cannot be looked at", "error", err)
		return
	}
	s.lookAtAll(ctx, jobs)
	s.history.keep(jobs)
	s.health.keep(jobs)
	s.flames.keep(jobs)
	s.profiles.keep(s.source)
}

// ServeHTTP finds the endpoint of a path, which may stand below /v1. Whatever is no endpoint is 404, also a wrong method. The files of
// the page come first, and without a token: there is nothing secret in them, and it is the page that asks for the token.
func (s *Server) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if s.options.Page != nil && s.servePage(w, r) {
		return
	}
	r = timed(w, r)
	bare := withoutVersion(r)
	_, pattern := s.mux.Handler(bare)
	switch {
	case !s.admit(w, r, bare, pattern):
	case pattern == "" || method(pattern) != r.Method || path.Clean(bare.URL.Path) != bare.URL.Path:
		s.noEndpoint(w, r)
	default:
		label.Watch(func() { s.mux.ServeHTTP(w, bare) })
	}
}

// servePage answers what is asked of the page, which stands below /v1 as well; false: that is nothing of it. Of a folder without its
// slash the links of the page would lead elsewhere.
func (s *Server) servePage(w http.ResponseWriter, r *http.Request) bool {
	if r.URL.Path != "/v1" {
		return s.options.Page.Serve(w, withoutVersion(r))
	}
	w.Header().Set("Location", "v1/")
	w.WriteHeader(http.StatusMovedPermanently)
	return true
}

func method(pattern string) string {
	m, _, _ := strings.Cut(pattern, " ")
	return m
}

// withoutVersion is the request with its path as the table has it.
func withoutVersion(r *http.Request) *http.Request {
	if !strings.HasPrefix(r.URL.Path, "/v1/") {
		return r
	}
	bare := *r
	u := *r.URL
	u.Path = strings.TrimPrefix(u.Path, "/v1")
	u.RawPath = strings.TrimPrefix(u.RawPath, "/v1")
	bare.URL = &u
	return &bare
}

// noEndpoint is Flink's answer where there is none: GET would have been for a file of the page.
func (s *Server) noEndpoint(w http.ResponseWriter, r *http.Request) {
	message := "Not found: " + r.URL.Path
	if r.Method == http.MethodGet {
		message = "Unable to load requested file " + r.URL.Path + "."
	}
	s.fail(w, r, &failure{http.StatusNotFound, []string{message}}, false)
}

// now is the time as all of the API has it.
func now() int64 { return time.Now().UnixMilli() }
