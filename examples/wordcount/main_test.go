package main

import (
	"slices"
	"strings"
	"testing"

	"github.com/flott-dev/flott"
	"github.com/flott-dev/flott/flotttest"
)

func TestCounts(t *testing.T) {
	env := flott.New(flott.Parallelism(2))
	got := flotttest.Collect(t, counts(env.From(flott.Of("to be", "or not to be"))))
	slices.Sort(got) // two subtasks have no order between them
	if want := []string{"be 1", "be 2", "not 1", "or 1", "to 1", "to 2"}; !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}

func TestPathsMustBeAbsolute(t *testing.T) {
	for files, words := range map[string]string{"": "needs the files", "/a.txt b.txt": "b.txt is not an absolute path"} {
		if err := run(t.Context(), strings.Fields(files)); err == nil || !strings.Contains(err.Error(), words) {
			t.Errorf("for %q the error is %v", files, err)
		}
	}
}
