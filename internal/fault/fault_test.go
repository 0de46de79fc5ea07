package fault

import (
	"errors"
	"runtime"
	"strings"
	"sync"
	"testing"
)

var errDisk = errors.New("disk full")

func TestCatch(t *testing.T) {
	var none []error
	for name, c := range map[string]struct {
		f    func() error
		want error  // that is wrapped; nil: none
		text string // in the error; "": there is no error
		top  string // function where the panic came up; "": no panic
	}{
		"return":        {f: func() error { return nil }},
		"error":         {f: func() error { return errDisk }, want: errDisk, text: "disk full"},
		"panic":         {f: func() error { panic("no value") }, text: "panic: no value\n\n", top: "TestCatch"},
		"panic error":   {f: func() error { panic(errDisk) }, want: errDisk, text: "panic: disk full", top: "TestCatch"},
		"runtime panic": {f: func() error { return none[len(none)] }, text: "index out of range", top: "TestCatch"},
		"exit":          {f: func() error { runtime.Goexit(); return nil }, want: ErrExit, text: "FailNow"},
	} {
		t.Run(name, func(t *testing.T) {
			calls, got := 0, error(nil)
			var wait sync.WaitGroup
			wait.Go(func() { Catch(c.f, func(err error) { calls, got = calls+1, err }) })
			wait.Wait()
			if calls != 1 {
				t.Errorf("ended was called %d times", calls)
			}
			if c.want != nil && !errors.Is(got, c.want) {
				t.Errorf("ended with %v, want %v", got, c.want)
			}
			if (got == nil) != (c.text == "") || got != nil && !strings.Contains(got.Error(), c.text) {
				t.Errorf("ended with %v, want %q in it", got, c.text)
			}
			var p *Panic
			if errors.As(got, &p) != (c.top != "") || p != nil && !strings.Contains(frames(p.Stack)[0]+frames(p.Stack)[1], c.top) {
				t.Errorf("ended with %v, want the stack to begin in %s", got, c.top)
			}
		})
	}
}

// frames are the functions of a stack and one more: the runtime's own checks panic in a function of the runtime.
func frames(stack []byte) []string {
	var functions []string
	for line := range strings.Lines(string(stack)) {
		if !strings.HasPrefix(line, "\t") {
			functions = append(functions, line)
		}
	}
	return append(functions, "")
}

func TestFailure(t *testing.T) {
	for _, c := range []struct {
		failure *Failure
		want    string
		stack   string
	}{
		{Of("Source -> Map", "Map", "(2/4)", errDisk), `operator "Map" (2/4): disk full`, ""},
		{Of("Source -> Map", "", "(2/4)", errDisk), `task "Source -> Map" (2/4): disk full`, ""},
		{OfEnumerator("Source", errDisk), `enumerator of operator "Source": disk full`, ""},
		{Of("Map", "Map", "(1/1)", &Panic{errDisk, []byte("main.f()")}), "operator \"Map\" (1/1): panic: disk full\n\nmain.f()", "main.f()"},
	} {
		if got := c.failure.Error(); got != c.want {
			t.Errorf("got  %s\nwant %s", got, c.want)
		}
		if !errors.Is(c.failure, errDisk) || string(c.failure.Stack) != c.stack {
			t.Errorf("%v: the cause or the stack is not the user's", c.failure)
		}
	}
}

// A nil pointer is an error, too, if it comes as one.
type nobody struct{ name string }

func (n *nobody) Error() string { return n.name }

func TestErrorOfANilPointer(t *testing.T) {
	if got := Of("task", "operator", "(1/1)", (*nobody)(nil)).Error(); got != `operator "operator" (1/1): <nil>` {
		t.Errorf("got %q", got)
	}
}
