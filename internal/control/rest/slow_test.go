package rest

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/flott-dev/flott/internal/control/view"
)

// A pipes is a listener whose connections have no network, and so follow the clock of synctest.
type pipes struct {
	connections chan net.Conn
	closed      chan struct{}
}

func (p *pipes) Accept() (net.Conn, error) {
	select {
	case c := <-p.connections:
		return c, nil
	case <-p.closed:
		return nil, net.ErrClosed
	}
}

func (p *pipes) Close() error   { close(p.closed); return nil }
func (p *pipes) Addr() net.Addr { return &net.UnixAddr{Name: "pipe"} }

// onPipe serves over a pipe, whose other end it gives.
func onPipe(t *testing.T, client view.Client, test func(net.Conn)) {
	synctest.Test(t, func(t *testing.T) {
		l := &pipes{make(chan net.Conn), make(chan struct{})}
		server := &http.Server{Handler: New(newCluster(t), client, Options{})}
		served := make(chan error, 1)
		go func() { served <- server.Serve(l) }() // ends with the test
		here, there := net.Pipe()
		l.connections <- there
		test(here)
		if err := errors.Join(here.Close(), server.Shutdown(t.Context())); err != nil {
			t.Error(err)
		}
		if err := <-served; !errors.Is(err, http.ErrServerClosed) {
			t.Error(err)
		}
	})
}

// sink is a client that takes what is put.
type sink struct {
	client
	got int64
}

func (s *sink) Put(_ context.Context, _ view.Hash, _, _ int64, from io.Reader) (int64, error) {
	n, err := io.Copy(io.Discard, from)
	s.got = n
	return n, err
}

const somebody = "0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef"

// answerOf reads an answer.
func answerOf(t *testing.T, from net.Conn) (status int, close bool) {
	a, err := http.ReadResponse(bufio.NewReader(from), nil)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := io.Copy(io.Discard, a.Body); err != nil {
		t.Fatal(err)
	}
	return a.StatusCode, a.Close
}

func TestSlowBodiesAreCutOff(t *testing.T) {
	for name, c := range map[string]struct {
		head string
		body func(net.Conn)
	}{
		"JSON that does not come":  {"POST /flott/jobs", func(net.Conn) {}},
		"a byte a second":          {"POST /flott/jobs", func(to net.Conn) { trickle(to, 1, time.Second) }},
		"a blob, a byte a second":  {"PUT /flott/blobs/" + somebody, func(to net.Conn) { trickle(to, 1, time.Second) }},
		"a body that nobody reads": {"GET /overview", func(net.Conn) {}},
	} {
		t.Run(name, func(t *testing.T) {
			onPipe(t, &sink{}, func(here net.Conn) {
				began := time.Now()
				if _, err := fmt.Fprintf(here, "%s HTTP/1.1\r\nHost: localhost\r\nContent-Length: 100000\r\n\r\n", c.head); err != nil {
					t.Fatal(err)
				}
				var sending sync.WaitGroup
				sending.Go(func() { c.body(here) }) // ends with the connection
				status, _ := answerOf(t, here)
				if _, err := here.Read(make([]byte, 1)); err == nil {
					t.Error("the connection is still open")
				}
				if took := time.Since(began); took < bodyPatience || took > bodyPatience+2*time.Second || status != http.StatusRequestTimeout && !strings.HasPrefix(c.head, "GET") {
					t.Errorf("%d after %v", status, took)
				}
				if err := here.Close(); err != nil {
					t.Error(err)
				}
				sending.Wait()
			})
		})
	}
}

// trickle sends so many bytes at a time, until the connection is gone.
func trickle(to net.Conn, n int, every time.Duration) {
	for {
		time.Sleep(every)
		if _, err := to.Write([]byte(strings.Repeat("x", n))); err != nil {
			return
		}
	}
}

// An upload goes on for as long as it gets on.
func TestLongUploadsAreNotCutOff(t *testing.T) {
	s := &sink{}
	onPipe(t, s, func(here net.Conn) {
		const part, parts = 10 << 10, 600 // of a second each: ten minutes
		if _, err := fmt.Fprintf(here, "PUT /flott/blobs/%s HTTP/1.1\r\nHost: localhost\r\nContent-Length: %d\r\n\r\n", somebody, part*parts); err != nil {
			t.Fatal(err)
		}
		for range parts {
			time.Sleep(time.Second)
			if _, err := here.Write(make([]byte, part)); err != nil {
				t.Fatal(err)
			}
		}
		if status, closes := answerOf(t, here); status != http.StatusCreated || closes || s.got != part*parts {
			t.Errorf("%d, with %d bytes", status, s.got)
		}
		time.Sleep(time.Hour) // the deadline is gone with the body
		if _, err := fmt.Fprintf(here, "GET /jobs HTTP/1.1\r\nHost: localhost\r\n\r\n"); err != nil {
			t.Fatal(err)
		}
		if status, _ := answerOf(t, here); status != http.StatusOK {
			t.Errorf("the next request: %d", status)
		}
	})
}

// A page that has stopped to read its events does not keep a goroutine for ever.
func TestPagesThatDoNotReadAreLetGo(t *testing.T) {
	onPipe(t, nil, func(here net.Conn) {
		if _, err := fmt.Fprintf(here, "GET /flott/events?job=%s HTTP/1.1\r\nHost: localhost\r\n\r\n", running); err != nil {
			t.Fatal(err)
		}
		begin := make([]byte, 100)
		if _, err := io.ReadFull(here, begin); err != nil || !strings.HasPrefix(string(begin), "HTTP/1.1 200 OK") {
			t.Fatal(string(begin), err)
		}
		time.Sleep(3 * readWithin)
		synctest.Wait()
		if rest, err := io.ReadAll(here); err != nil || len(rest) > 0 {
			t.Errorf("the connection is still open: %d bytes, %v", len(rest), err)
		}
	})
}

// A page that reads gets a frame each second, for as long as it likes.
func TestFramesForAnHour(t *testing.T) {
	onPipe(t, nil, func(here net.Conn) {
		if _, err := fmt.Fprintf(here, "GET /flott/events?job=%s HTTP/1.1\r\nHost: localhost\r\n\r\n", finished); err != nil {
			t.Fatal(err)
		}
		began, frames := time.Now(), 0
		for lines := bufio.NewScanner(here); frames < 3600 && lines.Scan(); {
			if lines.Text() == "event: frame" {
				frames++
			}
		}
		if took := time.Since(began).Round(time.Second); frames != 3600 || took != 3599*time.Second {
			t.Errorf("%d frames in %v", frames, took)
		}
	})
}
