package transport

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"strings"
	"testing"

	"google.golang.org/protobuf/proto"

	"github.com/flott-dev/flott/internal/control/watch"
	"github.com/flott-dev/flott/internal/fault"
)

// over is an error after its way.
func over(t *testing.T, err error) error {
	t.Helper()
	var d decoder
	back := d.error(errorOf(err))
	if d.err != nil {
		t.Fatal(d.err)
	}
	return back
}

type panicking struct{ on string }

func (p *panicking) Error() string {
	if p.on == "Error" {
		panic("no text")
	}
	return "text"
}

func (p *panicking) Unwrap() error {
	if p.on == "Unwrap" {
		panic("no cause")
	}
	return nil
}

type uncomparable []string

func (u uncomparable) Error() string { return strings.Join(u, ", ") }

func TestAnyErrorKeepsItsText(t *testing.T) {
	var none *panicking
	for _, err := range []error{
		errors.New("plain"), fmt.Errorf("a: %w", errors.New("b")), errors.Join(errors.New("a"), errors.New("b")),
		uncomparable{"a", "b"},
		&panicking{"Unwrap"}, &panicking{}, errors.New("\xff\xfe"),
		&fault.Failure{Task: "t", Operator: "o", Subtask: "(1/2)", Cause: errors.New("x")},
		&fault.Panic{Value: 17, Stack: []byte("stack")},
		fmt.Errorf("around: %w", &watch.Stuck{Who: "w", Stack: "s"}),
	} {
		if got := over(t, err); got.Error() != err.Error() {
			t.Errorf("%v, want %v", got, err)
		}
	}
	for _, err := range []error{&panicking{"Error"}, none} {
		if got := over(t, err); got.Error() != fmt.Sprint(err) {
			t.Errorf("%v, want %v", got, fmt.Sprint(err))
		}
	}
}

func TestKindsOfErrorsAreFoundWhereTheyWere(t *testing.T) {
	err := over(t, fmt.Errorf("job: %w", errors.Join(errors.New("other"), &fault.Failure{Task: "t", Cause: fmt.Errorf("open: %w", context.Canceled)})))
	var f *fault.Failure
	if !errors.As(err, &f) || f.Task != "t" || !errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("%#v", err)
	}
	err = over(t, &fault.Failure{Cause: &fault.Panic{Value: fmt.Errorf("x: %w", fault.ErrExit), Stack: []byte("here")}})
	var p *fault.Panic
	if !errors.As(err, &p) || string(p.Stack) != "here" || !errors.Is(err, fault.ErrExit) {
		t.Errorf("%#v", err)
	}
}

func TestTheTypeOfTheInnermostErrorIsKept(t *testing.T) {
	err := error(&fault.Failure{Task: "t", Cause: fmt.Errorf("open: %w", &fs.PathError{Op: "open", Path: "x", Err: fs.ErrNotExist})})
	for range 2 { // also of one that has come from elsewhere
		err = over(t, err)
		var r *fault.Remote
		if !errors.As(err, &r) || r.Type != "*errors.errorString" {
			t.Errorf("%#v", r)
		}
	}
}

// Many ways lead to one error: written out, this one would have 2^40 parts.
func TestErrorsAreBounded(t *testing.T) {
	err := error(&fault.Failure{Cause: errors.New(strings.Repeat("long", mostText))})
	for range 40 {
		err = errors.Join(err, err)
		if len(err.Error()) > 1<<22 {
			break
		}
	}
	var deep error = context.Canceled
	for range 1000 {
		deep = &fault.Failure{Cause: deep}
	}
	for _, err := range []error{err, deep} {
		if size := proto.Size(errorOf(err)); size > mostErrors*(mostText+100) {
			t.Errorf("%d bytes", size)
		}
		_ = over(t, err)
	}
}
