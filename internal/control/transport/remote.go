package transport

import (
	"context"
	"fmt"
	"io"
	"net"
	"time"

	"google.golang.org/protobuf/proto"

	"github.com/flott-dev/flott/internal/control/transport/wire"
	"github.com/flott-dev/flott/internal/control/view"
	"github.com/flott-dev/flott/internal/id"
)

// A remote is the process of a TaskManager or worker that is connected, as a view.Process.
type remote struct {
	of    *processes
	name  string
	job   id.Job // zero: it is a TaskManager
	conn  net.Conn
	send  func(*wire.Question)
	lost  context.Context // ends with the connection
	turns chan struct{}   // has an element for each question that is being answered
}

func newRemote[Out proto.Message, In any](of *processes, l *link[Out, In], conn net.Conn, name string, job id.Job, as func(*wire.Question) Out) *remote {
	return &remote{
		of: of, name: name, job: job, conn: conn, lost: l.ctx, turns: make(chan struct{}, mostQuestions),
		send: func(q *wire.Question) { l.send(as(q)) },
	}
}

// ask waits until an answer begins. Who asks reads and closes it.
func (r *remote) ask(ctx context.Context, q *wire.Question, within time.Duration) (*answer, error) {
	ctx, end := context.WithTimeoutCause(ctx, within, errLate)
	q.Within = int64(within)
	a, err := r.begin(ctx, q)
	if err != nil {
		end()
		return nil, fmt.Errorf("%s: %w: %w", r.name, view.ErrNoAnswer, err)
	}
	a.end = end
	return a, nil
}

// begin takes a turn, which ends with ctx, and asks.
func (r *remote) begin(ctx context.Context, q *wire.Question) (*answer, error) {
	select {
	case r.turns <- struct{}{}:
		context.AfterFunc(ctx, func() { <-r.turns })
	case <-ctx.Done():
		return nil, context.Cause(ctx)
	case <-r.lost.Done():
		return nil, context.Cause(r.lost)
	}
	number, begun := r.of.open(ctx, r.conn)
	defer r.of.forget(number)
	q.Number = number
	r.send(q)
	select {
	case a := <-begun:
		return a, nil
	case <-ctx.Done():
		return nil, context.Cause(ctx)
	case <-r.lost.Done():
		return nil, context.Cause(r.lost)
	}
}

// one is the only part of an answer.
func (r *remote) one(ctx context.Context, subject wire.Subject) (*wire.Part, error) {
	a, err := r.ask(ctx, &wire.Question{Subject: subject}, answerIn)
	if err != nil {
		return nil, err
	}
	defer a.end()
	return a.part()
}

// text is all of an answer.
func (r *remote) text(ctx context.Context, q *wire.Question, within time.Duration) ([]byte, error) {
	a, err := r.ask(ctx, q, within)
	if err != nil {
		return nil, err
	}
	defer a.end()
	text, err := io.ReadAll(io.LimitReader(a, mostAnswer+1))
	if len(text) > mostAnswer {
		err = fmt.Errorf("%s: %w: %w", r.name, view.ErrUnavailable, errLarge)
	}
	return text, err
}

// file is an answer that is read piece by piece. That there is no such file is known at once.
func (r *remote) file(ctx context.Context, q *wire.Question) (io.ReadCloser, error) {
	a, err := r.ask(ctx, q, longestRead)
	if err != nil {
		return nil, err
	}
	m, err := a.part()
	switch {
	case err == io.EOF: //nolint:errorlint // it comes as it is
	case err != nil:
		a.end()
		return nil, err
	default:
		a.rest = m.GetPiece()
	}
	return a, nil
}

// Name is the id of the TaskManager or worker.
func (r *remote) Name() string { return r.name }

// Figures is what it uses.
func (r *remote) Figures(ctx context.Context) (view.Figures, error) {
	m, err := r.one(ctx, wire.Subject_FIGURES)
	var d decoder
	return d.figures(m.GetFigures()), orElse(err, &d)
}

// Logs is its log files.
func (r *remote) Logs(ctx context.Context) ([]view.LogFile, error) {
	m, err := r.one(ctx, wire.Subject_LOGS)
	var d decoder
	return each(m.GetLogs().GetFiles(), d.logFile), orElse(err, &d)
}

// Log is one of them.
func (r *remote) Log(ctx context.Context, name string, from int64) (io.ReadCloser, error) {
	return r.file(ctx, &wire.Question{Subject: wire.Subject_LOG, Name: name, From: from})
}

// Stdout is what it has printed.
func (r *remote) Stdout(ctx context.Context) (io.ReadCloser, error) {
	return r.file(ctx, &wire.Question{Subject: wire.Subject_STDOUT})
}

// Goroutines is its stacks.
func (r *remote) Goroutines(ctx context.Context) ([]byte, error) {
	return r.text(ctx, &wire.Question{Subject: wire.Subject_GOROUTINES}, answerIn)
}

// Profile is a profile of it.
func (r *remote) Profile(ctx context.Context, kind string, over time.Duration) ([]byte, error) {
	return r.text(ctx, &wire.Question{Subject: wire.Subject_PROFILE, Name: kind, Over: int64(over)}, over+answerIn)
}

// Environment is what it runs in.
func (r *remote) Environment(ctx context.Context) (view.Environment, error) {
	m, err := r.one(ctx, wire.Subject_ENVIRONMENT)
	var d decoder
	return d.environment(m.GetEnvironment()), orElse(err, &d)
}

// orElse is an error, or else that of a decoder.
func orElse(err error, d *decoder) error {
	if err == nil {
		return d.err
	}
	return err
}

func (d *decoder) logFile(f *wire.LogFile) view.LogFile {
	return view.LogFile{Name: f.GetName(), Size: f.GetSize(), Modified: f.GetModified()}
}

func (d *decoder) environment(e *wire.Environment) view.Environment {
	return view.Environment{
		GoVersion: e.GetGoVersion(), Platform: e.GetPlatform(), Version: e.GetVersion(), Args: e.GetArgs(), Modules: e.GetModules(),
		Pid: int(e.GetPid()), Started: e.GetStarted(), CPUs: int(e.GetCpus()), MaxProcs: int(e.GetMaxProcs()), MemoryLimit: e.GetMemoryLimit(),
		Variables: each(e.GetVariables(), d.setting),
	}
}

func (d *decoder) setting(s *wire.Setting) view.Setting {
	return view.Setting{Key: s.GetKey(), Value: s.GetValue(), Origin: s.GetOrigin()}
}
