package console_test

import (
	"bytes"
	"errors"
	"strings"
	"testing"

	"github.com/flott-dev/flott/connector"
	"github.com/flott-dev/flott/connector/connectortest"
	"github.com/flott-dev/flott/connector/console"
)

func TestPrintConforms(t *testing.T) {
	connectortest.Sink(t, connectortest.SinkCase[string]{
		New: func() (connector.Sink[string], func() ([]string, error)) {
			var out bytes.Buffer
			return console.Print[string](console.NewOutput(&out)), func() ([]string, error) { return values(out.String()), nil }
		},
		Record: func(i int) string { return strings.Repeat("x", i+1) },
		Broken: func() connector.Sink[string] { return console.Print[string](console.NewOutput(full{})) },
	})
}

// values are the printed lines less their prefixes.
func values(out string) (values []string) {
	for line := range strings.Lines(out) {
		line = strings.TrimSuffix(line, "\n")
		if _, value, found := strings.Cut(line, "> "); found {
			line = value
		}
		values = append(values, line)
	}
	return values
}

// full is a disk without room.
type full struct{}

func (full) Write([]byte) (int, error) { return 0, errors.New("no space left on device") }

func TestPrintPrefixesSubtasks(t *testing.T) {
	type point struct{ X, Y int }
	for _, c := range []struct {
		subtask, parallelism int
		want                 string
	}{
		{0, 1, "{1 2}\n{3 4}\n"},
		{0, 2, "1> {1 2}\n1> {3 4}\n"},
		{1, 2, "2> {1 2}\n2> {3 4}\n"},
	} {
		var out bytes.Buffer
		w, err := console.Print[point](console.NewOutput(&out)).Writer(t.Context(), c.subtask, c.parallelism)
		if err != nil {
			t.Fatal(err)
		}
		if err := w.Write([]point{{1, 2}, {3, 4}}, nil); err != nil {
			t.Fatal(err)
		}
		if out.String() != c.want {
			t.Errorf("subtask %d of %d printed %q, want %q", c.subtask, c.parallelism, &out, c.want)
		}
	}
}
