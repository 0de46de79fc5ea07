// Package connectortest has a suite for each contract of package connector: a source or sink that passes works in a job, at any
// parallelism, through failures and changes of parallelism. The suites play the engine, on the test's own goroutine.
//
//	func TestSource(t *testing.T) {
//		connectortest.Source(t, connectortest.SourceCase[string]{
//			New:  func() connector.Source[string] { return mine.Source("testdata") },
//			Want: []string{"a", "b", "c"},
//		})
//	}
package connectortest

import (
	"testing"
	"time"

	"go.uber.org/goleak"
)

// patience is how long a call that must not block, or a wake, may take on a busy machine.
const patience = 30 * time.Second

// within calls f, and ends the test if it does not return.
func within(t testing.TB, what string, f func()) {
	t.Helper()
	done := make(chan struct{})
	go func() { // ends with f; if f never does, so does the test
		defer close(done)
		f()
	}()
	timeout := time.NewTimer(patience)
	defer timeout.Stop()
	select {
	case <-done:
	case <-timeout.C:
		t.Fatalf("%s: has not returned after %v", what, patience)
	}
}

// checkLeaks finds goroutines that were started after it was called and are still there when check is.
func checkLeaks(t testing.TB) (check func(what string)) {
	before := goleak.IgnoreCurrent()
	return func(what string) {
		t.Helper()
		if err := goleak.Find(before); err != nil {
			t.Fatalf("%s: %v", what, err)
		}
	}
}
