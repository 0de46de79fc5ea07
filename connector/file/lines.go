package file

import (
	"bytes"
	"context"
	"encoding/json/v2"
	"errors"
	"fmt"
	"io"

	"github.com/flott-dev/flott/connector"
	"github.com/flott-dev/flott/connector/internal/line"
)

// A lineFormat has one record a line.
type lineFormat[T any] struct {
	decode    func(line []byte, v *T) error // v is zero; line is lent
	skipEmpty bool
}

func (f lineFormat[T]) check() []error         { return nil }
func (f lineFormat[T]) checkFile(string) error { return nil }
func (f lineFormat[T]) cuttable() bool         { return true }

func (f lineFormat[T]) read(ctx context.Context, s span, from int64, out *connector.Feed[T]) error {
	in, err := openSpan(ctx, s, from)
	if err != nil {
		return err
	}
	defer in.close()
	lines := line.NewReader(in, in.offset)
	switch {
	case from == 0 && s.start > 0:
		if err := lines.Skip(); err != nil {
			return fmt.Errorf("%s: %w", s.path, err)
		}
	case from == 0 && s.end != toEnd:
		s.end = max(s.end, in.offset+1) // the first line begins behind a byte order mark, but is the first range's
	}
	v := new(T)
	for s.end == toEnd || lines.Offset() < s.end {
		if more, err := f.readLine(ctx, s.path, lines, v, out); err != nil || !more {
			return err
		}
	}
	return nil
}

// openSpan opens a file where reading goes on. At the start of a range that is one byte before it: if the line there ends with
// that byte, the next one begins with the range and belongs to it.
func openSpan(ctx context.Context, s span, from int64) (*input, error) {
	if from == 0 && s.start > 0 {
		from = s.start - 1
	}
	return open(ctx, s.path, from)
}

// readLine emits the record of the next line, if there is one. v is where it is decoded: one for all lines, since decoding may make it escape.
func (f lineFormat[T]) readLine(ctx context.Context, path string, lines *line.Reader, v *T, out *connector.Feed[T]) (more bool, err error) {
	start := lines.Offset()
	text, err := lines.Next()
	switch {
	case errors.Is(err, io.EOF):
		return false, nil
	case err != nil:
		return false, wrongAt(ctx, path, start, err)
	case f.skipEmpty && len(bytes.TrimSpace(text)) == 0:
		return true, nil
	}
	var zero T
	*v = zero
	if err := f.decode(text, v); err != nil {
		return false, wrongAt(ctx, path, start, err)
	}
	return true, out.Emit(*v, lines.Offset())
}

// anyCase finds fields by name in any case, as programs without tags expect.
var anyCase = json.MatchCaseInsensitiveNames(true)

func decodeJSON[T any](line []byte, v *T) error { return json.Unmarshal(line, v, anyCase) }
