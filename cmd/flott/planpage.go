package main

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"sync"
	"time"

	"github.com/flott-dev/flott/internal/control/cluster"
	"github.com/flott-dev/flott/internal/control/process"
	"github.com/flott-dev/flott/internal/control/rest"
	"github.com/flott-dev/flott/internal/control/view"
	"github.com/flott-dev/flott/internal/graph/execgraph"
	"github.com/flott-dev/flott/internal/graph/jobdoc"
	"github.com/flott-dev/flott/internal/id"
	"github.com/flott-dev/flott/web"
)

// serve shows the plans of the program's jobs as the page, until ctx ends.
func (r *planRequest) serve(ctx context.Context, stdout, stderr io.Writer) error {
	l, err := net.Listen("tcp", r.page)
	if err != nil {
		return cluster.PortError("--page", err)
	}
	shown, err := r.plans(ctx, stderr)
	if err != nil {
		return errors.Join(err, l.Close())
	}
	fmt.Fprintf(stdout, "flott: plan ready: http://%s/%s\n", l.Addr(), shown.place())
	return shown.serve(ctx, l)
}

// plans is the jobs of the program.
func (r *planRequest) plans(ctx context.Context, stderr io.Writer) (*plans, error) {
	r.format = "page"
	var printed bytes.Buffer
	if err := inFolder(func(dir string) error { return r.run(ctx, dir, &printed, stderr) }); err != nil {
		return nil, err
	}
	shown := &plans{self: process.New("flott plan", process.Options{Version: cluster.Version()})}
	for d := json.NewDecoder(&printed); d.More(); {
		var s view.Submission
		if err := d.Decode(&s); err != nil {
			return nil, fmt.Errorf("the plan of %s: %w", r.program, err)
		}
		if err := shown.add(&s); err != nil {
			return nil, fmt.Errorf("the plan of %s: %w", r.program, err)
		}
	}
	return shown, nil
}

// plans is a cluster without machines, whose jobs do not run.
type plans struct {
	jobs []*view.Job
	self *process.Self
}

// serve shows them until ctx ends.
func (p *plans) serve(ctx context.Context, l net.Listener) error {
	silent := slog.New(slog.DiscardHandler)
	api := rest.New(p, nil, rest.Options{Log: silent, Version: cluster.Version(), Page: web.Page(), ReadOnly: true, Plan: true})
	server := &http.Server{Handler: api, ReadHeaderTimeout: 10 * time.Second, ErrorLog: slog.NewLogLogger(silent.Handler(), slog.LevelDebug)}
	ctx, end := context.WithCancel(ctx)
	var running sync.WaitGroup // of goroutines that end with ctx
	running.Go(func() { api.Run(ctx) })
	running.Go(func() {
		<-ctx.Done()
		_ = server.Close() // all there is to close is connections
	})
	err := server.Serve(l)
	end()
	running.Wait()
	if errors.Is(err, http.ErrServerClosed) {
		return nil
	}
	return err
}

// add takes a job, whose id is the same each time it is looked at: links to it go on working.
func (p *plans) add(s *view.Submission) error {
	g, err := jobdoc.Decode(s.Graph)
	if err != nil {
		return err
	}
	e, err := execgraph.From(g)
	if err != nil {
		return err
	}
	sum := sha256.Sum256(fmt.Appendf(nil, "%d %s", len(p.jobs), g.Name))
	j := &view.Job{
		ID: id.Job(sum[:len(id.Job{})]), Graph: g, StreamGraph: s.StreamGraph,
		State: view.Created, Entered: map[view.JobState]int64{view.Created: time.Now().UnixMilli()},
	}
	for i := range e.Vertices {
		j.Vertices = append(j.Vertices, planned(&e.Vertices[i]))
	}
	p.jobs = append(p.jobs, j)
	return nil
}

// planned is a vertex none of whose subtasks was ever tried.
func planned(e *execgraph.Vertex) view.Vertex {
	v := view.Vertex{Parallelism: e.Parallelism, MaxParallelism: e.MaxParallelism}
	for range e.Executions {
		v.Subtasks = append(v.Subtasks, view.Subtask{Attempts: make([]view.Attempt, 1)})
	}
	return v
}

// place is where the page shows the job; several can be chosen from.
func (p *plans) place() string {
	if len(p.jobs) != 1 {
		return ""
	}
	return "#/job/" + p.jobs[0].ID.String()
}

func (p *plans) Jobs(context.Context) ([]*view.Job, error) { return p.jobs, nil }

func (p *plans) Job(_ context.Context, want id.Job) (*view.Job, error) {
	for _, j := range p.jobs {
		if j.ID == want {
			return j, nil
		}
	}
	return nil, view.ErrUnknownJob
}

func (p *plans) Cancel(context.Context, id.Job) error                      { return view.ErrUnavailable }
func (p *plans) TaskManagers(context.Context) ([]*view.TaskManager, error) { return nil, nil }
func (p *plans) JobManager() view.Process                                  { return p.self }
func (p *plans) TaskManager(string) (view.Process, error)                  { return nil, view.ErrUnknownTaskManager }
func (p *plans) Workers(context.Context, id.Job) ([]view.Process, error)   { return nil, nil }
func (p *plans) Config() []view.Setting                                    { return nil }
func (p *plans) Happenings(int64) []view.Happening                         { return nil }
func (p *plans) Shutdown()                                                 {}
