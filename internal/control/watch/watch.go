// Package watch is about goroutines that run user code and may not come back. Go cannot stop a goroutine from outside; what can
// be done is to say where it hangs.
package watch

import (
	"fmt"
	"runtime"
	"strings"
	"sync/atomic"
	"time"

	"github.com/flott-dev/flott/internal/fault"
)

// Patience is how long a call of user code may take after it was cancelled, before it is reported as Stuck.
const Patience = 10 * time.Second

// A Goroutine runs a function that may not return.
type Goroutine struct {
	name atomic.Pointer[string] // as stack traces have it: "goroutine 17"
	done chan struct{}
}

// Go runs f on a goroutine of its own, and then calls ended there, once and whatever happens: see fault.Catch.
func Go(f func() error, ended func(error)) *Goroutine {
	g := &Goroutine{done: make(chan struct{})}
	go func() {
		defer close(g.done)
		name := self()
		g.name.Store(&name)
		fault.Catch(f, ended)
	}()
	return g
}

// Done is closed when the function has returned.
func (g *Goroutine) Done() <-chan struct{} { return g.done }

// Ended says that the function has returned.
func (g *Goroutine) Ended() bool {
	select {
	case <-g.done:
		return true
	default:
		return false
	}
}

// mostTrace bounds the memory for the stacks of all goroutines.
const mostTrace = 64 << 20

// Stacks are the stacks of all goroutines at one moment.
type Stacks map[string]string

// Take takes the stacks of all goroutines, which stop meanwhile.
func Take() Stacks {
	for size := 1 << 20; ; size *= 4 {
		trace := make([]byte, size)
		n := runtime.Stack(trace, true)
		if n < size || size >= mostTrace {
			return split(string(trace[:n]))
		}
	}
}

func split(trace string) Stacks {
	s := Stacks{}
	for stack := range strings.SplitSeq(trace, "\n\n") {
		name, _, _ := strings.Cut(stack, " [")
		s[name] = strings.TrimSpace(stack)
	}
	return s
}

// Of is the stack of one goroutine; "" when it was not there any more, or not yet.
func (s Stacks) Of(g *Goroutine) string {
	if name := g.name.Load(); name != nil {
		return s[*name]
	}
	return ""
}

// self is the name of the caller's goroutine.
func self() string {
	var b [64]byte
	name, _, _ := strings.Cut(string(b[:runtime.Stack(b[:], false)]), " [")
	return name
}

// Stuck is the error of a part of a job that has not returned from user code Patience after it was cancelled.
type Stuck struct {
	Who   string // as `task "Map -> Sink" (2/4)`
	Stack string // where it hangs
}

// Kind is what sort of failure it is.
func (s *Stuck) Kind() fault.Kind { return fault.Stuck }

// Error names the culprit and shows where it hangs.
func (s *Stuck) Error() string {
	return fmt.Sprintf("%s has not returned %v after it was cancelled; it hangs in:\n%s", s.Who, Patience, s.Stack)
}
