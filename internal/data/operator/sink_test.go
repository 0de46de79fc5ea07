package operator_test

import (
	"context"
	"errors"
	"fmt"
	"testing"

	"github.com/flott-dev/flott/connector"
	"github.com/flott-dev/flott/internal/data/operator"
)

// A ledger is a sink and its writer, which notes what is asked of it.
type ledger struct {
	notes []string
	wrong error
}

func (l *ledger) note(format string, args ...any) error {
	l.notes = append(l.notes, fmt.Sprintf(format, args...))
	return l.wrong
}

func (l *ledger) Writer(_ context.Context, subtask, parallelism int) (connector.Writer[int64], error) {
	return l, l.note("open %d of %d", subtask, parallelism)
}
func (l *ledger) Write(v, ts []int64) error { return l.note("write %v %v", v, ts) }
func (l *ledger) Flush(end bool) error      { return l.note("flush %v", end) }
func (l *ledger) Close() error              { return l.note("close") }

func TestSink(t *testing.T) {
	l := &ledger{}
	r := newRig(t, operator.Sink[int64](l), nil)
	in := input[int64](r, 0)
	noError(t, in.Receive(batch([]int64{1, 2}, 10, 20)))
	noError(t, in.Receive(batch([]int64{3})))
	noError(t, in.Watermark(5))
	noError(t, in.Idle(true))
	noError(t, r.EndInput(0))
	noError(t, r.Finish())
	noError(t, r.Close())
	want := "[open 0 of 1 write [1 2] [10 20] write [3] [] flush true close]"
	if got := fmt.Sprint(l.notes); got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
}

func TestSinkThatFailed(t *testing.T) {
	l := &ledger{wrong: errors.New("disk is full")}
	o, err := operator.Sink[int64](l).New(&operator.Env{Parallelism: 1, Context: t.Context()})
	noError(t, err)
	if err := o.Close(); err != nil {
		t.Errorf("closed without a writer: %v", err)
	}
	if err := o.Open(t.Context()); !errors.Is(err, l.wrong) {
		t.Errorf("got %v", err)
	}
}
