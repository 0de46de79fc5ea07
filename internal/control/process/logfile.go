package process

import (
	"os"
	"runtime/debug"
)

// mostLog is how large a log file may grow before it is begun anew. The one before is kept.
const mostLog = 64 << 20

// A LogFile is a file that does not grow for ever. Its owner writes one at a time.
type LogFile struct {
	path string
	file *os.File
	size int64
}

// NewLogFile makes a file, which must not be there.
func NewLogFile(path string) (*LogFile, error) {
	f, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return nil, err
	}
	return &LogFile{path: path, file: f}, nil
}

// Write adds to the file.
func (l *LogFile) Write(p []byte) (int, error) {
	if l.size+int64(len(p)) > mostLog {
		l.turn()
	}
	l.size += int64(len(p))
	return l.file.Write(p)
}

// turn begins the file anew. If that fails, the old one is written on.
func (l *LogFile) turn() {
	l.size = 0
	if os.Rename(l.path, l.path+Old) != nil {
		return
	}
	if next, err := NewLogFile(l.path); err == nil {
		_ = l.Close() // what was not written is lost
		l.file = next.file
	}
}

// TakeCrash lets Go's runtime write there, too, when this process crashes.
func (l *LogFile) TakeCrash() error { return debug.SetCrashOutput(l.file, debug.CrashOptions{}) }

// Close closes the file.
func (l *LogFile) Close() error { return l.file.Close() }
