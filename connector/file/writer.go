package file

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"sync/atomic"

	"github.com/flott-dev/flott/connector"
	"github.com/flott-dev/flott/internal/halt"
)

// partSize is how large a part becomes before the next one is begun, as in Flink.
const partSize = 128 << 20

// Writer makes a sink that writes records into a folder, which it makes if need be: one line a record, as format makes it. Each
// subtask writes parts of its own, part-SUBTASK-NUMBER, of about 128 MiB.
//
// While a part is written its name is hidden: .part-SUBTASK-NUMBER.inprogress. It gets its final name when it is large enough, or
// when the job comes to its end, and is on the disk then. A job that fails or is cancelled leaves its last parts hidden. What was
// there before stays there, and new parts get numbers that are free: who runs a job again finds the records of both runs.
func Writer[T any](dir string, format func(T) string) connector.Sink[T] {
	return sink[T]{dir, format, partSize}
}

type sink[T any] struct {
	dir      string
	format   func(T) string
	partSize int64
}

// Check finds a missing function, and a folder that cannot be one.
func (s sink[T]) Check() error {
	if s.format == nil {
		return errors.New("the function that formats records is nil")
	}
	info, err := os.Stat(s.dir)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil
	case err == nil && !info.IsDir():
		return fmt.Errorf("%s is not a folder", s.dir)
	}
	return err
}

func (s sink[T]) Writer(ctx context.Context, subtask, _ int) (connector.Writer[T], error) {
	if err := os.MkdirAll(s.dir, 0o777); err != nil {
		return nil, err
	}
	return &writer[T]{sink: s, subtask: subtask, halted: halt.Of(ctx)}, nil
}

// A writer writes one part at a time.
//
//	no part --begin--> writing --finish--> no part
type writer[T any] struct {
	sink[T]
	subtask int
	halted  *halt.Flag
	number  int // of the part
	part    *os.File
	lines   *bufio.Writer // to part
	size    int64
}

// Write implements connector.Writer.
func (w *writer[T]) Write(v []T, _ []int64) error {
	for i := range v {
		if atomic.LoadUint32(&w.halted.Up) != 0 {
			return w.halted.Err()
		}
		if err := w.writeLine(w.format(v[i])); err != nil {
			return err
		}
	}
	return nil
}

func (w *writer[T]) writeLine(line string) error {
	if w.part == nil {
		if err := w.begin(); err != nil {
			return err
		}
	}
	_, err := w.lines.WriteString(line)
	if err == nil {
		err = w.lines.WriteByte('\n')
	}
	w.size += int64(len(line)) + 1
	if err != nil || w.size < w.partSize {
		return err
	}
	return w.finish()
}

func (w *writer[T]) name() string {
	return filepath.Join(w.dir, fmt.Sprintf("part-%d-%d", w.subtask, w.number))
}

func (w *writer[T]) hiddenName() string {
	return filepath.Join(w.dir, fmt.Sprintf(".part-%d-%d.inprogress", w.subtask, w.number))
}

// begin opens the part with the next free number. The hidden file is made first and belongs to whoever made it, so that two jobs
// that write to one folder never take the same number.
func (w *writer[T]) begin() error {
	for ; ; w.number++ {
		part, err := os.OpenFile(w.hiddenName(), os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o666)
		if errors.Is(err, fs.ErrExist) {
			continue
		} else if err != nil {
			return err
		}
		if _, err := os.Lstat(w.name()); errors.Is(err, fs.ErrNotExist) {
			w.part, w.lines, w.size = part, bufio.NewWriterSize(part, 64<<10), 0
			return nil
		}
		if err := errors.Join(part.Close(), os.Remove(part.Name())); err != nil {
			return err
		}
	}
}

// Flush implements connector.Writer.
func (w *writer[T]) Flush(end bool) error {
	switch {
	case w.part == nil:
		return nil
	case end:
		return w.finish()
	}
	return w.sync()
}

func (w *writer[T]) sync() error {
	if err := w.lines.Flush(); err != nil {
		return err
	}
	return w.part.Sync()
}

// finish gives the part its name.
func (w *writer[T]) finish() error {
	if err := w.sync(); err != nil {
		return err
	}
	if err := w.Close(); err != nil {
		return err
	}
	if err := os.Rename(w.hiddenName(), w.name()); err != nil {
		return err
	}
	w.number++
	return syncFolder(w.dir)
}

// syncFolder makes the names in a folder durable. Windows has no such call.
func syncFolder(dir string) error {
	if runtime.GOOS == "windows" {
		return nil
	}
	d, err := os.Open(dir)
	if err != nil {
		return err
	}
	return errors.Join(d.Sync(), d.Close())
}

// Close implements connector.Writer.
func (w *writer[T]) Close() error {
	if w.part == nil {
		return nil
	}
	err := w.part.Close()
	w.part = nil
	return err
}
