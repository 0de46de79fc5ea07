package transport

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"slices"
	"sync"
	"time"

	"google.golang.org/grpc"
	"google.golang.org/grpc/peer"

	"github.com/flott-dev/flott/internal/control/transport/wire"
	"github.com/flott-dev/flott/internal/control/view"
	"github.com/flott-dev/flott/internal/id"
)

// TaskManagers and workers can be asked about themselves.
//
//	JobManager                              TaskManager, worker
//	----------                              -------------------
//	Question(number, within) --stream-->
//	                                        opens Answer, a call of its own on the same connection
//	<--------- parts: the number, a piece, a piece ...
//	has read it, or lost interest:
//	Thanks ------------------>              works no longer
//
// So a large answer is sent no faster than it is read, holds up no other message, and ends with the connection or at its deadline.

const (
	answerIn      = 30 * time.Second // from the question to all of the answer, beside how long a profile is taken; who is gone or hangs is known sooner
	longestRead   = 5 * time.Minute  // of a log
	mostQuestions = 8                // that one process answers at the same time; more wait
	mostAnswer    = 64 << 20         // bytes of what is not read piece by piece
)

var (
	errLate  = errors.New("no answer within its time")
	errLarge = fmt.Errorf("the answer has more than %d MB", mostAnswer>>20)
)

// processes is those that are connected, and what they were asked.
type processes struct {
	mu struct {
		sync.Mutex
		named map[string]*remote
		asked map[uint64]*question
		last  uint64 // number of a question
	}
}

func newProcesses() *processes {
	p := &processes{}
	p.mu.named, p.mu.asked = map[string]*remote{}, map[uint64]*question{}
	return p
}

func (p *processes) enter(r *remote) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.mu.named[r.name] = r
}

func (p *processes) leave(r *remote) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.mu.named[r.name] == r {
		delete(p.mu.named, r.name)
	}
}

// Process is the process of a TaskManager that is connected.
func (s *Server) Process(name string) (view.Process, bool) {
	s.processes.mu.Lock()
	defer s.processes.mu.Unlock()
	if r := s.processes.mu.named[name]; r != nil && r.job == (id.Job{}) {
		return r, true
	}
	return nil, false
}

// Workers is the processes of a job's workers that are connected, by name.
func (s *Server) Workers(job id.Job) []view.Process {
	s.processes.mu.Lock()
	defer s.processes.mu.Unlock()
	var all []view.Process
	for _, r := range s.processes.mu.named {
		if r.job == job && job != (id.Job{}) {
			all = append(all, r)
		}
	}
	slices.SortFunc(all, func(x, y view.Process) int { return cmp.Compare(x.Name(), y.Name()) })
	return all
}

// A question waits for its answer until ctx ends, which also ends an answer that has begun.
type question struct {
	ctx   context.Context
	conn  net.Conn // by which the answer must come
	begun chan *answer
}

func (p *processes) open(ctx context.Context, conn net.Conn) (number uint64, begun <-chan *answer) {
	p.mu.Lock()
	defer p.mu.Unlock()
	q := &question{ctx, conn, make(chan *answer, 1)}
	p.mu.last++
	p.mu.asked[p.mu.last] = q
	return p.mu.last, q.begun
}

// take is the question of a number, which is answered only once; nil: there is none.
func (p *processes) take(number uint64, conn net.Conn) *question {
	p.mu.Lock()
	defer p.mu.Unlock()
	q := p.mu.asked[number]
	if q == nil || q.conn != conn {
		return nil
	}
	delete(p.mu.asked, number)
	return q
}

// forget says that nobody waits for an answer to begin.
func (p *processes) forget(number uint64) {
	p.mu.Lock()
	defer p.mu.Unlock()
	delete(p.mu.asked, number)
}

// Answer is the life of an answer.
func (s *Server) Answer(stream grpc.ClientStreamingServer[wire.Part, wire.Thanks]) error {
	first, err := stream.Recv()
	if err != nil {
		return err
	}
	if q := s.processes.take(first.GetQuestion(), connOf(stream.Context())); q != nil {
		q.begun <- &answer{ctx: q.ctx, stream: stream}
		select {
		case <-q.ctx.Done():
		case <-stream.Context().Done():
		case <-s.ending:
		}
	}
	return stream.SendAndClose(&wire.Thanks{})
}

// connOf is the connection of a stream.
func connOf(ctx context.Context) net.Conn {
	p, _ := peer.FromContext(ctx)
	return p.AuthInfo.(passed).conn
}

// An answer is read by one goroutine.
type answer struct {
	ctx    context.Context // its end is that of the answer
	end    context.CancelFunc
	stream grpc.ClientStreamingServer[wire.Part, wire.Thanks]
	rest   []byte // of a piece
}

// part waits for the next part; io.EOF: there is none.
func (a *answer) part() (*wire.Part, error) {
	m, err := a.stream.Recv()
	switch {
	case err == io.EOF: //nolint:errorlint // gRPC returns it as it is
		return nil, err
	case a.ctx.Err() != nil:
		return nil, fmt.Errorf("%w: %w", view.ErrNoAnswer, context.Cause(a.ctx))
	case err != nil:
		return nil, fmt.Errorf("%w: %w", view.ErrNoAnswer, reason(err))
	}
	if f := m.GetFailed(); f != nil {
		var d decoder
		return nil, errors.Join(d.error(f), d.err)
	}
	return m, nil
}

// Read reads a text.
func (a *answer) Read(p []byte) (int, error) {
	for len(a.rest) == 0 {
		m, err := a.part()
		if err != nil {
			return 0, err
		}
		a.rest = m.GetPiece()
	}
	n := copy(p, a.rest)
	a.rest = a.rest[n:]
	return n, nil
}

// Close ends it, read or not.
func (a *answer) Close() error {
	a.end()
	return nil
}
