package fault

import (
	"errors"
	"fmt"
)

// A Kind is what sort of thing went wrong in flott, not in user code: errors of flott are listed by it, as those of user code are by
// their Go types.
type Kind string

// The kinds.
const (
	WorkerLost      Kind = "worker lost"
	WorkerNoMemory  Kind = "worker out of memory"
	TaskManagerLost Kind = "TaskManager lost"
	ConnectionLost  Kind = "connection lost"
	TooFewSlots     Kind = "too few slots"
	OtherProgram    Kind = "other program"     // than the client's is what a worker has
	Stuck           Kind = "user code stuck"   // it does not return
	Exited          Kind = "goroutine ended"   // by user code
	Panicked        Kind = "panic"             // of user code
	Unasked         Kind = "cancelled unasked" // a task was
)

// Of is an error of this kind. It says what its cause says.
func (k Kind) Of(cause error) error { return &kinded{k, cause} }

// Errorf is an error of this kind in words.
func (k Kind) Errorf(format string, args ...any) error { return k.Of(fmt.Errorf(format, args...)) }

type kinded struct {
	kind  Kind
	cause error
}

func (k *kinded) Error() string { return k.cause.Error() }
func (k *kinded) Unwrap() error { return k.cause }
func (k *kinded) Kind() Kind    { return k.kind }

// Kind is that of panics.
func (p *Panic) Kind() Kind { return Panicked }

// Name is what an error is called where failures are listed: the outermost Kind in it, or the Go type of its root cause. Of several
// errors that are joined the first counts. Methods of errors are user code: when they panic, the error's own type is its name.
func Name(err error) (name string) {
	defer func() {
		if recover() != nil {
			name = fmt.Sprintf("%T", err)
		}
	}()
	return nameOf(err)
}

func nameOf(err error) string {
	var k interface{ Kind() Kind }
	if errors.As(err, &k) {
		return string(k.Kind())
	}
	for inner := err; inner != nil; inner = first(inner) {
		err = inner
	}
	var r *Remote
	if errors.As(err, &r) { // another process has said so
		return r.Type
	}
	return fmt.Sprintf("%T", err)
}

// first is the error directly inside another one, or the first of those; nil: there is none that has more to say. What a Remote has
// inside is less than its own words.
func first(err error) error {
	//nolint:errorlint // only what err itself wraps
	switch e := err.(type) {
	case *Remote:
		return nil
	case interface{ Unwrap() error }:
		return e.Unwrap()
	case interface{ Unwrap() []error }:
		if all := e.Unwrap(); len(all) > 0 {
			return all[0]
		}
	}
	return nil
}
