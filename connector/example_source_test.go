package connector_test

import (
	"bufio"
	"context"
	"fmt"
	"io/fs"
	"testing"
	"testing/fstest"

	"github.com/flott-dev/flott"
	"github.com/flott-dev/flott/connector"
	"github.com/flott-dev/flott/connector/connectortest"
)

// Files reads the lines of the files in a file system. Each file is a split; its position is the number of lines read.
type Files struct{ FS fs.FS }

func (f Files) Bounded() bool { return true }

func (f Files) Enumerator(_ context.Context, setup connector.Setup) (connector.Enumerator, error) {
	names, err := fs.Glob(f.FS, "*")
	if err != nil {
		return nil, err
	}
	var splits []connector.Split
	for _, name := range names {
		splits = append(splits, connector.Split{ID: name})
	}
	return connector.OnDemand(setup, splits)
}

func (f Files) Reader(ctx context.Context, wake func()) (connector.Reader[string], error) {
	return connector.NewFeed(ctx, wake, f.read), nil
}

func (f Files) read(_ context.Context, out *connector.Feed[string], name string, from int64) error {
	file, err := f.FS.Open(name)
	if err != nil {
		return err
	}
	defer func() { _ = file.Close() }() // nothing was written, so nothing is lost
	lines := bufio.NewScanner(file)
	for n := int64(1); lines.Scan(); n++ {
		if n <= from {
			continue
		}
		if err := out.Emit(lines.Text(), n); err != nil {
			return err
		}
	}
	return lines.Err()
}

var greetings = fstest.MapFS{
	"de": {Data: []byte("Guten Tag\nHallo\n")},
	"en": {Data: []byte("Good morning\nHello\n")},
}

func Example_source() {
	env := flott.New(flott.Parallelism(1))
	env.From(Files{greetings}).Print()
	if _, err := env.Execute(context.Background(), "greetings"); err != nil {
		fmt.Println(err)
	}
	// Output:
	// Guten Tag
	// Hallo
	// Good morning
	// Hello
}

func TestFiles(t *testing.T) {
	connectortest.Source(t, connectortest.SourceCase[string]{
		New:  func() connector.Source[string] { return Files{greetings} },
		Want: []string{"Guten Tag", "Hallo", "Good morning", "Hello"},
	})
}
