package heap_test

import (
	"testing"

	"github.com/flott-dev/flott/backend"
	"github.com/flott-dev/flott/backend/backendtest"
	"github.com/flott-dev/flott/backend/heap"
)

func TestBackend(t *testing.T) {
	backendtest.Run(t, func() backend.Backend { return heap.Backend{} })
}
