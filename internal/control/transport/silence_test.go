package transport

import (
	"context"
	"errors"
	"net"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"testing/synctest"
	"time"

	"github.com/flott-dev/flott/internal/control/rpc"
	"github.com/flott-dev/flott/internal/control/transport/wire"
)

// mute is a connection whose cable can be cut: then what is written is lost, nothing comes, and neither side hears that the other one
// has closed it.
type mute struct {
	net.Conn
	cut    *atomic.Bool
	closed chan struct{}
	once   *sync.Once // gRPC closes more than once
}

func (m mute) Write(p []byte) (int, error) {
	if m.cut.Load() {
		return len(p), nil
	}
	return m.Conn.Write(p)
}

func (m mute) Read(p []byte) (int, error) {
	n, err := m.Conn.Read(p)
	if m.cut.Load() {
		<-m.closed
		return 0, net.ErrClosed
	}
	return n, err
}

func (m mute) Close() error {
	m.once.Do(func() { close(m.closed) })
	if m.cut.Load() {
		time.AfterFunc(signOfLife, func() { _ = m.Conn.Close() })
		return nil
	}
	return m.Conn.Close()
}

// Both sides of a cut cable notice within five seconds, and only then.
func TestADeadPeerIsNoticed(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var cut atomic.Bool
		jm, dial := inside(t)
		o := quiet("1")
		o.dial = func(ctx context.Context, address string) (net.Conn, error) {
			c, err := dial(ctx, address)
			return mute{c, &cut, make(chan struct{}), new(sync.Once)}, err
		}
		w, _ := workerBy(t, jm, o)
		time.Sleep(3*silence + signOfLife/2) // signs of life keep it, the last of them half a second ago
		if len(jm.messages) > 0 {
			t.Fatalf("%v", <-jm.messages)
		}
		began := time.Now()
		cut.Store(true)
		if l := jm.expect(t, "Disconnected").Args[0].(rpc.WorkerLoss); !errors.Is(l.Cause, errSilent) || l.Closed {
			t.Errorf("the JobManager says %+v", l)
		}
		if err := <-w.err; !errors.Is(err, errSilent) {
			t.Errorf("the worker says %v", err)
		}
		if took := time.Since(began); took != silence-signOfLife/2 {
			t.Errorf("after %v", took)
		}
	})
}

// Nobody waits for silence then.
func TestAClosedConnectionIsNoticedAtOnce(t *testing.T) {
	conns := make(chan net.Conn, 1)
	jm := serving(t, quiet("1"))
	o := quiet("1")
	o.dial = func(ctx context.Context, address string) (net.Conn, error) {
		c, err := dial(ctx, address)
		conns <- c
		return c, err
	}
	w, _ := workerBy(t, jm, o)
	_ = (<-conns).Close()
	if l := jm.expect(t, "Disconnected").Args[0].(rpc.WorkerLoss); l.Cause == nil || errors.Is(l.Cause, errSilent) || !l.Closed {
		t.Errorf("the JobManager says %+v", l)
	}
	if err := <-w.err; err == nil || errors.Is(err, errSilent) {
		t.Errorf("the worker says %v", err)
	}
}

// stuck is a stream that takes nothing.
type stuck struct{ ctx context.Context }

func (s stuck) Send(*wire.ToTaskManager) error       { <-s.ctx.Done(); return s.ctx.Err() }
func (s stuck) Recv() (*wire.FromTaskManager, error) { <-s.ctx.Done(); return nil, s.ctx.Err() }

func TestSendingToWhoTakesNothingDoesNotWait(t *testing.T) {
	ctx, fail := context.WithCancelCause(context.Background())
	v := &visitingTaskManager{link: newLink[*wire.ToTaskManager, *wire.FromTaskManager](ctx, fail, stuck{ctx}, nil, &wire.ToTaskManager{})}
	defer v.link.silence.Stop()
	done := make(chan struct{})
	go func() { defer close(done); v.link.write() }()
	graph := make([]byte, 1<<20)
	for n := 0; ctx.Err() == nil; n++ {
		if n > mostPending>>20 {
			t.Fatal("there is no bound")
		}
		v.StartWorker(rpc.WorkerStart{Graph: graph})
	}
	if err := context.Cause(ctx); !errors.Is(err, errSlow) {
		t.Errorf("%v, want %v", err, errSlow)
	}
	<-done
}

// slow is a stream that takes its time, and counts.
type slow struct {
	ctx  context.Context
	sent int
}

func (s *slow) Send(*wire.FromTaskManager) error {
	time.Sleep(time.Millisecond)
	s.sent++
	return s.ctx.Err()
}
func (s *slow) Recv() (*wire.ToTaskManager, error) { <-s.ctx.Done(); return nil, s.ctx.Err() }

// Workers that print more than can be sent wait. They neither end the connection, nor does one of them wait for ever.
func TestWhoPrintsMuchIsHeldUp(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		const workers, each = 4, 20
		if workers*each<<20 < mostPending {
			t.Fatal("that is not much")
		}
		ctx, fail := context.WithCancelCause(t.Context())
		s, ending := &slow{ctx: ctx}, make(chan struct{})
		v := &visitedResourceManager{link: newLink[*wire.FromTaskManager, *wire.ToTaskManager](ctx, fail, s, ending, &wire.FromTaskManager{})}
		defer v.link.silence.Stop()
		var writer, printing sync.WaitGroup
		writer.Go(v.link.write)
		text := make([]byte, 1<<20)
		for range workers {
			printing.Go(func() {
				for range each {
					v.Printed(rpc.Output{Lines: text})
				}
			})
		}
		printing.Wait()
		close(ending)
		writer.Wait()
		if s.sent != workers*each || ctx.Err() != nil {
			t.Errorf("sent %d of %d: %v", s.sent, workers*each, context.Cause(ctx))
		}
	})
}

// Who waits to print is let go when the connection is lost.
func TestWhoIsHeldUpIsLetGo(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ctx, fail := context.WithCancelCause(t.Context())
		v := &visitedResourceManager{link: newLink[*wire.FromTaskManager, *wire.ToTaskManager](ctx, fail, &slow{ctx: ctx}, nil, nil)}
		v.Printed(rpc.Output{Lines: make([]byte, muchPending)})
		began := time.Now()
		v.Printed(rpc.Output{}) // nobody writes
		if took := time.Since(began); took != silence || !errors.Is(context.Cause(ctx), errSilent) {
			t.Errorf("after %v: %v", took, context.Cause(ctx))
		}
	})
}

// A worker that comes before its JobManager waits for it.
func TestConnectingIsTriedAgain(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		jm, dial := inside(t)
		var tries atomic.Int32
		o := quiet("1")
		o.dial = func(ctx context.Context, address string) (net.Conn, error) {
			if tries.Add(1) < 5 {
				return nil, syscall.ECONNREFUSED
			}
			return dial(ctx, address)
		}
		if err := DialWorker(t.Context(), o, jm.address, func(context.Context, rpc.JobManager) {}); err != nil || tries.Load() != 5 {
			t.Errorf("after %d tries: %v", tries.Load(), err)
		}
	})
}

// A connection that comes about is tried again soon when it is lost, however long there was none before.
func TestPausesBeginAnewWithAConnection(t *testing.T) {
	jm := serving(t, quiet("1"))
	c, err := newClient(quiet("1"), jm.address)
	if err != nil {
		t.Fatal(err)
	}
	gone, cancel := context.WithCancel(t.Context())
	cancel() // it does not wait
	for range 20 {
		if err := c.pause(gone, errClosed); err != nil {
			t.Fatal(err)
		}
	}
	if c.next != mostPause {
		t.Errorf("the longest pause is %v, want %v", c.next, mostPause)
	}
	if _, err := c.worker(t.Context(), func(context.Context, rpc.JobManager) {}); err != nil {
		t.Error(err)
	}
	if c.next != firstPause {
		t.Errorf("the next pause is %v, want %v", c.next, firstPause)
	}
}
