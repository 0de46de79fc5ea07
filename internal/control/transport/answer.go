package transport

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"sync"
	"time"

	"google.golang.org/grpc"

	"github.com/flott-dev/flott/internal/control/transport/wire"
	"github.com/flott-dev/flott/internal/control/view"
)

// answers is what a process says of itself, on one connection. Each answer has a goroutine, which ends with it.
type answers struct {
	options Options
	to      wire.JobManagerClient
	ctx     context.Context // its end is that of all
	end     context.CancelFunc
	all     sync.WaitGroup
}

func newAnswers(ctx context.Context, o Options, to wire.JobManagerClient) *answers {
	a := &answers{options: o, to: to}
	a.ctx, a.end = context.WithCancel(ctx)
	return a
}

// close ends all.
func (a *answers) close() {
	a.end()
	a.all.Wait()
}

// answer answers a question. The JobManager sees to it that there are few at a time.
func (a *answers) answer(q *wire.Question) {
	a.all.Go(func() {
		ctx, end := context.WithTimeout(a.ctx, time.Duration(q.GetWithin()))
		defer end()
		stream, err := a.to.Answer(ctx)
		if err != nil {
			a.options.log().Debug("the JobManager cannot be answered", "error", err)
			return
		}
		var heard sync.WaitGroup
		heard.Go(func() { // until the JobManager has read the answer, or wants no more of it, or ctx ends
			_ = stream.RecvMsg(&wire.Thanks{})
			end()
		})
		speaker{stream}.speak(ctx, q, a.options.Process)
		_ = stream.CloseSend()
		heard.Wait()
	})
}

// A speaker sends the parts of an answer. When one cannot be sent the JobManager knows why: nobody waits for more.
type speaker struct {
	stream grpc.ClientStreamingClient[wire.Part, wire.Thanks]
}

// mostPiece is how many bytes of a text are sent at a time.
const mostPiece = 64 << 10

// Write sends a piece of a text.
func (s speaker) Write(p []byte) (int, error) {
	return len(p), s.stream.Send(&wire.Part{Kind: &wire.Part_Piece{Piece: append([]byte(nil), p...)}})
}

// speak asks the process, and passes on what it says.
func (s speaker) speak(ctx context.Context, q *wire.Question, p view.Process) {
	err := s.stream.Send(&wire.Part{Question: q.GetNumber()}) // before it may take long, so that the JobManager can end it
	if err != nil {
		return
	}
	m, err := s.say(ctx, q, p)
	if err != nil {
		m = &wire.Part{Kind: &wire.Part_Failed{Failed: errorOf(err)}}
	}
	if m != nil {
		_ = s.stream.Send(m)
	}
}

// say sends what is long, and returns what is left to send.
func (s speaker) say(ctx context.Context, q *wire.Question, p view.Process) (*wire.Part, error) {
	if p == nil {
		return nil, fmt.Errorf("what the process uses: %w", view.ErrUnavailable)
	}
	switch q.GetSubject() {
	case wire.Subject_FIGURES:
		f, err := p.Figures(ctx)
		return &wire.Part{Kind: &wire.Part_Figures{Figures: figuresOf(f)}}, err
	case wire.Subject_LOGS:
		files, err := p.Logs(ctx)
		return &wire.Part{Kind: &wire.Part_Logs{Logs: &wire.LogFiles{Files: each(files, logFileOf)}}}, err
	case wire.Subject_ENVIRONMENT:
		e, err := p.Environment(ctx)
		return &wire.Part{Kind: &wire.Part_Environment{Environment: environmentOf(&e)}}, err
	}
	t, err := long(ctx, q, p)
	if err == nil {
		err = s.pass(t)
	}
	return nil, err
}

// pass sends a text, in pieces whatever it could do for itself, and closes it.
func (s speaker) pass(text io.ReadCloser) error {
	_, err := io.CopyBuffer(s, struct{ io.Reader }{text}, make([]byte, mostPiece))
	if closing := text.Close(); err == nil {
		err = closing
	}
	return err
}

// long is an answer that is sent in pieces.
func long(ctx context.Context, q *wire.Question, p view.Process) (io.ReadCloser, error) {
	var all []byte
	var err error
	switch q.GetSubject() {
	case wire.Subject_LOG:
		return p.Log(ctx, q.GetName(), q.GetFrom())
	case wire.Subject_STDOUT:
		return p.Stdout(ctx)
	case wire.Subject_GOROUTINES:
		all, err = p.Goroutines(ctx)
	case wire.Subject_PROFILE:
		all, err = p.Profile(ctx, q.GetName(), time.Duration(q.GetOver()))
	default:
		err = fmt.Errorf("%v: %w", q.GetSubject(), view.ErrUnavailable)
	}
	return io.NopCloser(bytes.NewReader(all)), err
}

func logFileOf(f view.LogFile) *wire.LogFile {
	return &wire.LogFile{Name: f.Name, Size: f.Size, Modified: f.Modified}
}

func environmentOf(e *view.Environment) *wire.Environment {
	return &wire.Environment{
		GoVersion: e.GoVersion, Platform: e.Platform, Version: e.Version, Args: e.Args, Modules: e.Modules, Variables: each(e.Variables, settingOf),
		Pid: int64(e.Pid), Started: e.Started, Cpus: int64(e.CPUs), MaxProcs: int64(e.MaxProcs), MemoryLimit: e.MemoryLimit,
	}
}

func settingOf(s view.Setting) *wire.Setting {
	return &wire.Setting{Key: s.Key, Value: s.Value, Origin: s.Origin}
}
