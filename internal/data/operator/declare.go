package operator

import (
	"errors"
	"fmt"
	"path/filepath"
	"reflect"
	"runtime"
	"strings"

	"github.com/flott-dev/flott/backend"
	"github.com/flott-dev/flott/backend/heap"
	"github.com/flott-dev/flott/internal/data/keyed"
	"github.com/flott-dev/flott/internal/id"
	"github.com/flott-dev/flott/process"
)

// A Declarer is the Constructor of an operator with a function of the user's. Declare makes the function once while the program is
// compiled, only to see which states it declares and what is wrong with it: open fails or panics, a state name is used twice or empty, a
// method that would never be called. All mistakes come out, joined.
type Declarer interface {
	Constructor
	Declare() ([]backend.State, error)
}

// declareKeyed declares a function with state.
func declareKeyed[K comparable, O, F any](open func(*process.KeyedRuntime[K]) (F, error)) ([]backend.State, error) {
	states := keyed.NewStates[K](heap.Backend{}, id.KeyGroupRange{}, 1)
	err := declare(keyedHooksOf[K, O](), func() (any, error) {
		user, err := open(process.NewKeyedRuntime(keyed.Nowhere(), states))
		return user, errors.Join(err, states.Seal())
	})
	return states.Declared(), err
}

// declare makes a function, and checks its methods.
func declare(hooks []hook, open func() (any, error)) error {
	user, err := caught(open)
	if err != nil {
		return err
	}
	v := reflect.ValueOf(user)
	if !v.IsValid() || v.Kind() == reflect.Pointer && v.IsNil() {
		return errors.New("open returns nil")
	}
	return checkMethods(v.Type(), hooks)
}

// errExit is what open is said to do when it does not return: if the goroutine were the caller's, that would be gone with it.
var errExit = errors.New("open ends its goroutine by runtime.Goexit, as testing.T's FailNow, Fatal and Skip do")

// caught makes an error of a panic, and of a goroutine's end.
func caught(open func() (any, error)) (user any, err error) {
	done := make(chan struct{})
	go func() { // is waited for
		defer close(done)
		defer func() {
			if p := recover(); p != nil {
				err = fmt.Errorf("open panics%s: %v", where(), p)
			}
		}()
		err = errExit
		user, err = open()
	}()
	<-done
	return user, err
}

// where is the line of the panic that is being recovered.
func where() string {
	var callers [32]uintptr
	frames := runtime.CallersFrames(callers[:runtime.Callers(3, callers[:])])
	for more := true; more; {
		var f runtime.Frame
		if f, more = frames.Next(); !strings.HasPrefix(f.Function, "runtime.") {
			return fmt.Sprintf(" at %s:%d", filepath.Base(f.File), f.Line)
		}
	}
	return ""
}
