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
	_, err = f.readHeader(path, csv.NewReader(in))
	return err
}

func (f csvFormat[T]) read(ctx context.Context, s span, from int64, out *connector.Feed[T]) error {
	in, err := open(ctx, s.path, 0)
	if err != nil {
		return err
	}
	defer func() { in.close() }()
	r := csv.NewReader(in)
	columns, err := f.readHeader(s.path, r)
	if err != nil || columns == nil {
		return err
	}
	if from > 0 { // go on where the last record ended
		in.close()
		if in, err = open(ctx, s.path, from); err != nil {
			return err
		}
		width := r.FieldsPerRecord
		r = csv.NewReader(in)
		r.FieldsPerRecord = width
	}
	t := &table[T]{Reader: r, ctx: ctx, path: s.path, base: in.offset, columns: columns}
	r.ReuseRecord = true
	return t.copyTo(out)
}

// readHeader returns which column goes to which field; none for an empty file.
func (f csvFormat[T]) readHeader(path string, r *csv.Reader) ([]csvColumn, error) {
	names, err := r.Read()
	switch {
	case errors.Is(err, io.EOF):
		return nil, nil
	case err != nil:
		return nil, fmt.Errorf("%s: the header: %w", path, err)
	}
	columns, wrong := csvColumns(f.fields, names)
	if len(wrong) > 0 {
		return nil, fmt.Errorf("%s: the header (%s) has %s", path, strings.Join(names, ", "), strings.Join(wrong, ", "))
	}
	return columns, nil
}

// A table reads the records behind the header of one file.
type table[T any] struct {
	*csv.Reader
	ctx     context.Context // for telling where an error is
	path    string
	base    int64 // where in the file the reader began
	columns []csvColumn
}

func (t *table[T]) copyTo(out *connector.Feed[T]) error {
	v := new(T)
	target := reflect.ValueOf(v).Elem()
	var zero T
	for {
		record, err := t.Read()
		switch {
		case errors.Is(err, io.EOF):
			return nil
		case err != nil:
			return t.wrongRecord(err)
		}
		*v = zero
		for i := range t.columns {
			c := &t.columns[i]
			if err := c.set(target.FieldByIndex(c.index), record[c.at]); err != nil {
				line, _ := t.FieldPos(c.at)
				return t.wrong(line, fmt.Errorf("column %q: %w", c.name, err))
			}
		}
		if err := out.Emit(*v, t.base+t.InputOffset()); err != nil {
			return err
		}
	}
}

func (t *table[T]) wrongRecord(err error) error {
	var p *csv.ParseError
	if !errors.As(err, &p) {
		return fmt.Errorf("%s: %w", t.path, err)
	}
	err = p.Err
	if errors.Is(err, csv.ErrFieldCount) {
		err = fmt.Errorf("%w: the header has %d", err, t.FieldsPerRecord)
	}
	return t.wrong(p.Line, err)
}

// wrong says in which line something is wrong; the reader has counted from where it began.
func (t *table[T]) wrong(line int, err error) error {
	before := lineAt(t.ctx, t.path, t.base)
	if before == 0 {
		return fmt.Errorf("%s: line %d after byte %d: %w", t.path, line, t.base, err)
	}
	return fmt.Errorf("%s:%d: %w", t.path, before+line-1, err)
}
