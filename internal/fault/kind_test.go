package fault

import (
	"errors"
	"fmt"
	"io/fs"
	"testing"
)

// A bomb panics when it is asked for its cause: errors of user code may do that.
type bomb struct{}

func (bomb) Error() string { return "bomb" }
func (bomb) Unwrap() error { panic("no cause") }

func TestName(t *testing.T) {
	path := &fs.PathError{Op: "open", Path: "x", Err: errors.New("gone")}
	for _, c := range []struct {
		want string
		err  error
	}{
		{"*errors.errorString", errDisk},
		{"*errors.errorString", fmt.Errorf("sink: %w", path)},
		{"*errors.errorString", errors.Join(fmt.Errorf("sink: %w", errDisk), path)},
		{"*errors.errorString", Of("t", "o", "(1/2)", errDisk)},
		{"panic", Of("t", "o", "(1/2)", &Panic{Value: errDisk})},
		{"worker lost", fmt.Errorf("on tm-1: %w", WorkerLost.Of(path))},
		{"TaskManager lost", TaskManagerLost.Of(WorkerLost.Of(errDisk))},
		{"connection lost", Of("t", "", "(1/2)", fmt.Errorf("%w to worker 3: reset", ErrConnection))},
		{"goroutine ended", fmt.Errorf("open: %w", ErrExit)},
		{"*main.Sick", fmt.Errorf("on tm-1: %w", &Remote{Text: "sick", Type: "*main.Sick", Causes: []error{errDisk}})},
		{"connection lost", &Remote{Text: "sick", Type: "*main.Sick", Causes: []error{ErrConnection}}},
		{"fault.bomb", bomb{}},
	} {
		if got := Name(c.err); got != c.want {
			t.Errorf("%v is called %q, want %q", c.err, got, c.want)
		}
	}
}

func TestKindSaysWhatItsCauseSays(t *testing.T) {
	err := TooFewSlots.Of(fmt.Errorf("after 1m0s: %w", errDisk))
	if err.Error() != "after 1m0s: disk full" || !errors.Is(err, errDisk) {
		t.Errorf("%v", err)
	}
}
