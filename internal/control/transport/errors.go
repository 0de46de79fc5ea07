package transport

import (
	"context"
	"fmt"

	"github.com/flott-dev/flott/internal/control/transport/wire"
	"github.com/flott-dev/flott/internal/control/view"
	"github.com/flott-dev/flott/internal/control/watch"
	"github.com/flott-dev/flott/internal/fault"
)

// Errors are of user code, and may be as large as they like, or form a graph in which many ways lead to one error. What is sent of one
// is bounded.
const (
	mostText   = 64 << 10 // bytes of one text or stack
	mostErrors = 100      // in all
	mostDepth  = 32       // of one inside another, also of what is received
)

var known = map[wire.Known]error{
	wire.Known_CONTEXT_CANCELED:  context.Canceled,
	wire.Known_DEADLINE_EXCEEDED: context.DeadlineExceeded,
	wire.Known_EXITED:            fault.ErrExit,
	wire.Known_UNKNOWN_FILE:      view.ErrUnknownFile,
	wire.Known_UNAVAILABLE:       view.ErrUnavailable,
	wire.Known_CONNECTION:        fault.ErrConnection,
}

// errorOf is the wire form of an error. Methods of errors are user code: when they panic, only what fmt makes of them is left.
func errorOf(err error) (e *wire.Error) {
	if err == nil {
		return nil
	}
	defer func() {
		if recover() != nil {
			e = textOf(err)
		}
	}()
	d := description{left: mostErrors}
	return d.of(err, mostDepth)
}

// A description is the wire form of an error in the making.
type description struct{ left int }

func (d *description) of(err error, depth int) *wire.Error {
	if d.left, depth = d.left-1, depth-1; d.left < 0 || depth < 0 {
		return textOf(err)
	}
	//nolint:errorlint // each error by itself: what it wraps is described for itself
	switch e := err.(type) {
	case *fault.Failure:
		f := &wire.Failure{Task: clip(e.Task), Operator: clip(e.Operator), Subtask: clip(e.Subtask), Stack: clip(e.Stack)}
		return &wire.Error{Kind: &wire.Error_Failure{Failure: f}, Causes: d.all(depth, e.Cause)}
	case *fault.Panic:
		p := &wire.Panic{Stack: clip(e.Stack)}
		value := &wire.Error{Kind: &wire.Error_Panic{Panic: p}}
		if inner, ok := e.Value.(error); ok {
			value.Causes = d.all(depth, inner)
		} else {
			p.Value = clip(fmt.Sprint(e.Value))
		}
		return value
	case *watch.Stuck:
		return &wire.Error{Kind: &wire.Error_Stuck{Stuck: &wire.Stuck{Who: clip(e.Who), Stack: clip(e.Stack)}}}
	}
	for k, value := range known {
		if same(err, value) {
			return &wire.Error{Kind: &wire.Error_Known{Known: k}}
		}
	}
	return d.other(err, depth)
}

// same compares identity, which errors.Is does not: it also asks what err wraps, and err itself.
func same(err, value error) bool {
	defer func() { _ = recover() }() // of two errors of a type that cannot be compared
	return err == value              //nolint:errorlint // see above
}

// other describes an error that has no kind of its own. Its causes say more than its text only when one of them has.
func (d *description) other(err error, depth int) *wire.Error {
	e := textOf(err)
	for _, c := range d.all(depth, wrapped(err)...) {
		if c.Kind != nil || len(c.Causes) > 0 {
			e.Causes = append(e.Causes, c)
		}
	}
	return e
}

func (d *description) all(depth int, errs ...error) (all []*wire.Error) {
	for _, err := range errs {
		if err != nil {
			all = append(all, d.of(err, depth))
		}
	}
	return all
}

// wrapped is the errors directly inside err.
func wrapped(err error) []error {
	//nolint:errorlint // only what err itself wraps
	switch e := err.(type) {
	case interface{ Unwrap() error }:
		return []error{e.Unwrap()}
	case interface{ Unwrap() []error }:
		return e.Unwrap()
	}
	return nil
}

// textOf is all that can be said of any error.
func textOf(err error) *wire.Error {
	return &wire.Error{Text: clip(fmt.Sprint(err)), Type: clip(fault.Name(err))}
}

// clip cuts off what is too long.
func clip[T string | []byte](s T) T { return s[:min(len(s), mostText)] }

// error reads an error. It is what errors.Is and errors.As find in the original, as far as that has a kind.
func (d *decoder) error(e *wire.Error) error { return d.errorWithin(e, mostDepth+1) }

func (d *decoder) errorWithin(e *wire.Error, depth int) error {
	switch {
	case e == nil:
		return nil
	case depth == 0:
		d.fail("an error has more than %d errors one inside another", mostDepth)
		return nil
	}
	causes := make([]error, len(e.Causes))
	for i, c := range e.Causes {
		causes[i] = d.errorWithin(c, depth-1)
	}
	switch k := e.Kind.(type) {
	case *wire.Error_Failure:
		f := k.Failure
		return &fault.Failure{Task: f.GetTask(), Operator: f.GetOperator(), Subtask: f.GetSubtask(), Stack: f.GetStack(), Cause: first(causes)}
	case *wire.Error_Panic:
		p := &fault.Panic{Value: k.Panic.GetValue(), Stack: k.Panic.GetStack()}
		if len(causes) > 0 {
			p.Value = causes[0]
		}
		return p
	case *wire.Error_Stuck:
		return &watch.Stuck{Who: k.Stuck.GetWho(), Stack: k.Stuck.GetStack()}
	case *wire.Error_Known:
		if err := known[k.Known]; err != nil {
			return err
		}
	}
	r := &fault.Remote{Text: e.Text, Type: e.Type}
	if len(causes) > 0 {
		r.Causes = causes
	}
	return r
}

// first is the only cause of an error; nil: it has none.
func first(causes []error) error {
	if len(causes) == 0 {
		return nil
	}
	return causes[0]
}
