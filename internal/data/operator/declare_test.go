package operator_test

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/flott-dev/flott/internal/data/operator"
	"github.com/flott-dev/flott/process"
)

type quiet struct{}

func (quiet) Process(*keyedContext, event) error { return nil }

type (
	wrongTimer   struct{ quiet }
	wrongOpen    struct{ quiet }
	starredTimer struct{ quiet }
	wrongClose   struct{ quiet }
	rightMethods struct{ quiet }
	keyless      struct{}
	keyed        interface {
		process.KeyedProcessor[string, event, string]
	}
)

func (wrongTimer) OnEventTimer(*keyedContext, int64) (int, error)      { return 0, nil }
func (wrongOpen) Open() error                                          { return nil }
func (wrongOpen) EndOfInput(*keyedContext) error                       { return nil }
func (*starredTimer) OnProcessingTimer(*keyedContext, time.Time) error { return nil }
func (wrongClose) Close()                                              {}
func (rightMethods) Open(context.Context) error                        { return nil }
func (rightMethods) OnEventTimer(*keyedContext, time.Time) error       { return nil }
func (rightMethods) OnTimer() int                                      { return 0 }
func (keyless) Process(*process.Context[string], event) error          { return nil }
func (keyless) OnEventTimer(*keyedContext, time.Time) error            { return nil }

func opening[F process.KeyedProcessor[string, event, string]](f F) operator.Constructor {
	return operator.KeyedProcess(keyOf, func(*keyedRuntime) (F, error) { return f, nil })
}

func TestDeclareFindsMistakes(t *testing.T) {
	for name, c := range map[string]struct {
		c    operator.Constructor
		want []string
	}{
		"none":          {opening(&rightMethods{}), nil},
		"an interface":  {opening[keyed](rightMethods{}), nil},
		"a nil pointer": {opening[*rightMethods](nil), []string{"open returns nil"}},
		"nothing":       {opening[keyed](nil), []string{"open returns nil"}},
		"signature": {opening(wrongTimer{}), []string{
			"method OnEventTimer of operator_test.wrongTimer is never called: " +
				"it is func(*process.KeyedContext[string,string], int64) (int, error), " +
				"but must be func(*process.KeyedContext[string,string], time.Time) error",
		}},
		"several": {opening(&wrongOpen{}), []string{
			"method Open of *operator_test.wrongOpen is never called: it is func() error, but must be func(context.Context) error",
			"method EndOfInput of *operator_test.wrongOpen is never called: it is func(*process.KeyedContext[string,string]) error, " +
				"but must be func(*process.Context[string]) error",
		}},
		"no result": {opening(wrongClose{}), []string{"it is func(), but must be func() error"}},
		"star": {opening(starredTimer{}), []string{
			"method OnProcessingTimer of *operator_test.starredTimer is never called: open returns a operator_test.starredTimer without the star",
		}},
		"through an interface": {opening[keyed](wrongTimer{}), []string{"method OnEventTimer of operator_test.wrongTimer is never called"}},
		"timer without a key": {operator.Process(func(*process.Runtime) (keyless, error) { return keyless{}, nil }), []string{
			"method OnEventTimer of operator_test.keyless is never called: timers need a key, so use KeyBy before Process",
		}},
		"no function": {
			operator.KeyedProcessFunc(keyOf, func(*keyedRuntime) func(*keyedContext, event) error { return nil }),
			[]string{"open returns no function"},
		},
		"an error": {operator.KeyedProcess(keyOf, func(rt *keyedRuntime) (quiet, error) {
			rt.Value[int]("n")
			rt.Value[string]("n")
			return quiet{}, errOpen
		}), []string{errOpen.Error(), `the state name "n" is used twice: by value "n" of int and value "n" of string`}},
		"a panic": {operator.KeyedProcess(keyOf, func(*keyedRuntime) (quiet, error) {
			var none []int
			_ = none[len(none)]
			return quiet{}, nil
		}), []string{"open panics at declare_test.go:", "index out of range"}},
		"an exit": {operator.KeyedProcess(keyOf, func(*keyedRuntime) (quiet, error) {
			runtime.Goexit()
			return quiet{}, nil
		}), []string{"open ends its goroutine by runtime.Goexit"}},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := c.c.(operator.Declarer).Declare()
			if len(c.want) == 0 && err != nil {
				t.Fatal(err)
			}
			for _, want := range c.want {
				if err == nil || !strings.Contains(err.Error(), want) {
					t.Errorf("%v\nlacks %q", err, want)
				}
			}
		})
	}
}

// What open does with its runtime while the program is compiled has no effect.
func TestDeclareIsHarmless(t *testing.T) {
	c := operator.KeyedProcess(keyOf, func(rt *keyedRuntime) (quiet, error) {
		rt.Logger().Error("not to be seen")
		if i, n := rt.Subtask(); i != 0 || n != 1 {
			return quiet{}, fmt.Errorf("subtask %d of %d", i, n)
		}
		if rt.Context().Err() != nil {
			return quiet{}, errors.New("cancelled")
		}
		rt.Value[float64]("last")
		l := rt.List[string]("names")
		l.Clear()
		for range l.All() {
			return quiet{}, errors.New("a list that is not empty")
		}
		rt.Map[int, []byte]("files").Delete(1)
		return quiet{}, nil
	})
	states, err := c.(operator.Declarer).Declare()
	noError(t, err)
	want := `[value "last" of float64 list "names" of string map "files" of int to []uint8]`
	if got := fmt.Sprint(states); got != want {
		t.Errorf("declared %s", got)
	}
	if states, err := operator.Process(func(*process.Runtime) (*diarist, error) { return &diarist{}, nil }).(operator.Declarer).Declare(); err != nil || states != nil {
		t.Errorf("without a key: %v, %v", states, err)
	}
	if _, err := operator.KeyedCoProcess(keyOf, func(int) string { return "" },
		func(*keyedRuntime) (*pair, error) { panic("ouch") }).(operator.Declarer).Declare(); err == nil || !strings.Contains(err.Error(), "ouch") {
		t.Errorf("error %v", err)
	}
}
