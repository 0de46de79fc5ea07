package watch

import (
	"errors"
	"runtime"
	"strings"
	"testing"

	"go.uber.org/goleak"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

func hang(hangs chan<- bool, release <-chan bool) {
	hangs <- true
	<-release
}

func TestStackIsThatOfTheGoroutine(t *testing.T) {
	hangs, release := make(chan bool), make(chan bool)
	g := Go(func() error { hang(hangs, release); return nil }, func(error) {})
	<-hangs
	if stack := Take().Of(g); !strings.Contains(stack, "watch.hang(") || strings.Contains(stack, "TestStackIsThatOfTheGoroutine(") {
		t.Errorf("the stack of the goroutine that hangs is\n%s", stack)
	}
	if g.Ended() {
		t.Error("it hangs, but has ended")
	}
	close(release)
	<-g.Done()
	if stack := Take().Of(g); !g.Ended() || strings.Contains(stack, "watch.hang(") {
		t.Errorf("it has ended, but its stack is\n%s", stack)
	}
}

func TestStacksOfATrace(t *testing.T) {
	stacks := split("goroutine 1 [running]:\nmain.main()\n\ngoroutine 17 [sleep]:\nmain.f()\n\ngoroutine 170 [sleep]:\nmain.g()\n")
	for name, want := range map[string]string{
		"goroutine 17":  "goroutine 17 [sleep]:\nmain.f()",
		"goroutine 170": "goroutine 170 [sleep]:\nmain.g()",
		"goroutine 7":   "",
	} {
		g := &Goroutine{}
		g.name.Store(&name)
		if got := stacks.Of(g); got != want {
			t.Errorf("%s is %q, want %q", name, got, want)
		}
	}
	if got := stacks.Of(&Goroutine{}); got != "" {
		t.Errorf("a goroutine that has not begun is %q", got)
	}
}

func TestStuckSaysWhoAndWhere(t *testing.T) {
	text := (&Stuck{Who: `task "Map" (2/4)`, Stack: "goroutine 17 [sleep]:\nmain.f()"}).Error()
	for _, want := range []string{`task "Map" (2/4)`, "10s", "main.f()"} {
		if !strings.Contains(text, want) {
			t.Errorf("%q does not say %q", text, want)
		}
	}
}

func TestEndedIsCalledWhateverHappens(t *testing.T) {
	disk := errors.New("disk full")
	var none []error
	for name, c := range map[string]struct {
		f    func() error
		want error
		text string
	}{
		"return":        {f: func() error { return nil }},
		"error":         {f: func() error { return disk }, want: disk, text: "disk full"},
		"panic":         {f: func() error { panic("no value") }, text: "panic: no value"},
		"panic error":   {f: func() error { panic(disk) }, want: disk, text: "TestEndedIsCalledWhateverHappens"},
		"runtime panic": {f: func() error { return none[len(none)] }, text: "index out of range"},
		"exit":          {f: func() error { runtime.Goexit(); return nil }, want: ErrExit, text: "FailNow"},
	} {
		t.Run(name, func(t *testing.T) {
			calls, got := 0, error(nil)
			<-Go(c.f, func(err error) { calls, got = calls+1, err }).Done()
			if calls != 1 {
				t.Errorf("ended was called %d times", calls)
			}
			if c.want != nil && !errors.Is(got, c.want) {
				t.Errorf("ended with %v, want %v", got, c.want)
			}
			if (got == nil) != (c.text == "") || got != nil && !strings.Contains(got.Error(), c.text) {
				t.Errorf("ended with %v, want %q in it", got, c.text)
			}
		})
	}
}
