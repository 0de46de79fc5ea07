package jobmanager

import (
	"bytes"
	"context"
	"errors"
	"math"
	"testing"
	"testing/synctest"

	"github.com/flott-dev/flott/internal/control/view"
)

func TestOutputIsFollowedToItsEnd(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		o := newOutput()
		o.add([]byte("one\n"))
		var got bytes.Buffer
		done := make(chan error, 1)
		go func() { done <- o.copy(t.Context(), 0, &got) }() // ends with the output
		synctest.Wait()
		o.add([]byte("two\n"))
		synctest.Wait()
		o.add([]byte("three\n"))
		o.end()
		o.end()
		if err := <-done; err != nil || got.String() != "one\ntwo\nthree\n" {
			t.Errorf("got %q, %v", got.String(), err)
		}
		ended, cancel := context.WithCancel(t.Context())
		cancel()
		if err := newOutput().copy(ended, 0, &got); !errors.Is(err, context.Canceled) {
			t.Errorf("without an end: %v", err)
		}
	})
}

// Who asks for what comes behind all output is answered when there is an end.
func TestEndOfOutputIsAwaited(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		o := newOutput()
		var got bytes.Buffer
		done := make(chan error, 1)
		go func() { done <- o.copy(t.Context(), math.MaxInt64, &got) }() // ends with the output
		o.add([]byte("one\n"))
		synctest.Wait()
		if len(done) > 0 {
			t.Fatalf("it has ended before the output: %v", <-done)
		}
		o.end()
		if err := <-done; err != nil || got.Len() > 0 {
			t.Errorf("got %q, %v", got.String(), err)
		}
	})
}

func TestOldOutputIsDropped(t *testing.T) {
	o := newOutput()
	line := append(bytes.Repeat([]byte("x"), 1<<20), '\n')
	for range 40 {
		o.add(line)
	}
	o.end()
	var got bytes.Buffer
	var lost *view.NotKept
	if err := o.copy(t.Context(), 0, &got); !errors.As(err, &lost) || lost.From%int64(len(line)) != 0 || got.Len() > 0 {
		t.Fatalf("got %d bytes, %v", got.Len(), err)
	}
	if err := o.copy(t.Context(), lost.From, &got); err != nil || lost.From+int64(got.Len()) != int64(40*len(line)) || got.Len() < mostOutput/2 {
		t.Errorf("from %d on there are %d bytes, %v", lost.From, got.Len(), err)
	}
}
