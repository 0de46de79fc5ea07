package watch

import (
	"errors"
	"runtime"
	"strings"
	"testing"

	"go.uber.org/goleak"

	"github.com/flott-dev/flott/internal/fault"
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

func TestEndedIsCalledOnTheGoroutine(t *testing.T) {
	var where string
	var got error
	g := Go(func() error { runtime.Goexit(); return nil }, func(err error) { where, got = self(), err })
	<-g.Done()
	if name := g.name.Load(); name == nil || where != *name || !errors.Is(got, fault.ErrExit) {
		t.Errorf("ended was called on %s with %v", where, got)
	}
}
