package transport

import (
	"context"
	"errors"
	"fmt"
	"sync/atomic"
	"time"

	"google.golang.org/protobuf/proto"

	"github.com/flott-dev/flott/internal/control/inbox"
)

var (
	errSilent = fmt.Errorf("nothing was heard for %v", silence)
	errSlow   = fmt.Errorf("more than %d MB wait to be sent: the other side takes nothing", mostPending>>20)
	errOrder  = errors.New("malformed message: who is there is said first, and once")
	errClosed = errors.New("the other side has closed the connection")
)

// A stream is one side of a gRPC stream.
type stream[Out, In any] interface {
	Send(Out) error
	Recv() (In, error)
}

// A link is one side of a connection. Two goroutines, which its owner starts, use the stream: read and write. The link has failed when
// ctx has ended, and its cause says why; then neither has anything left to do, but may hang in the stream until that is closed.
type link[Out proto.Message, In any] struct {
	stream stream[Out, In]
	ctx    context.Context
	fail   context.CancelCauseFunc
	ending <-chan struct{} // closed: all that will be sent has been given to send
	alive  Out             // an empty message

	queue   *inbox.Inbox[Out]
	pending atomic.Int64  // bytes in queue, or about to be written
	less    chan struct{} // has a token when pending has become less since one was taken
	silence *time.Timer
}

// newLink starts to listen for signs of life.
func newLink[Out proto.Message, In any](ctx context.Context, fail context.CancelCauseFunc, s stream[Out, In], ending <-chan struct{}, alive Out) *link[Out, In] {
	return &link[Out, In]{
		stream: s, ctx: ctx, fail: fail, ending: ending, alive: alive, queue: inbox.New[Out](), less: make(chan struct{}, 1),
		silence: time.AfterFunc(silence, func() { fail(errSilent) }),
	}
}

// overhead is what a message costs beside its bytes.
const overhead = 256

// send gives m to the writer, which owns it from now on.
func (l *link[Out, In]) send(m Out) {
	if l.ctx.Err() != nil {
		return
	}
	if l.pending.Add(int64(proto.Size(m)+overhead)) > mostPending {
		l.fail(errSlow)
		return
	}
	l.queue.Put(m)
}

// follow gives m to the writer when little waits there, or lets it be when the link has failed. It is for what may be much, from those
// who can be held up. Who takes a token and cannot use it, or sends, gets the next one to come, so that of several who wait none is forgotten.
func (l *link[Out, In]) follow(m Out) {
	for l.pending.Load() > muchPending {
		select {
		case <-l.less:
		case <-l.ctx.Done():
			return
		}
	}
	l.send(m)
}

// write sends what is given, until the link fails, or all is sent.
func (l *link[Out, In]) write() {
	quiet := time.NewTicker(signOfLife)
	defer quiet.Stop()
	for {
		last := closed(l.ending) // before all is taken
		for _, m := range l.queue.Take() {
			if !l.put(m) {
				return
			}
			l.written(m)
		}
		if last {
			return
		}
		select {
		case <-l.ctx.Done():
			return
		case <-l.ending:
		case <-l.queue.Bell():
		case <-quiet.C:
			if !l.put(l.alive) {
				return
			}
		}
	}
}

// written says that a message waits no more.
func (l *link[Out, In]) written(m Out) {
	l.pending.Add(-int64(proto.Size(m) + overhead))
	select {
	case l.less <- struct{}{}:
	default:
	}
}

// put writes a message, unless the link has failed. Why a stream does not take one says the reader, who gets its status.
func (l *link[Out, In]) put(m Out) bool { return l.ctx.Err() == nil && l.stream.Send(m) == nil }

// read hands on what comes, until the link fails.
func (l *link[Out, In]) read(receive func(In) error) {
	defer l.silence.Stop()
	for l.ctx.Err() == nil {
		m, err := l.stream.Recv()
		if err == nil && l.silence.Reset(silence) {
			err = receive(m)
		}
		if err != nil {
			l.fail(reason(err))
			return
		}
	}
}

func closed(c <-chan struct{}) bool {
	select {
	case <-c:
		return true
	default:
		return false
	}
}
