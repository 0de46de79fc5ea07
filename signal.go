package flott

import (
	"context"
	"fmt"
	"os"
	"os/signal"
	"syscall"
)

// onSignal calls cancel at the first SIGINT or SIGTERM until stop is called. From then on signals do again what they did before: the
// second one ends the process.
func onSignal(cancel context.CancelCauseFunc) (stop func()) {
	signals, stopped := make(chan os.Signal, 1), make(chan struct{})
	signal.Notify(signals, os.Interrupt, syscall.SIGTERM)
	ended := make(chan struct{})
	go func() { // ends when stop is called, which waits for it
		defer close(ended)
		defer signal.Stop(signals)
		select {
		case s := <-signals:
			cancel(fmt.Errorf("%w by signal: %v", context.Canceled, s))
		case <-stopped:
		}
	}()
	return func() {
		close(stopped)
		<-ended
	}
}

// The first Notify of a process starts a goroutine that never ends. It must not be born in the bubble of a testing/synctest, in
// which jobs run very well otherwise.
func init() {
	signals := make(chan os.Signal, 1)
	signal.Notify(signals, os.Interrupt)
	signal.Stop(signals)
}
