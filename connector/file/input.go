package file

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/klauspost/compress/gzip"
	"github.com/klauspost/compress/zstd"
)

// An input is an open file from an offset on. Offsets count the bytes of the text, also where the file holds it compressed.
type input struct {
	*bufio.Reader
	offset int64 // of the first byte
	close  func()
}

var byteOrderMark = []byte("\xef\xbb\xbf")

// open opens a file for reading from offset on. It is closed when ctx ends, so that a read from a pipe ends too.
func open(ctx context.Context, path string, offset int64) (*input, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	in := &input{offset: offset, close: func() { _ = f.Close() }} // nothing was written, so nothing is lost
	stop := context.AfterFunc(ctx, in.close)
	in.onClose(func() { stop() })
	if err := in.start(f, compression(path)); err != nil {
		in.close()
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return in, nil
}

// onClose has f called before all that is closed already.
func (in *input) onClose(f func()) {
	before := in.close
	in.close = func() { f(); before() }
}

// start goes to the offset, and over a byte order mark at the start.
func (in *input) start(f *os.File, decompress decompressor) (err error) {
	var r io.Reader = f
	switch {
	case decompress != nil:
		var done func()
		if r, done, err = decompress(f); err != nil {
			return err
		}
		in.onClose(done)
		if _, err := io.CopyN(io.Discard, r, in.offset); err != nil {
			return fmt.Errorf("going to byte %d: %w", in.offset, err)
		}
	case in.offset > 0:
		if _, err := f.Seek(in.offset, io.SeekStart); err != nil {
			return err
		}
	}
	in.Reader = bufio.NewReaderSize(r, 64<<10)
	if in.offset == 0 {
		if mark, _ := in.Peek(len(byteOrderMark)); bytes.Equal(mark, byteOrderMark) { // an error comes again on reading
			n, _ := in.Discard(len(mark))
			in.offset = int64(n)
		}
	}
	return nil
}

// A decompressor makes a reader of the text in r.
type decompressor func(r io.Reader) (text io.Reader, done func(), err error)

// compression returns the decompressor for a file, by the end of its name; nil for plain text.
func compression(path string) decompressor {
	switch strings.ToLower(filepath.Ext(path)) {
	case ".gz", ".gzip":
		return func(r io.Reader) (io.Reader, func(), error) {
			text, err := gzip.NewReader(r)
			if errors.Is(err, io.EOF) { // an empty file is an empty text
				return strings.NewReader(""), func() {}, nil
			}
			return text, func() {}, err
		}
	case ".zst", ".zstd":
		return func(r io.Reader) (io.Reader, func(), error) {
			text, err := zstd.NewReader(r, zstd.WithDecoderConcurrency(1))
			if err != nil {
				return nil, nil, err
			}
			return text, text.Close, nil
		}
	}
	return nil
}

// lineAt is the number of the line, counted from 1, in which a byte of a file lies; 0 if it cannot be told.
func lineAt(ctx context.Context, path string, offset int64) int {
	in, err := open(ctx, path, 0)
	if err != nil {
		return 0
	}
	defer in.close()
	line := 1
	for buf := make([]byte, 64<<10); ; {
		n, err := io.ReadFull(in, buf[:min(int64(len(buf)), max(0, offset-in.offset))])
		line += bytes.Count(buf[:n], []byte{'\n'})
		in.offset += int64(n)
		switch {
		case in.offset >= offset:
			return line
		case err != nil:
			return 0
		}
	}
}

// wrongAt says where in a file something is wrong.
func wrongAt(ctx context.Context, path string, offset int64, wrong error) error {
	if line := lineAt(ctx, path, offset); line > 0 {
		return fmt.Errorf("%s:%d: %w", path, line, wrong)
	}
	return fmt.Errorf("%s, byte %d: %w", path, offset, wrong)
}
