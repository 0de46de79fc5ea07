package blob

import (
	"context"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"strconv"
	"strings"
	"time"
)

// Path is where a process gives its blobs, followed by the hash in hexadecimal.
const Path = "/flott/blobs/"

// ServeHTTP gives a blob, or the range of it that is asked for.
func (s *Store) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	b, err := hex.DecodeString(strings.TrimPrefix(r.URL.Path, Path))
	if err != nil || len(b) != len(Hash{}) {
		http.Error(w, "not a SHA-256 in hexadecimal", http.StatusBadRequest)
		return
	}
	path, release, err := s.Use(Hash(b))
	if err != nil {
		http.Error(w, err.Error(), http.StatusNotFound)
		return
	}
	defer release()
	file, err := os.Open(path)
	if err != nil {
		http.Error(w, err.Error(), http.StatusInternalServerError)
		return
	}
	defer func() { _ = file.Close() }() // was only read
	w.Header().Set("Content-Type", "application/octet-stream")
	http.ServeContent(w, r, "", time.Time{}, file)
}

// An Origin is a process that has blobs.
type Origin struct {
	URL    string       // such as "http://HOST:PORT"
	Header http.Header  // of each request
	Client *http.Client // nil: http.DefaultClient
}

// A fetch that fails is tried again where it ended, some times.
const (
	fetches    = 5
	fetchPause = 100 * time.Millisecond // before the second; doubles
)

// Fetch gets a blob that is not here yet. It is fetched once, however many ask for it.
func (s *Store) Fetch(ctx context.Context, h Hash, from Origin) error {
	for {
		if _, complete, err := s.Has(ctx, h); complete || err != nil {
			return err
		}
		over, mine := s.fetch(h)
		if mine {
			err := s.retry(ctx, h, from)
			s.fetched(h, over)
			return err
		}
		select {
		case <-over:
		case <-ctx.Done():
			return ctx.Err()
		}
	}
}

// fetch is the channel that is closed when the fetch of a blob is over, and whether the caller is the one to do it.
func (s *Store) fetch(h Hash) (over chan struct{}, mine bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if over := s.mu.fetching[h]; over != nil {
		return over, false
	}
	over = make(chan struct{})
	s.mu.fetching[h] = over
	return over, true
}

func (s *Store) fetched(h Hash, over chan struct{}) {
	s.mu.Lock()
	defer s.mu.Unlock()
	delete(s.mu.fetching, h)
	close(over)
}

func (s *Store) retry(ctx context.Context, h Hash, from Origin) error {
	pause := fetchPause
	for try := 1; ; try++ {
		err := s.download(ctx, h, from)
		if err == nil {
			return nil
		}
		err = fmt.Errorf("executable %v from %s: %w", h, from.URL, err)
		if try == fetches || errors.Is(err, ErrMissing) {
			return err
		}
		select {
		case <-time.After(pause):
			pause *= 2
		case <-ctx.Done():
			return errors.Join(ctx.Err(), err)
		}
	}
}

func (s *Store) download(ctx context.Context, h Hash, from Origin) error {
	have, complete, err := s.Has(ctx, h)
	if err != nil || complete { // another fetch may have ended just before this one began
		return err
	}
	body, offset, size, err := from.get(ctx, h, have)
	if err != nil {
		return err
	}
	defer func() { _ = body.Close() }() // was only read
	have, err = s.Put(ctx, h, offset, size, body)
	if err == nil && have < size {
		err = io.ErrUnexpectedEOF
	}
	return err
}

// get asks for a blob from an offset on. The answer may start earlier.
func (o Origin) get(ctx context.Context, h Hash, from int64) (body io.ReadCloser, offset, size int64, err error) {
	r, err := http.NewRequestWithContext(ctx, http.MethodGet, o.URL+Path+hex.EncodeToString(h[:]), nil)
	if err != nil {
		return nil, 0, 0, err
	}
	if o.Header != nil {
		r.Header = o.Header.Clone()
	}
	if from > 0 {
		r.Header.Set("Range", "bytes="+strconv.FormatInt(from, 10)+"-")
	}
	client := o.Client
	if client == nil {
		client = http.DefaultClient
	}
	a, err := client.Do(r)
	if err != nil {
		return nil, 0, 0, err
	}
	switch {
	case a.StatusCode == http.StatusOK && a.ContentLength >= 0:
		return a.Body, 0, a.ContentLength, nil
	case a.StatusCode == http.StatusPartialContent && a.ContentLength >= 0:
		return a.Body, from, from + a.ContentLength, nil
	case a.StatusCode == http.StatusNotFound:
		err = ErrMissing
	default:
		err = errors.New(a.Status)
	}
	return nil, 0, 0, errors.Join(err, a.Body.Close())
}
