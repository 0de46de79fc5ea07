package cluster

import (
	"context"
	"errors"
	"log/slog"
	"net"
	"net/http"
	"sync"
	"time"

	"github.com/flott-dev/flott/internal/config"
	"github.com/flott-dev/flott/internal/control/jobmanager"
	"github.com/flott-dev/flott/internal/control/rest"
	"github.com/flott-dev/flott/internal/control/rpc"
	"github.com/flott-dev/flott/internal/control/security"
	"github.com/flott-dev/flott/internal/control/transport"
	"github.com/flott-dev/flott/web"
)

// RunJobManager is a JobManager that takes jobs by REST and runs them on TaskManagers, until ctx ends or a client shuts it down. Then it
// cancels what runs. It calls ready when both ports are open; when it returns, they are closed.
func RunJobManager(ctx context.Context, s *config.Settings, ready func(rest, rpc net.Addr)) (err error) {
	if err := valid(s, "rest.bind-address", "jobmanager.bind-host"); err != nil {
		return err
	}
	h, err := openHome(s, "jobmanager")
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, h.close()) }()
	m, err := openJobManager(s, h)
	if err != nil {
		return err
	}
	h.log.Info("the JobManager is ready", "version", Version(), "rest", m.web.Addr().String(), "rpc", m.rpc.Addr().String())
	ready(m.web.Addr(), m.rpc.Addr())
	return m.run(ctx)
}

// A jobManagerProcess is the parts of a JobManager that is a process.
type jobManagerProcess struct {
	*jobmanager.Dispatcher
	log      *slog.Logger
	rpc      *transport.Server
	web      net.Listener
	front    *front
	shutdown chan struct{} // gets a value when a client wants the end
}

// openJobManager opens both ports.
func openJobManager(s *config.Settings, h *home) (*jobManagerProcess, error) {
	restart, err := restartOf(s)
	if err != nil {
		return nil, err
	}
	store, err := h.blobs(s)
	if err != nil {
		return nil, err
	}
	secured := security.From(s)
	m := &jobManagerProcess{log: h.log, shutdown: make(chan struct{}, 1)}
	m.rpc, err = transport.Listen(transport.Options{Version: Version(), Security: secured, Log: h.log}, address(s, "jobmanager.bind-host", "jobmanager.rpc.port"))
	if err != nil {
		return nil, PortError("jobmanager.rpc.port", err)
	}
	m.web, err = listen(secured, address(s, "rest.bind-address", "rest.port"))
	if err != nil {
		return nil, errors.Join(PortError("rest.port", err), m.rpc.Close())
	}
	m.Dispatcher = jobmanager.New(jobmanager.Options{
		// The token grows with each JobManager that takes another one's place.
		Token: rpc.Token(time.Now().UnixMilli()), Version: Version(), Logger: h.log, Archive: s.Text("jobmanager.archive.fs.dir"),
		Restart: restart, SlotTimeout: s.Duration("slot.request.timeout"),
		Retention: jobmanager.Retention{
			Jobs: s.Number("jobstore.max-capacity"), For: s.Duration("jobstore.expiration-time"), Archived: s.Number("historyserver.archive.retained-jobs"),
		},
	})
	v := &session{m.Dispatcher, store, h.self("JobManager"), m.rpc, s, m.shutdown, h.log}
	m.front = &front{rest.New(v, v, rest.Options{
		Log: h.log, Version: Version(), Token: secured.Token, Page: web.Page(), ReadOnly: s.Truth("web.read-only"), Book: h.book,
		Patience: s.Duration("diagnosis.patience"),
	}), store, secured}
	return m, nil
}

// run serves until ctx ends, or somebody wants the end, or a part fails. Then jobs are cancelled first, while their workers and clients
// can still be told.
func (m *jobManagerProcess) run(ctx context.Context) error {
	life, end := context.WithCancelCause(context.Background())
	defer end(nil)
	looks, over := context.WithCancel(life) // of pages
	defer over()
	web := newWebServer(m.front, m.log)
	var parts sync.WaitGroup // each ends with life
	parts.Go(func() { m.Run(life.Done()) })
	parts.Go(func() { m.front.api.Run(looks) })
	parts.Go(func() { m.front.blobs.Run(life) })
	parts.Go(func() { end(m.rpc.Serve(life, m.Dispatcher, m.Resources())) })
	parts.Go(func() {
		if err := web.Serve(m.web); !errors.Is(err, http.ErrServerClosed) {
			end(err)
		}
	})
	select {
	case <-ctx.Done():
		m.log.Info("the JobManager was told to end")
	case <-m.shutdown:
		m.log.Info("a client asked for the JobManager's end")
	case <-life.Done():
	}
	failure := context.Cause(life)
	m.cancelJobs()
	over() // else their streams would not end
	web.close()
	end(nil)
	parts.Wait()
	return failure
}

// lastCalls is for jobs to end that are cancelled because the JobManager ends.
const lastCalls = 10 * time.Second

func (m *jobManagerProcess) cancelJobs() {
	ctx, end := context.WithTimeout(context.Background(), lastCalls)
	defer end()
	if err := m.Close(ctx); err != nil {
		m.log.Warn("jobs did not end", "error", err)
	}
}
