// Package line cuts text into lines that end with "\n" or "\r\n"; the last one may end with the text.
package line

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
)

// Max is the most bytes that a line may have. Longer ones are a mistake much more often than a line, and would fill the memory.
const Max = 16 << 20

// A Reader reads lines.
type Reader struct {
	r      *bufio.Reader
	long   []byte // a line that is longer than the buffer of r
	offset int64
}

// NewReader makes a Reader of r, whose first byte is at offset.
func NewReader(r io.Reader, offset int64) *Reader {
	return &Reader{r: bufio.NewReaderSize(r, 64<<10), offset: offset}
}

// Offset is where the next line begins.
func (r *Reader) Offset() int64 { return r.offset }

// Next returns the next line, without what ends it; the slice is valid until Next is called again. The error is io.EOF after the
// last line.
func (r *Reader) Next() ([]byte, error) {
	start := r.offset
	r.long = r.long[:0]
	for {
		part, err := r.r.ReadSlice('\n')
		r.offset += int64(len(part))
		switch {
		case r.offset-start > Max:
			return nil, fmt.Errorf("the line at byte %d is longer than %d MiB", start, Max>>20)
		case errors.Is(err, bufio.ErrBufferFull):
			r.long = append(r.long, part...)
			continue
		case errors.Is(err, io.EOF) && r.offset > start:
		case err != nil:
			return nil, err
		}
		if len(r.long) > 0 {
			r.long = append(r.long, part...)
			part = r.long
		}
		return trimEnd(part), nil
	}
}

func trimEnd(line []byte) []byte {
	line = bytes.TrimSuffix(line, []byte{'\n'})
	return bytes.TrimSuffix(line, []byte{'\r'})
}

// Skip goes to the end of the line in whose midst the reader is, or of the text.
func (r *Reader) Skip() error {
	for {
		part, err := r.r.ReadSlice('\n')
		r.offset += int64(len(part))
		switch {
		case errors.Is(err, bufio.ErrBufferFull):
		case errors.Is(err, io.EOF):
			return nil
		default:
			return err
		}
	}
}
