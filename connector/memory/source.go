// Package memory reads records from a slice and collects them in one: for tests, examples, and small fixed tables.
package memory

import (
	"context"

	"github.com/flott-dev/flott/connector"
)

// Of makes a source of the given records, see FromSlice.
func Of[T any](xs ...T) connector.Source[T] { return FromSlice(xs) }

// FromSlice makes a source of the records in xs, which must not change while the job runs. One reader reads them all, in order.
func FromSlice[T any](xs []T) connector.Source[T] { return source[T]{xs} }

type source[T any] struct{ xs []T }

func (s source[T]) Bounded() bool { return true }

func (s source[T]) Describe() connector.Description {
	return connector.Description{Name: "Collection Source", Parallelism: 1}
}

func (s source[T]) Enumerator(_ context.Context, setup connector.Setup) (connector.Enumerator, error) {
	return connector.OnDemand(setup, []connector.Split{{ID: "collection"}})
}

func (s source[T]) Reader(context.Context, func()) (connector.Reader[T], error) {
	return &reader[T]{xs: s.xs}, nil
}

// A reader has at most one split, and its position is an index into xs.
type reader[T any] struct {
	xs   []T
	next int
	id   string // of the split; empty while there is none
}

func (r *reader[T]) Assign(splits []connector.Split) error {
	for _, s := range splits {
		next, err := s.Offset()
		if err != nil {
			return err
		}
		r.id, r.next = s.ID, min(int(next), len(r.xs))
	}
	return nil
}

func (r *reader[T]) Read(b *connector.Batch[T]) (connector.Status, error) {
	if r.id == "" {
		return connector.Done, nil
	}
	n := min(cap(b.V), len(r.xs)-r.next)
	b.V = append(b.V, r.xs[r.next:r.next+n]...)
	b.Split = r.id
	r.next += n
	if r.next == len(r.xs) {
		b.End, r.id = true, ""
	}
	return connector.More, nil
}

func (r *reader[T]) Snapshot() ([]connector.Split, error) {
	if r.id == "" {
		return nil, nil
	}
	return []connector.Split{{ID: r.id, Position: connector.Offset(int64(r.next))}}, nil
}

func (r *reader[T]) Close() error { return nil }
