package process

import (
	"errors"
	"io"
	"os"
)

// parts is files that are read one after another. Each is open only while it is read.
type parts struct {
	paths []string // that are left
	file  *os.File // nil: the next is to be opened
}

// Read reads. A file that is gone by now has nothing in it.
func (p *parts) Read(b []byte) (int, error) {
	for {
		if p.file == nil {
			if len(p.paths) == 0 {
				return 0, io.EOF
			}
			f, err := os.Open(p.paths[0])
			p.paths = p.paths[1:]
			if errors.Is(err, os.ErrNotExist) {
				continue
			}
			if err != nil {
				return 0, err
			}
			p.file = f
		}
		n, err := p.file.Read(b)
		if n > 0 || err != io.EOF {
			return n, err
		}
		if err := p.Close(); err != nil {
			return 0, err
		}
	}
}

// Close closes the file that is open.
func (p *parts) Close() error {
	f := p.file
	if f == nil {
		return nil
	}
	p.file = nil
	return f.Close()
}
