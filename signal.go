package flott

import (
	"context"
	"fmt"
	"os"
	"os/signal"
	"syscall"
	"time"
)

// echo is how long after a signal another one is the same. timeout(1) signals its child and then the whole group, and "flott run" passes
// on what its child has got already.
const echo = 500 * time.Millisecond

// cancelledBySignals is a context that ends with the first SIGINT or SIGTERM. From then on, and after release, signals do again what
// they did before: a second one ends the process, after lastWord. Echoes of the first do nothing.
func cancelledBySignals(ctx context.Context, lastWord func()) (_ context.Context, release func()) {
	held, free := context.WithCancel(context.WithoutCancel(ctx))
	ctx, cancel := context.WithCancelCause(ctx)
	signals, ended := make(chan os.Signal, 1), make(chan struct{})
	signal.Notify(signals, ending()...)
	go func() { // ends with ctx, after a signal with its release, which waits for it
		defer close(ended)
		select {
		case s := <-signals:
			cancel(fmt.Errorf("signal %q", s))
			awaitSecond(held, signals, lastWord)
		case <-ctx.Done():
			signal.Stop(signals)
		}
	}()
	return ctx, func() {
		free()
		cancel(nil)
		<-ended
	}
}

// awaitSecond lets a second signal end the process. It keeps echoes from that also when it is released before they come.
func awaitSecond(held context.Context, signals chan os.Signal, lastWord func()) {
	first := time.Now()
	for {
		select {
		case s := <-signals:
			if time.Since(first) < echo {
				continue
			}
			lastWord()
			signal.Stop(signals)
			raise(s)
		case <-held.Done():
			time.AfterFunc(echo-time.Since(first), func() { signal.Stop(signals) })
		}
		return
	}
}

// raise signals to this process.
func raise(s os.Signal) {
	if self, err := os.FindProcess(os.Getpid()); err == nil {
		_ = self.Signal(s) // to oneself is always allowed
	}
}

// ending is the signals that end jobs. A shell makes what it runs in the background ignore SIGINT, and so it stays.
func ending() []os.Signal {
	if signal.Ignored(os.Interrupt) {
		return []os.Signal{syscall.SIGTERM}
	}
	return []os.Signal{syscall.SIGTERM, os.Interrupt}
}

// The first Notify of a process starts a goroutine that never ends. It must not be born in the bubble of a testing/synctest, in
// which jobs run very well otherwise.
func init() {
	signals := make(chan os.Signal, 1)
	signal.Notify(signals, syscall.SIGTERM)
	signal.Stop(signals)
}
