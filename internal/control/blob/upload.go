package blob

import (
	"bytes"
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"sync"

	"github.com/flott-dev/flott/internal/control/view"
)

const partSuffix = ".part"

// A part is an upload that somebody works at. All its fields belong to its mutex, but users to the store's.
type part struct {
	users int
	sync.Mutex
	file     *os.File
	have     int64 // bytes from the beginning that are written
	complete bool  // it has been renamed
}

// Put adds bytes to a blob, starting at an offset that is at most what is there. The last byte, of size in all, completes it, if its
// contents have the hash; else it is deleted. When bytes end early, or with an error, what came is kept.
func (s *Store) Put(ctx context.Context, h Hash, offset, size int64, bytes io.Reader) (have int64, err error) {
	if size > s.limits.Bytes {
		return 0, &view.Refusal{Reason: fmt.Sprintf("the executable has %d bytes; at most %d are kept here", size, s.limits.Bytes)}
	}
	if have, complete, err := s.Has(ctx, h); complete || err != nil {
		return have, err
	}
	s.clean(size)
	p, err := s.enter(h)
	if err != nil {
		return 0, fmt.Errorf("executable %v: %w", h, err)
	}
	defer s.leave(h, p)
	if offset < 0 || offset > p.size() {
		return p.size(), &view.Refusal{Reason: fmt.Sprintf("the upload starts at byte %d, but only %d are here", offset, p.size()), Conflict: true}
	}
	return s.receive(ctx, h, p, offset, size, bytes)
}

func (s *Store) receive(ctx context.Context, h Hash, p *part, at, size int64, bytes io.Reader) (int64, error) {
	buffer := make([]byte, 64<<10)
	bytes = io.LimitReader(bytes, size-at)
	for at < size && ctx.Err() == nil {
		n, err := bytes.Read(buffer)
		if werr := p.write(buffer[:n], at); werr != nil {
			return p.size(), fmt.Errorf("executable %v: %w", h, werr)
		}
		at += int64(n)
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return p.size(), err
		}
	}
	if at < size {
		return p.size(), ctx.Err()
	}
	return s.finish(h, p, size)
}

func (p *part) size() int64 {
	p.Lock()
	defer p.Unlock()
	return p.have
}

// write writes bytes that follow, or repeat, what is there. Another upload may have completed the blob, or broken it.
func (p *part) write(b []byte, at int64) error {
	p.Lock()
	defer p.Unlock()
	if p.complete {
		return nil
	}
	if at > p.have {
		return errors.New("another upload of it had other contents, and all were deleted")
	}
	n, err := p.file.WriteAt(b, at)
	p.have = max(p.have, at+int64(n))
	return err
}

// finish checks a part that has all bytes, and makes it visible.
func (s *Store) finish(h Hash, p *part, size int64) (int64, error) {
	p.Lock()
	defer p.Unlock()
	if p.complete {
		return size, nil
	}
	if err := p.check(h, size); err != nil {
		p.have = 0
		return 0, errors.Join(err, p.file.Truncate(0))
	}
	if err := errors.Join(p.file.Chmod(0o500), p.file.Sync(), os.Rename(s.partPath(h), s.path(h))); err != nil {
		return p.have, fmt.Errorf("executable %v: %w", h, err)
	}
	p.complete = true
	return size, nil
}

func (p *part) check(h Hash, size int64) error {
	sum := sha256.New()
	if _, err := io.Copy(sum, io.NewSectionReader(p.file, 0, p.have)); err != nil {
		return err
	}
	if p.have != size || !bytes.Equal(sum.Sum(nil), h[:]) {
		return &view.Refusal{Reason: fmt.Sprintf("the executable is not what its hash says: %d bytes with SHA-256 %x, want %d with %v", p.have, sum.Sum(nil), size, h)}
	}
	return nil
}

// enter opens the part of a blob, or joins those who are at it.
func (s *Store) enter(h Hash) (*part, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	p := s.mu.parts[h]
	if p == nil {
		file, err := os.OpenFile(s.partPath(h), os.O_RDWR|os.O_CREATE, 0o600)
		if err != nil {
			return nil, err
		}
		var info fs.FileInfo
		if info, err = file.Stat(); err != nil {
			return nil, errors.Join(err, file.Close())
		}
		p = &part{file: file, have: info.Size()}
		s.mu.parts[h] = p
	}
	p.users++
	return p, nil
}

// leave closes a part that nobody is at any more. One that has nothing is of no use.
func (s *Store) leave(h Hash, p *part) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if p.users--; p.users > 0 {
		return
	}
	delete(s.mu.parts, h)
	_ = p.file.Close() // a complete one is synced; else the hash will tell
	if !p.complete && p.have == 0 {
		_ = os.Remove(s.partPath(h)) // or clean will
	}
}
