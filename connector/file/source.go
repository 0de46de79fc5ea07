package file

import (
	"context"
	"errors"

	"github.com/flott-dev/flott/connector"
)

// A format reads the records of a file.
type format[T any] interface {
	// check finds all mistakes in T.
	check() []error
	// checkFile finds mistakes at the start of a file.
	checkFile(path string) error
	// cuttable says whether a range of a file can be read without what comes before.
	cuttable() bool
	// read emits the records that begin in s, or from position from on if that is not 0.
	read(ctx context.Context, s span, from int64, out *connector.Feed[T]) error
}

type source[T any] struct {
	paths  []string
	format format[T]
	sizes  sizes
}

func newSource[T any](paths []string, f format[T]) source[T] {
	return source[T]{paths, f, sizes{least: 4 << 20, most: 64 << 20}}
}

func (s source[T]) Bounded() bool { return true }

func (s source[T]) Describe() connector.Description {
	return connector.Description{Name: "File Source"}
}

// Check finds paths that are not there, a T that cannot be read, and files that do not fit it.
func (s source[T]) Check() error {
	files, errs := find(s.paths)
	wrong := s.format.check()
	errs = append(errs, wrong...)
	for _, f := range files {
		if f.regular && len(wrong) == 0 { // a pipe can be read only once
			errs = append(errs, s.format.checkFile(f.path))
		}
	}
	return errors.Join(errs...)
}

func (s source[T]) Enumerator(_ context.Context, setup connector.Setup) (connector.Enumerator, error) {
	if setup.Restored != nil {
		return connector.OnDemand(setup, nil)
	}
	files, errs := find(s.paths)
	if len(errs) > 0 {
		return nil, errors.Join(errs...)
	}
	var splits []connector.Split
	for _, span := range cut(files, setup.Parallelism, s.format.cuttable(), s.sizes) {
		splits = append(splits, connector.Split{ID: span.String()})
	}
	return connector.OnDemand(setup, splits)
}

func (s source[T]) Reader(ctx context.Context, wake func()) (connector.Reader[T], error) {
	return connector.NewFeed(ctx, wake, func(ctx context.Context, out *connector.Feed[T], split string, from int64) error {
		span, err := parseSpan(split)
		if err != nil {
			return err
		}
		return s.format.read(ctx, span, from, out)
	}), nil
}
