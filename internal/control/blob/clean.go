package blob

import (
	"context"
	"encoding/hex"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

// partAge is how long a client may take to come back to its upload.
const partAge = time.Hour

// Run deletes what becomes too old, until ctx ends.
func (s *Store) Run(ctx context.Context) {
	ticks := time.NewTicker(min(time.Hour, max(time.Second, s.limits.Age/4)))
	defer ticks.Stop()
	for {
		select {
		case <-ticks.C:
			s.clean(0)
		case <-ctx.Done():
			return
		}
	}
}

// clean deletes what is too old, and then the oldest until there is room for more bytes. What is in use stays. Files that cannot be
// deleted are tried again the next time.
func (s *Store) clean(more int64) {
	s.mu.Lock()
	defer s.mu.Unlock()
	now := time.Now()
	total := more
	var idle []fs.FileInfo // oldest first
	for _, info := range s.files() {
		switch age := now.Sub(info.ModTime()); {
		case s.busy(info.Name()):
			total += info.Size()
		case age > s.limits.Age || age > partAge && strings.HasSuffix(info.Name(), partSuffix):
			s.remove(info)
		default:
			total += info.Size()
			idle = append(idle, info)
		}
	}
	for _, info := range idle {
		if total <= s.limits.Bytes {
			return
		}
		s.remove(info)
		total -= info.Size()
	}
}

func (s *Store) remove(info fs.FileInfo) { _ = os.Remove(filepath.Join(s.folder, info.Name())) }

// files is all blobs and parts, the one that was not used for longest first.
func (s *Store) files() []fs.FileInfo {
	entries, err := os.ReadDir(s.folder)
	if err != nil {
		return nil
	}
	var all []fs.FileInfo
	for _, e := range entries {
		if info, err := e.Info(); err == nil && info.Mode().IsRegular() {
			all = append(all, info)
		}
	}
	slices.SortFunc(all, func(a, b fs.FileInfo) int { return a.ModTime().Compare(b.ModTime()) })
	return all
}

// busy says that a file is being used or uploaded, or is none of the store's.
func (s *Store) busy(name string) bool {
	b, err := hex.DecodeString(strings.TrimSuffix(name, partSuffix))
	if err != nil || len(b) != len(Hash{}) {
		return true
	}
	h := Hash(b)
	return s.mu.used[h] > 0 || s.mu.parts[h] != nil
}
