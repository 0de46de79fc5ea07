package flott_test

import (
	"testing"

	"go.uber.org/goleak"
)

// verify runs the tests, and finds goroutines that they left behind.
func verify(m *testing.M) { goleak.VerifyTestMain(m) }
