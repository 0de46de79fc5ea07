// Package blob keeps executables in a folder by the SHA-256 of their contents, and gets them from another process's folder.
//
//	HASH.part   upload, grows from its beginning; perhaps its client will never come back
//	HASH        complete: the contents have the hash. It never changes, and may be run
//
// A part becomes complete by a rename after its contents were checked and are on disk, so that no crash leaves a wrong one.
//
// Whoever uploads one hash uploads the same bytes. So several clients may do it at once without waiting for each other: each writes
// from its own offset, and the first to reach the end completes it for all. If one sends something else, the check fails, and all
// begin again.
//
// What nobody uses is deleted when it was not used for long, or when all together are too large. That happens whenever something is
// added or let go of; a store that nobody touches does not grow.
package blob

import (
	"context"
	"encoding/hex"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"sync"
	"time"

	"github.com/flott-dev/flott/internal/control/view"
)

// A Hash is the SHA-256 of an executable.
type Hash = view.Hash

// ErrMissing: a blob is not there, or not all of it.
var ErrMissing = errors.New("no such executable")

// Limits say what a store deletes. Zero values are the defaults.
type Limits struct {
	Bytes int64         // of all blobs together, and so of each; 8 GB
	Age   time.Duration // since the last use; a week
}

func (l Limits) withDefaults() Limits {
	if l.Bytes == 0 {
		l.Bytes = 8 << 30
	}
	if l.Age == 0 {
		l.Age = 7 * 24 * time.Hour
	}
	return l
}

// A Store is a folder of blobs, which no other process writes to. Its methods may be called from any goroutine.
type Store struct {
	folder string
	limits Limits
	mu     struct {
		sync.Mutex
		parts    map[Hash]*part         // that are being uploaded
		used     map[Hash]int           // how many use a blob
		fetching map[Hash]chan struct{} // closed when the fetch is over
	}
}

// Open is the store in a folder, which is made if need be.
func Open(folder string, l Limits) (*Store, error) {
	if err := os.MkdirAll(folder, 0o700); err != nil {
		return nil, fmt.Errorf("store of executables: %w", err)
	}
	s := &Store{folder: folder, limits: l.withDefaults()}
	s.mu.parts, s.mu.used, s.mu.fetching = map[Hash]*part{}, map[Hash]int{}, map[Hash]chan struct{}{}
	s.clean(0)
	return s, nil
}

func (s *Store) path(h Hash) string     { return filepath.Join(s.folder, hex.EncodeToString(h[:])) }
func (s *Store) partPath(h Hash) string { return s.path(h) + partSuffix }

// Has says how many bytes of a blob are there, and whether that is all of it.
func (s *Store) Has(_ context.Context, h Hash) (have int64, complete bool, err error) {
	for _, path := range []string{s.path(h), s.partPath(h)} {
		switch info, err := os.Stat(path); {
		case err == nil:
			return info.Size(), path == s.path(h), nil
		case !errors.Is(err, os.ErrNotExist):
			return 0, false, err
		}
	}
	return 0, false, nil
}

// Use is where a blob is, to read and to run. It is not deleted before release was called, once. The error is ErrMissing if it is
// not complete.
func (s *Store) Use(h Hash) (path string, release func(), err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	now := time.Now()
	if err := os.Chtimes(s.path(h), now, now); err != nil { // its age counts from here
		if errors.Is(err, os.ErrNotExist) {
			err = fmt.Errorf("%w: %v", ErrMissing, h)
		}
		return "", nil, err
	}
	s.mu.used[h]++
	return s.path(h), sync.OnceFunc(func() { s.release(h) }), nil
}

func (s *Store) release(h Hash) {
	s.mu.Lock()
	s.mu.used[h]--
	if s.mu.used[h] == 0 {
		delete(s.mu.used, h)
	}
	s.mu.Unlock()
	s.clean(0)
}
