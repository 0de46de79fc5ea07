package jobmanager

import (
	"bytes"
	"context"
	"errors"
	"strings"
	"testing"
	"testing/synctest"
)

func TestOutputIsFollowedToItsEnd(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		o := newOutput()
		o.add([]byte("one\n"))
		var got bytes.Buffer
		done := make(chan error, 1)
		go func() { done <- o.copy(t.Context(), &got) }() // ends with the output
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
		if err := newOutput().copy(ended, &got); !errors.Is(err, context.Canceled) {
			t.Errorf("without an end: %v", err)
		}
	})
}

func TestOldOutputIsDropped(t *testing.T) {
	o := newOutput()
	line := append(bytes.Repeat([]byte("x"), 1<<20-1), '\n')
	for range 40 {
		o.add(line)
	}
	o.end()
	var got bytes.Buffer
	if err := o.copy(t.Context(), &got); err != nil || !strings.HasPrefix(got.String(), outputCut) || got.Len() > 2*mostOutput+len(outputCut) {
		t.Errorf("got %d bytes, %v", got.Len(), err)
	}
}
