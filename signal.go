package flott

import (
	"context"
	"fmt"
	"os"
	"os/signal"
	"syscall"
)

// cancelledBySignals is a context that ends with the first SIGINT or SIGTERM. From then on, and after release, signals do again what
// they did before: a second one ends the process.
func cancelledBySignals(ctx context.Context) (_ context.Context, release func()) {
	ctx, cancel := context.WithCancelCause(ctx)
	signals, ended := make(chan os.Signal, 1), make(chan struct{})
	signal.Notify(signals, ending()...)
	go func() { // ends with ctx, at the latest when it is released, which waits for it
		defer close(ended)
		defer signal.Stop(signals)
		select {
		case s := <-signals:
			cancel(fmt.Errorf("signal %q", s))
		case <-ctx.Done():
		}
	}()
	return ctx, func() {
		cancel(nil)
		<-ended
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
