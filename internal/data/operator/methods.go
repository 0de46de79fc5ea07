package operator

import (
	"errors"
	"fmt"
	"reflect"
	"regexp"
	"strings"

	"github.com/flott-dev/flott/process"
)

// A hook is an optional method of a function. One with its name and another signature would silently never be called.
type hook struct {
	name string
	of   reflect.Type // the interface that has it; nil: no function of this operator can have it
}

func hookOf[H any]() hook {
	t := reflect.TypeFor[H]()
	return hook{t.Method(0).Name, t}
}

// hooksOf is the hooks of a function without a key.
func hooksOf[O any]() []hook {
	event, processing := timerHooks[int, O]()
	return append(commonHooks[O](), hook{name: event.name}, hook{name: processing.name})
}

// keyedHooksOf is the hooks of a function with a key.
func keyedHooksOf[K comparable, O any]() []hook {
	event, processing := timerHooks[K, O]()
	return append(commonHooks[O](), event, processing)
}

func commonHooks[O any]() []hook {
	return []hook{hookOf[process.Opener](), hookOf[process.Closer](), hookOf[process.EndOfInputHandler[O]]()}
}

func timerHooks[K comparable, O any]() (event, processing hook) {
	return hookOf[process.EventTimerHandler[K, O]](), hookOf[process.ProcessingTimerHandler[K, O]]()
}

// checkMethods finds methods of a type that look like hooks and are none.
func checkMethods(t reflect.Type, hooks []hook) error {
	var errs []error
	for _, h := range hooks {
		errs = append(errs, h.check(t))
	}
	return errors.Join(errs...)
}

func (h hook) check(t reflect.Type) error {
	m, has := t.MethodByName(h.name)
	_, starHas := reflect.PointerTo(t).MethodByName(h.name)
	switch {
	case !starHas && !has, h.of != nil && t.Implements(h.of):
		return nil
	case h.of == nil:
		return fmt.Errorf("method %s of %s is never called: timers need a key, so use KeyBy before Process", h.name, typeText(t))
	case !has:
		return fmt.Errorf("method %s of *%s is never called: open returns a %[2]s without the star", h.name, typeText(t))
	}
	return fmt.Errorf("method %s of %s is never called: it is %s, but must be %s",
		h.name, typeText(t), signature(m.Type, 1), signature(h.of.Method(0).Type, 0))
}

// signature is the text of a method's type, without the receiver that is the first of its parameters if skip is 1.
func signature(t reflect.Type, skip int) string {
	var in, out []string
	for i := skip; i < t.NumIn(); i++ {
		in = append(in, typeText(t.In(i)))
	}
	for i := range t.NumOut() {
		out = append(out, typeText(t.Out(i)))
	}
	results := strings.Join(out, ", ")
	if len(out) > 1 {
		results = "(" + results + ")"
	}
	return strings.TrimSpace("func(" + strings.Join(in, ", ") + ") " + results)
}

// noHandler is the error of a timer that is set by a function without a method for it.
func noHandler[H any](user any) error {
	h := hookOf[H]()
	want := h.name + strings.TrimPrefix(signature(h.of.Method(0).Type, 0), "func")
	if _, ok := user.(timerless); ok {
		return fmt.Errorf("the function of ProcessFunc sets a timer: give Process a type with a method %s", want)
	}
	return fmt.Errorf("%s sets a timer, but has no method %s", typeText(reflect.TypeOf(user)), want)
}

// timerless is a function that cannot have methods.
type timerless interface{ timerless() }

var importPath = regexp.MustCompile(`[\w.~-]+/`)

// typeText is a type as one would write it: without import paths.
func typeText(t reflect.Type) string { return importPath.ReplaceAllString(t.String(), "") }
