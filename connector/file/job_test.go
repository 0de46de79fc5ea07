package file_test

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/flott-dev/flott"
	"github.com/flott-dev/flott/connector/file"
	"github.com/flott-dev/flott/connector/memory"
)

// What one job writes, the next one reads: many parts, in parallel.
func TestJobReadsWhatAJobWrote(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "numbers")
	const n = 10_000
	env := flott.New(flott.Parallelism(3))
	env.From(flott.Sequence(1, n)).To(file.Writer(dir, func(i int64) string { return fmt.Sprintf("%05d", i) }))
	if _, err := env.Execute(t.Context(), "write"); err != nil {
		t.Fatal(err)
	}

	var got memory.Collector[string]
	env = flott.New(flott.Parallelism(2))
	env.From(file.Lines(dir)).To(&got)
	if _, err := env.Execute(t.Context(), "read"); err != nil {
		t.Fatal(err)
	}
	lines := slices.Sorted(slices.Values(got.Values()))
	if len(lines) != n || lines[0] != "00001" || lines[n-1] != "10000" || len(slices.Compact(lines)) != n {
		t.Errorf("%d lines came back, want %d different ones", len(lines), n)
	}
}

// All that is wrong with the files of a program is found before it runs, and nothing is written.
func TestMistakesOfAProgram(t *testing.T) {
	out := filepath.Join(t.TempDir(), "out")
	env := flott.New()
	env.From(file.Lines("no-such.txt")).To(file.Writer[string](out, nil))
	env.From(file.CSV[int]("nor-this.csv")).Print()
	_, err := env.Execute(context.Background(), "mistakes")
	if err == nil {
		t.Fatal("the program was run")
	}
	for _, want := range []string{"no-such.txt", "nor-this.csv", "formats records is nil", "int is none", "job_test.go:"} {
		if !strings.Contains(err.Error(), want) {
			t.Errorf("the error does not say %q:\n%v", want, err)
		}
	}
	if _, err := os.Stat(out); !os.IsNotExist(err) {
		t.Errorf("the folder for the output is there: %v", err)
	}
}

// A disk that fails while the job runs ends it, with the disk's own error.
func TestJobFailsWithTheDisk(t *testing.T) {
	dir := t.TempDir()
	env := flott.New(flott.Parallelism(1))
	env.From(flott.Sequence(1, 100)).Map(func(i int64) int64 {
		if i == 1 {
			_ = os.RemoveAll(dir) // after the sink looked at it
		}
		return i
	}).To(file.Writer(dir, func(i int64) string { return fmt.Sprint(i) }))
	_, err := env.Execute(t.Context(), "disk")
	if err == nil || !strings.Contains(err.Error(), "part-0-0") {
		t.Errorf("the job ended with %v, want the error of the disk", err)
	}
	var path *fs.PathError
	if !errors.As(err, &path) {
		t.Errorf("error %v hides the disk's own", err)
	}
}
