// Package flotttest is the test kit: it runs whole jobs in a test, and holds the suites that sources, sinks and state backends pass.
package flotttest

import (
	"testing"

	"github.com/flott-dev/flott"
	"github.com/flott-dev/flott/connector/memory"
)

// Collect runs the job that s belongs to and returns what reaches s, in the order of arrival. It fails the test if the job fails.
func Collect[T any](t testing.TB, s flott.Stream[T]) []T {
	t.Helper()
	c := new(memory.Collector[T])
	s.To(c).Name("Collect")
	if _, err := s.Environment().Execute(t.Context(), t.Name()); err != nil {
		t.Fatal(err)
	}
	return c.Values()
}
