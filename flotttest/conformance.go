package flotttest

import (
	"testing"

	"github.com/flott-dev/flott/backend"
	"github.com/flott-dev/flott/backend/backendtest"
	"github.com/flott-dev/flott/connector/connectortest"
)

// A SourceCase is a source and what it should read.
type SourceCase[T any] = connectortest.SourceCase[T]

// Source checks that a source keeps the contract of package connector: that it works in a job, at any parallelism, and goes on from
// any of its snapshots.
func Source[T any](t testing.TB, c SourceCase[T]) {
	t.Helper()
	connectortest.Source(t, c)
}

// A SinkCase is a sink and how to read back what it has written.
type SinkCase[T any] = connectortest.SinkCase[T]

// Sink checks that a sink keeps the contract of package connector.
func Sink[T any](t testing.TB, c SinkCase[T]) {
	t.Helper()
	connectortest.Sink(t, c)
}

// Backend checks that state backends, made by open, keep state as package state promises.
func Backend(t *testing.T, open func() backend.Backend) {
	t.Helper()
	backendtest.Run(t, open)
}
