package rest

import (
	"errors"
	"io"
	"net/http"
	"time"
)

// A body must keep coming: somebody who sends a byte now and then must not hold a connection for ever, and an executable of any size may
// take its time on a slow line.
const (
	bodyPatience = 30 * time.Second // at first, and for what is short
	bodyRate     = 8 << 10          // bytes a second that come at least
)

// timed is the request with a body that must keep coming.
func timed(w http.ResponseWriter, r *http.Request) *http.Request {
	if r.Body == nil || r.Body == http.NoBody {
		return r
	}
	b := &timedBody{ReadCloser: r.Body, control: http.NewResponseController(w), begun: time.Now()}
	b.extend()
	next := *r
	next.Body = b
	return &next
}

type timedBody struct {
	io.ReadCloser
	control *http.ResponseController
	begun   time.Time
	read    int64
}

// Read reads, and gives the client time for the next bytes.
func (b *timedBody) Read(p []byte) (int, error) {
	n, err := b.ReadCloser.Read(p)
	b.read += int64(n)
	switch {
	case err == nil:
		b.extend()
	case errors.Is(err, io.EOF): // nothing more is waited for; after another error the server may read on to the end
		b.until(time.Time{})
	}
	return n, err
}

func (b *timedBody) extend() {
	b.until(b.begun.Add(bodyPatience + time.Duration(b.read/bodyRate)*time.Second))
}

// until sets when the connection is given up. One that cannot be told is none of a network.
func (b *timedBody) until(t time.Time) { _ = b.control.SetReadDeadline(t) }
