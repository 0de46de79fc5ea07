package cluster

import (
	"context"
	"errors"
	"io"
	"net"
	"net/http"
	"sync"
	"testing"
	"testing/synctest"
	"time"
)

// pipes is a listener to connect to within a bubble, where time is virtual.
type pipes struct {
	conns  chan net.Conn
	closed chan struct{}
	once   sync.Once
}

func newPipes() *pipes { return &pipes{conns: make(chan net.Conn), closed: make(chan struct{})} }

func (p *pipes) dial(context.Context, string, string) (net.Conn, error) {
	ours, theirs := net.Pipe()
	p.conns <- theirs
	return ours, nil
}

func (p *pipes) Accept() (net.Conn, error) {
	select {
	case c := <-p.conns:
		return c, nil
	case <-p.closed:
		return nil, net.ErrClosed
	}
}

func (p *pipes) Close() error {
	p.once.Do(func() { close(p.closed) })
	return nil
}

func (p *pipes) Addr() net.Addr { return &net.UnixAddr{Name: "pipes", Net: "unix"} }

// over is how long a server of one handler takes to close, when clients have done something.
func over(t *testing.T, h http.HandlerFunc, clients func(*pipes)) time.Duration {
	p, w := newPipes(), newWebServer(h, quiet.Logger)
	var serving sync.WaitGroup
	serving.Go(func() {
		if err := w.Serve(p); !errors.Is(err, http.ErrServerClosed) {
			t.Error(err)
		}
	})
	clients(p)
	synctest.Wait()
	begun := time.Now()
	w.close()
	serving.Wait()
	return time.Since(begun)
}

// An answer that is being made when the server ends comes as a whole, though the machine is busy.
func TestLastAnswersMayTakeLong(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		client := &http.Client{}
		var asking sync.WaitGroup
		over(t, func(w http.ResponseWriter, _ *http.Request) {
			time.Sleep(8 * time.Second)
			_, _ = io.WriteString(w, "all of it")
		}, func(p *pipes) {
			client.Transport = &http.Transport{DialContext: p.dial}
			asking.Go(func() {
				a, err := client.Get("http://pipes/")
				if err != nil {
					t.Error(err)
					return
				}
				text, err := io.ReadAll(a.Body)
				if err := errors.Join(err, a.Body.Close()); err != nil || string(text) != "all of it" {
					t.Errorf("%q, %v", text, err)
				}
			})
		})
		asking.Wait()
		client.CloseIdleConnections()
	})
}

// Who has connected and asks nothing, as browsers do in advance, does not hold up the end.
func TestSilentConnectionsDoNotHoldUpTheEnd(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		took := over(t, http.NotFound, func(p *pipes) {
			c, err := p.dial(t.Context(), "", "")
			check(t, err)
			t.Cleanup(func() { check(t, c.Close()) })
		})
		if took > 2*lastWish {
			t.Errorf("the end took %v", took)
		}
	})
}
