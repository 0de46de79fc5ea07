package file

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

// A found file is one to read.
type found struct {
	path    string
	size    int64
	regular bool // not a pipe or device: its size means something, and it can be read twice
}

// find returns the files that paths stand for: in the order of paths, those of a folder or pattern by name, each once. There is an
// error for every path that is wrong.
func find(paths []string) ([]found, []error) {
	s := search{seen: map[string]bool{}}
	if len(paths) == 0 {
		s.fail(errors.New("no path is given"))
	}
	for _, p := range paths {
		s.path(p)
	}
	return s.files, s.errs
}

type search struct {
	files []found
	seen  map[string]bool
	errs  []error
}

func (s *search) fail(err error) { s.errs = append(s.errs, err) }

// path adds what a path of the user's stands for. One that exists is not a pattern, whatever its characters.
func (s *search) path(p string) {
	_, err := os.Stat(p)
	switch {
	case err == nil || !strings.ContainsAny(p, `*?[`):
		s.add(p)
	case errors.Is(err, fs.ErrNotExist):
		s.pattern(p)
	default:
		s.fail(err)
	}
}

func (s *search) pattern(p string) {
	matches, err := filepath.Glob(p)
	if err != nil {
		s.fail(fmt.Errorf("pattern %s: %w", p, err))
		return
	}
	visible := 0
	for _, m := range matches {
		if !hidden(m) || hidden(p) {
			visible++
			s.add(m)
		}
	}
	if visible == 0 {
		s.fail(fmt.Errorf("pattern %s: no file matches", p))
	}
}

// add adds a file, or all files of a folder. It follows links.
func (s *search) add(p string) {
	info, err := os.Stat(p)
	switch {
	case err != nil:
		s.fail(err)
	case info.IsDir():
		s.folder(p)
	case !s.seen[filepath.Clean(p)]:
		s.seen[filepath.Clean(p)] = true
		s.files = append(s.files, found{p, info.Size(), info.Mode().IsRegular()})
	}
}

func (s *search) folder(p string) {
	entries, err := os.ReadDir(p)
	if err != nil {
		s.fail(err)
	}
	for _, e := range entries {
		if !hidden(e.Name()) {
			s.add(filepath.Join(p, e.Name()))
		}
	}
}

func hidden(path string) bool {
	name := filepath.Base(path)
	return strings.HasPrefix(name, "_") || strings.HasPrefix(name, ".") && name != "." && name != ".."
}
