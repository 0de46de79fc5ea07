package file

import (
	"context"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"reflect"
	"strings"

	"github.com/flott-dev/flott/connector"
	"github.com/flott-dev/flott/connector/internal/line"
)

// A csvFormat has a header with the names of the columns, and one record a line, or several where values hold ends of line.
type csvFormat[T any] struct {
	fields []csvField
	wrong  []error // with T
}

func newCSV[T any]() csvFormat[T] {
	fields, wrong := csvFields(reflect.TypeFor[T]())
	return csvFormat[T]{fields, wrong}
}

func (f csvFormat[T]) check() []error { return f.wrong }
func (f csvFormat[T]) cuttable() bool { return false }

func (f csvFormat[T]) checkFile(path string) error {
	in, err := open(context.Background(), path, 0)
	if err != nil {
		return err
	}
	defer in.close()
	if _, err = f.readHeader(path, newTable[T](context.Background(), path, in)); errors.Is(err, io.EOF) {
		return nil
	}
	return err
}

func (f csvFormat[T]) read(ctx context.Context, s span, from int64, out *connector.Feed[T]) error {
	in, err := open(ctx, s.path, 0)
	if err != nil {
		return err
	}
	defer func() { in.close() }()
	t := newTable[T](ctx, s.path, in)
	columns, err := f.readHeader(s.path, t)
	switch {
	case errors.Is(err, io.EOF):
		return nil
	case err != nil:
		return err
	}
	if from > 0 { // go on where the last record ended
		in.close()
		if in, err = open(ctx, s.path, from); err != nil {
			return err
		}
		width := t.FieldsPerRecord
		t = newTable[T](ctx, s.path, in)
		t.FieldsPerRecord = width
	}
	t.ReuseRecord = true
	return t.copyTo(columns, out)
}

// readHeader returns which column goes to which field. The error is io.EOF for a file of no text at all.
func (f csvFormat[T]) readHeader(path string, t *table[T]) ([]csvColumn, error) {
	names, err := t.Read()
	switch {
	case errors.Is(err, io.EOF) && t.InputOffset() == 0:
		return nil, io.EOF
	case errors.Is(err, io.EOF):
		return nil, fmt.Errorf("%s: it has empty lines only, and no header", path)
	case err != nil:
		return nil, fmt.Errorf("%s: the header: %w", path, err)
	}
	columns, wrong := csvColumns(f.fields, names)
	if len(wrong) > 0 {
		return nil, fmt.Errorf("%s: the header (%s) has %s", path, strings.Join(names, ", "), strings.Join(wrong, ", "))
	}
	return columns, nil
}

// A table reads the records of one file.
type table[T any] struct {
	*csv.Reader
	ctx   context.Context // for telling where an error is
	path  string
	base  int64 // where in the file the reader began
	limit *limit
}

func newTable[T any](ctx context.Context, path string, in *input) *table[T] {
	l := &limit{r: in.Reader, left: line.Max}
	return &table[T]{Reader: csv.NewReader(l), ctx: ctx, path: path, base: in.offset, limit: l}
}

// A limit lets so many bytes pass: without it, a quote that is not closed would make a record of the rest of the file.
type limit struct {
	r    io.Reader
	left int
}

func (l *limit) Read(p []byte) (int, error) {
	if l.left <= 0 {
		return 0, fmt.Errorf("the record is longer than %d MiB; a quote may not be closed", line.Max>>20)
	}
	n, err := l.r.Read(p[:min(len(p), l.left)])
	l.left -= n
	return n, err
}

func (t *table[T]) copyTo(columns []csvColumn, out *connector.Feed[T]) error {
	v := new(T)
	target := reflect.ValueOf(v).Elem()
	var zero T
	for {
		start := t.base + t.InputOffset()
		t.limit.left = line.Max
		record, err := t.Read()
		switch {
		case errors.Is(err, io.EOF):
			return nil
		case err != nil:
			return t.wrongRecord(start, err)
		}
		*v = zero
		for i := range columns {
			c := &columns[i]
			if err := c.set(target.FieldByIndex(c.index), record[c.at]); err != nil {
				at, _ := t.FieldPos(c.at)
				return t.wrong(at, fmt.Errorf("column %q: %w", c.name, err))
			}
		}
		if err := out.Emit(*v, t.base+t.InputOffset()); err != nil {
			return err
		}
	}
}

func (t *table[T]) wrongRecord(start int64, err error) error {
	var p *csv.ParseError
	if !errors.As(err, &p) {
		return wrongAt(t.ctx, t.path, start, err)
	}
	err = p.Err
	if errors.Is(err, csv.ErrFieldCount) {
		err = fmt.Errorf("%w: the header has %d", err, t.FieldsPerRecord)
	}
	return t.wrong(p.Line, err)
}

// wrong says in which line something is wrong; the reader has counted from where it began.
func (t *table[T]) wrong(at int, err error) error {
	before := lineAt(t.ctx, t.path, t.base)
	if before == 0 {
		return fmt.Errorf("%s: line %d after byte %d: %w", t.path, at, t.base, err)
	}
	return fmt.Errorf("%s:%d: %w", t.path, before+at-1, err)
}
