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
	server := webServer(handler, s.Log)
	ctx, end := context.WithCancel(context.Background())
	var running sync.WaitGroup // of goroutines that end with the job
	running.Go(func() { handler.Run(ctx) })
	running.Go(func() {
		<-j.master.Done()
		end()
		closeWeb(server)
	})
	err := server.Serve(l)
	running.Wait()
	if errors.Is(err, http.ErrServerClosed) {
		return nil
	}
	return err
}

// closeWeb lets clients have the answers that there are, and pages the last event.
func closeWeb(web *http.Server) {
	ctx, end := context.WithTimeout(context.Background(), lastAnswers)
	defer end()
	if err := web.Shutdown(ctx); err != nil { // somebody follows something that does not end
		_ = web.Close() // all there is to close is connections
	}
}

// webServer serves by HTTP. What clients do wrong is not worth more than a line for those who look for it.
func webServer(h http.Handler, log *slog.Logger) *http.Server {
	return &http.Server{
		Handler: h, ReadHeaderTimeout: readHeader, IdleTimeout: idle,
		ErrorLog: slog.NewLogLogger(log.Handler(), slog.LevelDebug),
	}
}

const (
	readHeader = 10 * time.Second // for a client to say what it wants
	idle       = 2 * time.Minute  // that a connection stays open of which nobody wants anything
)
