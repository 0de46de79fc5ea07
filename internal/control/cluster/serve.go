package cluster

import (
	"context"
	"errors"
	"log/slog"
	"net"
	"net/http"
	"sync"
	"time"

	"github.com/flott-dev/flott/internal/control/rest"
	"github.com/flott-dev/flott/web"
)

// Shown is how an embedded job is shown.
type Shown struct {
	Log      *slog.Logger
	ReadOnly bool          // to browsers
	Patience time.Duration // of the diagnosis, as rest.Options has it
}

// Serve serves the page and Flink's REST API over the job, as long as it runs. It closes the listener. What is logged of the job here
// the page shows, too.
func (j *Job) Serve(l net.Listener, s Shown) error {
	log := slog.New(slog.NewMultiHandler(s.Log.Handler(), j.book.Handler()))
	handler := rest.New(j.View(), nil, rest.Options{
		Log: log, Version: Version(), Page: web.Page(), ReadOnly: s.ReadOnly, Book: j.book, Patience: s.Patience,
	})
	server := newWebServer(handler, s.Log)
	ctx, end := context.WithCancel(context.Background())
	var running sync.WaitGroup // of goroutines that end with the job
	running.Go(func() { handler.Run(ctx) })
	running.Go(func() {
		<-j.master.Done()
		end()
		server.close()
	})
	err := server.Serve(l)
	running.Wait()
	if errors.Is(err, http.ErrServerClosed) {
		return nil
	}
	return err
}

// A webServer serves by HTTP.
type webServer struct {
	http.Server
	silent silent
}

// newWebServer serves what h answers. What clients do wrong is not worth more than a line for those who look for it.
func newWebServer(h http.Handler, log *slog.Logger) *webServer {
	w := &webServer{}
	w.Handler, w.ReadHeaderTimeout, w.IdleTimeout = h, readHeader, idle
	w.ErrorLog = slog.NewLogLogger(log.Handler(), slog.LevelDebug)
	w.ConnState = w.silent.note
	return w
}

const (
	readHeader = 10 * time.Second // for a client to say what it wants
	idle       = 2 * time.Minute  // that a connection stays open of which nobody wants anything
	lastWish   = time.Second      // for a client that has just connected to say what it wants, when the server is to end
	// lastAnswers is for answers that are being made then, and for the last event of pages: long, as the machine may be busy.
	lastAnswers = 10 * time.Second
)

// close lets clients have the answers that there are, and pages the last event.
func (w *webServer) close() {
	ctx, end := context.WithTimeout(context.Background(), lastAnswers)
	defer end()
	defer time.AfterFunc(lastWish, w.silent.close).Stop()
	if err := w.Shutdown(ctx); err != nil { // somebody follows something that does not end
		_ = w.Close() // all there is to close is connections
	}
}

// A silent is the connections on which nothing was asked yet. Browsers open some in advance, for which Shutdown would wait for seconds.
type silent struct {
	mu    sync.Mutex
	conns map[net.Conn]bool
}

func (s *silent) note(c net.Conn, is http.ConnState) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.conns == nil {
		s.conns = map[net.Conn]bool{}
	}
	if delete(s.conns, c); is == http.StateNew {
		s.conns[c] = true
	}
}

func (s *silent) close() {
	s.mu.Lock()
	defer s.mu.Unlock()
	for c := range s.conns {
		_ = c.Close() // nothing was said on it
	}
}
