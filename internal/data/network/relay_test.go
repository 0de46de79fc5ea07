package network

import (
	"io"
	"net"
	"path/filepath"
	"sync"
	"testing"
)

// A relay stands before an endpoint, counts its connections, and can cut them.
type relay struct {
	address string
	to      string // path of a Unix socket
	l       net.Listener
	all     sync.WaitGroup
	mu      struct {
		sync.Mutex
		open  []net.Conn
		count int
	}
}

func newRelay(t *testing.T, to *Endpoint) *relay {
	t.Helper()
	path := filepath.Join(t.TempDir(), "relay")
	l, err := net.Listen("unix", path)
	check(t, err)
	_, where, err := split(to.Addr())
	check(t, err)
	r := &relay{address: "unix:" + path, to: where, l: l}
	r.all.Go(r.accept)
	t.Cleanup(func() {
		_ = l.Close()
		r.cut()
		r.all.Wait()
	})
	return r
}

func (r *relay) accept() {
	for {
		from, err := r.l.Accept()
		if err != nil {
			return
		}
		to, err := net.Dial("unix", r.to)
		if err != nil {
			_ = from.Close()
			continue
		}
		r.mu.Lock()
		r.mu.count++
		r.mu.open = append(r.mu.open, from, to)
		r.mu.Unlock()
		r.all.Go(func() { pipe(from, to) })
		r.all.Go(func() { pipe(to, from) })
	}
}

func pipe(from, to net.Conn) {
	_, _ = io.Copy(to, from)
	_, _ = to.Close(), from.Close()
}

func (r *relay) connections() int {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.mu.count
}

func (r *relay) cut() {
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, c := range r.mu.open {
		_ = c.Close()
	}
}
