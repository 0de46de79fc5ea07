package connectortest_test

import (
	"context"
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/flott-dev/flott/connector"
	"github.com/flott-dev/flott/connector/connectortest"
)

// A place is a sink with a writer that keeps records until Flush, and the faults that are set.
type place struct {
	durable []int

	losesFlush, reverses, keeps, changes, silent bool
	closeErr, secondCloseErr                     error
}

func (p *place) Writer(context.Context, int, int) (connector.Writer[int], error) {
	return &placeWriter{place: p}, nil
}

type placeWriter struct {
	*place
	v      []int
	closed bool
}

func (w *placeWriter) Write(v []int, _ []int64) error {
	if w.silent {
		return nil
	}
	if w.changes {
		v[0]++
	}
	if w.keeps && w.v == nil {
		w.v = v
		return nil
	}
	w.v = append(w.v, v...)
	return nil
}

func (w *placeWriter) Flush(end bool) error {
	if w.losesFlush && !end {
		return nil
	}
	if w.reverses {
		slices.Reverse(w.v)
	}
	w.durable = append(w.durable, w.v...)
	w.v = nil
	return nil
}

func (w *placeWriter) Close() error {
	if w.closed {
		return w.secondCloseErr
	}
	w.closed = true
	return w.closeErr
}

func TestSinkFindsFaults(t *testing.T) {
	for _, c := range []struct {
		name, want string
		fault      place
	}{
		{name: "none"},
		{name: "loses a flush", want: "after Flush(false): subtask 0 of 1 wrote 300 records, and 0 are there (were the slices of Write kept? They are lent); from the first difference on\nwritten: 1, 2, 3, 4, 5, ... (295 more)\nthere:   nothing more", fault: place{losesFlush: true}},
		{name: "reverses", want: "there:   300, 299, 298, 297, 296, ... (295 more)", fault: place{reverses: true}},
		{name: "keeps the slice", want: "was never written (were the slices of Write kept?", fault: place{keeps: true}},
		{name: "changes the slice", want: "Write changed record", fault: place{changes: true}},
		{name: "cannot close", want: "parallelism 1: Close: stuck", fault: place{closeErr: errors.New("stuck")}},
		{name: "closes once", want: "second Close: stuck", fault: place{secondCloseErr: errors.New("stuck")}},
	} {
		t.Run(c.name, func(t *testing.T) {
			got := reports(t, func(t testing.TB) {
				connectortest.Sink(t, connectortest.SinkCase[int]{
					New: func() (connector.Sink[int], func() ([]int, error)) {
						p := c.fault
						return &p, func() ([]int, error) { return p.durable, nil }
					},
					Record: func(i int) int { return i + 1 },
				})
			})
			if c.want == "" && got != "" || !strings.Contains(got, c.want) {
				t.Errorf("the suite reported %q, want %q", got, c.want)
			}
		})
	}
}

func TestSinkFindsSilentFailure(t *testing.T) {
	got := reports(t, func(t testing.TB) {
		connectortest.Sink(t, connectortest.SinkCase[int]{
			New: func() (connector.Sink[int], func() ([]int, error)) {
				p := &place{}
				return p, func() ([]int, error) { return p.durable, nil }
			},
			Record: func(i int) int { return i + 1 },
			Broken: func() connector.Sink[int] { return &place{silent: true} },
		})
	})
	if want := "reported no error"; !strings.Contains(got, want) {
		t.Errorf("the suite reported %q, want %q", got, want)
	}
}
