package task

import (
	"bytes"
	"errors"
	"fmt"
	"runtime/debug"

	"github.com/flott-dev/flott/internal/data/record"
)

// A Failure is why a task ended before its time: an error that user code returned, or a panic.
type Failure struct {
	Operator string // the one at work; "": none was
	Subtask  string // "(2/4)"
	Cause    error
	Stack    []byte // of a panic, from where it came up
}

// Error names the operator, the subtask and the cause.
func (f *Failure) Error() string {
	at := "task"
	if f.Operator != "" {
		at = fmt.Sprintf("operator %q", f.Operator)
	}
	s := fmt.Sprintf("%s %s: %v", at, f.Subtask, f.Cause)
	if f.Stack != nil {
		s += "\n\n" + string(f.Stack)
	}
	return s
}

// Unwrap is the error of the user's code.
func (f *Failure) Unwrap() error { return f.Cause }

// failed makes a failure of an error that came out of the chain.
func (t *Task) failed(err error) *Failure {
	f := &Failure{Operator: t.chain.Current(), Subtask: t.subtask, Cause: err}
	var owned *record.Failure
	if errors.As(err, &owned) {
		f.Operator, f.Cause = owned.Name, owned.Err
	}
	return f
}

// panicked makes a failure of what recover returned. It must be called by the deferred function.
func (t *Task) panicked(v any) *Failure {
	cause := fmt.Errorf("panic: %v", v)
	if err, ok := v.(error); ok {
		cause = fmt.Errorf("panic: %w", err)
	}
	return &Failure{t.chain.Current(), t.subtask, cause, afterPanic(debug.Stack())}
}

// afterPanic drops the frames of those who look at the panic: user code comes right behind the call of panic.
func afterPanic(stack []byte) []byte {
	_, rest, found := bytes.Cut(stack, []byte("\npanic("))
	if !found {
		return stack
	}
	_, rest, _ = bytes.Cut(rest, []byte("\n")) // arguments
	_, rest, _ = bytes.Cut(rest, []byte("\n")) // where panic is
	return rest
}
