// Package fault is what is said of user code that does not do its part: it returns an error, panics, or ends its goroutine. A Failure
// says where that was.
package fault

import (
	"bytes"
	"errors"
	"fmt"
	"runtime/debug"
)

// A Failure is why a task ended before its time, or the enumerator of a source.
type Failure struct {
	Task     string // the chain of operators; "": an enumerator, which belongs to no task
	Operator string // the one at work; "": none was
	Subtask  string // "(2/4)"; "": an enumerator, which works for all subtasks of its source
	Cause    error  // what user code returned; of a panic a *Panic, which wraps the value if it is an error
	Stack    []byte // of a panic, from where it came up
}

// Of is the failure of an operator, or none, in a subtask of a task. It is err's.
func Of(task, operator, subtask string, err error) *Failure {
	f := &Failure{Task: task, Operator: operator, Subtask: subtask, Cause: err}
	var p *Panic
	if errors.As(err, &p) {
		f.Stack = p.Stack
	}
	return f
}

// OfEnumerator is the failure of the enumerator of a source.
func OfEnumerator(source string, err error) *Failure { return Of("", source, "", err) }

// Error names the operator, the subtask and the cause, with the stack of a panic. The cause's own method Error may panic, as that of
// a nil pointer does; fmt bears it.
func (f *Failure) Error() string { return fmt.Sprintf("%s: %v", f.where(), f.Cause) }

func (f *Failure) where() string {
	switch {
	case f.Task == "":
		return fmt.Sprintf("enumerator of operator %q", f.Operator)
	case f.Operator == "":
		return fmt.Sprintf("task %q %s", f.Task, f.Subtask)
	}
	return fmt.Sprintf("operator %q %s", f.Operator, f.Subtask)
}

// Unwrap is the error of the user's code.
func (f *Failure) Unwrap() error { return f.Cause }

// A Panic is the error of a function that panicked.
type Panic struct {
	Value any
	Stack []byte // from where it came up
}

// Error has the value and the stack.
func (p *Panic) Error() string { return fmt.Sprintf("panic: %v\n\n%s", p.Value, p.Stack) }

// Unwrap is the value, if it is an error.
func (p *Panic) Unwrap() error {
	err, _ := p.Value.(error)
	return err
}

// ErrExit is the error of a function that ended its goroutine, instead of returning.
var ErrExit = Exited.Errorf("user code ended the goroutine with runtime.Goexit, as testing.T's FailNow, Fatal and Skip do")

// ErrConnection is in the errors of tasks that have lost a connection to those of another worker. It may be no more than a symptom: the
// other worker may have ended.
var ErrConnection = ConnectionLost.Errorf("connection")

// Catch calls f, and then ended, whatever happens: with f's error, with a *Panic, or with ErrExit. Catch itself does not return after
// the last.
func Catch(f func() error, ended func(error)) {
	err := ErrExit
	defer func() {
		if v := recover(); v != nil {
			err = &Panic{v, above(debug.Stack())}
		}
		ended(err)
	}()
	err = f()
}

// above drops the frames of those who look at a panic: user code comes right behind the call of panic.
func above(stack []byte) []byte {
	_, rest, found := bytes.Cut(stack, []byte("\npanic("))
	if !found {
		return stack
	}
	_, rest, _ = bytes.Cut(rest, []byte("\n")) // arguments
	_, rest, _ = bytes.Cut(rest, []byte("\n")) // where panic is
	return rest
}
