package client

import (
	"context"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"testing/synctest"
	"time"
)

// Where something else answers, the error says so in a line, and has no page in it.
func TestOthersThanAJobManager(t *testing.T) {
	page := "<!DOCTYPE html><html>" + strings.Repeat("<p>words</p>", 1000)
	for want, serve := range map[string]http.HandlerFunc{
		" is no JobManager's REST API: it answers with a web page (404 Not Found); give the address of one": func(w http.ResponseWriter, _ *http.Request) {
			w.WriteHeader(http.StatusNotFound)
			_, _ = w.Write([]byte(page))
		},
		"it answers with a web page; give": func(w http.ResponseWriter, _ *http.Request) { _, _ = w.Write([]byte(page)) },
		"words words ": func(w http.ResponseWriter, _ *http.Request) {
			http.Error(w, strings.Repeat("words ", 1000), http.StatusNotFound)
		},
	} {
		server := httptest.NewServer(serve)
		says(t, server.Listener.Addr().String(), want)
		server.Close()
	}
}

// A gRPC server begins with a frame of HTTP/2, whatever it is asked. A busy one takes its time, and net/http may fail before.
func TestPortOfRPC(t *testing.T) {
	speak := func(to net.Conn) {
		_, _ = to.Write([]byte("\x00\x00\x06\x04\x00\x00\x00\x00\x00\x00\x05\x00\x00\x40\x00"))
	}
	for name, serve := range map[string]func(n int, c net.Conn){
		"at once": func(_ int, c net.Conn) { speak(c) },
		"late, and the first time not at all": func(n int, c net.Conn) {
			if n > 1 {
				time.Sleep(500 * time.Millisecond)
				speak(c)
			}
		},
	} {
		t.Run(name, func(t *testing.T) {
			l, err := net.Listen("tcp", "127.0.0.1:0")
			check(t, err)
			done := make(chan struct{})
			go func() { // ends with the listener
				defer close(done)
				for n := 1; ; n++ {
					c, err := l.Accept()
					if err != nil {
						return
					}
					serve(n, c)
					_ = c.Close()
				}
			}()
			says(t, l.Addr().String(), "is no JobManager's REST API: it answers with something else than HTTP, as the port jobmanager.rpc.port does; give")
			check(t, l.Close())
			<-done
		})
	}
}

// Who takes a connection and says nothing is not waited for as a JobManager is.
func TestSilentServer(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c, err := New("127.0.0.1:1", Options{})
		check(t, err)
		c.http.Transport = silent{}
		begun := time.Now()
		_, err = c.Jobs(t.Context())
		if took := time.Since(begun); took != firstAnswer || err == nil || !strings.HasPrefix(err.Error(), "no cluster answers at http://127.0.0.1:1: who listens there has said nothing for 30s: start one") {
			t.Errorf("after %v: %v", took, err)
		}
	})
}

// silent never answers.
type silent struct{}

func (silent) RoundTrip(r *http.Request) (*http.Response, error) {
	<-r.Context().Done()
	return nil, context.Cause(r.Context())
}

func says(t *testing.T, address, want string) {
	t.Helper()
	c, err := New(address, Options{})
	check(t, err)
	defer c.Close()
	_, err = c.Jobs(t.Context())
	if err == nil || !strings.Contains(err.Error(), want) || len(err.Error()) > 500 || strings.Contains(err.Error(), "\n") {
		t.Errorf("the error is %v, want %s", err, want)
	}
}
