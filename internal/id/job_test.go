package id_test

import (
	"testing"

	"github.com/flott-dev/flott/internal/id"
)

func TestParseJob(t *testing.T) {
	const text = "8a6b3fa373cd814e9925808e858e4e6d"
	if j, err := id.ParseJob(text); err != nil || j.String() != text {
		t.Errorf("got %v, %v", j, err)
	}
	for _, bad := range []string{"", "xyz", text + "00", text[:31] + "g"} {
		if j, err := id.ParseJob(bad); err == nil {
			t.Errorf("%q is read as %v", bad, j)
		}
	}
}
