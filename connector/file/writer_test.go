package file

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/flott-dev/flott/connector"
	"github.com/flott-dev/flott/connector/connectortest"
)

// small makes a sink whose parts are small.
func small(dir string) connector.Sink[string] {
	s := Writer(dir, func(v string) string { return v }).(sink[string])
	s.partSize = 1000
	return s
}

// parts are the files of a folder with their text.
func parts(t testing.TB, dir string) map[string]string {
	t.Helper()
	parts := map[string]string{}
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		b, err := os.ReadFile(filepath.Join(dir, e.Name()))
		if err != nil {
			t.Fatal(err)
		}
		parts[e.Name()] = string(b)
	}
	return parts
}

// inOrder are the records in the parts, those of a subtask in their order, hidden parts last.
func inOrder(parts map[string]string) (records []string) {
	number := func(name string) (n int) {
		_, _ = fmt.Sscanf(name[strings.LastIndex(name, "-")+1:], "%d", &n)
		return n
	}
	var names []string
	for name := range parts {
		names = append(names, name)
	}
	slices.SortFunc(names, func(a, b string) int { return number(a) - number(b) })
	for _, name := range names {
		records = append(records, strings.Fields(parts[name])...)
	}
	return records
}

func TestWriterConforms(t *testing.T) {
	blocked := filepath.Join(write(t, map[string]string{"file": ""}), "file", "out")
	connectortest.Sink(t, connectortest.SinkCase[string]{
		New: func() (connector.Sink[string], func() ([]string, error)) {
			dir := filepath.Join(t.TempDir(), "deep", "out")
			return small(dir), func() ([]string, error) { return inOrder(parts(t, dir)), nil }
		},
		Record: func(i int) string { return fmt.Sprintf("record-%d", i) },
		Broken: func() connector.Sink[string] { return small(blocked) },
	})
}

func newWriter(t *testing.T, dir string, subtask int) *writer[string] {
	t.Helper()
	w, err := small(dir).Writer(t.Context(), subtask, 2)
	if err != nil {
		t.Fatal(err)
	}
	return w.(*writer[string])
}

// do fails the test at the first error.
func do(t *testing.T, errs ...error) {
	t.Helper()
	for _, err := range errs {
		if err != nil {
			t.Fatal(err)
		}
	}
}

func checkParts(t *testing.T, dir string, want map[string]string) {
	t.Helper()
	got := parts(t, dir)
	for name, text := range got {
		if w, ok := want[name]; !ok || w != text {
			t.Errorf("part %s has %.40q; want %.40q, %v", name, text, w, ok)
		}
	}
	if len(got) != len(want) {
		t.Errorf("there are %d files, want %d", len(got), len(want))
	}
}

func TestPartsAreHiddenUntilTheyAreWhole(t *testing.T) {
	dir := t.TempDir()
	large := strings.Repeat("x", 999)
	w := newWriter(t, dir, 1)
	do(t, w.Write([]string{"a", large, "b"}, nil), w.Flush(false))
	checkParts(t, dir, map[string]string{"part-1-0": "a\n" + large + "\n", ".part-1-1.inprogress": "b\n"})
	do(t, w.Write([]string{"c"}, nil), w.Flush(true), w.Close())
	checkParts(t, dir, map[string]string{"part-1-0": "a\n" + large + "\n", "part-1-1": "b\nc\n"})
}

func TestWithoutEndTheLastPartStaysHidden(t *testing.T) {
	dir := t.TempDir()
	w := newWriter(t, dir, 0)
	do(t, w.Write([]string{"a"}, nil), w.Flush(false), w.Write([]string{"lost"}, nil), w.Close(), w.Close())
	checkParts(t, dir, map[string]string{".part-0-0.inprogress": "a\n"})
	if got, err := readAll(t, Lines(dir)); err != nil || len(got) != 0 {
		t.Errorf("the folder reads as %q, %v; want nothing", got, err)
	}
}

func TestSubtaskWithoutRecordsWritesNothing(t *testing.T) {
	dir := t.TempDir()
	w := newWriter(t, dir, 0)
	do(t, w.Flush(false), w.Flush(true), w.Close())
	checkParts(t, dir, nil)
}

func TestEarlierPartsStay(t *testing.T) {
	dir := write(t, map[string]string{"part-0-0": "old\n", ".part-0-1.inprogress": "older\n", "part-0-3": "oldest\n"})
	w := newWriter(t, dir, 0)
	other := newWriter(t, dir, 0) // of another job that writes here at the same time
	do(t, w.Write([]string{"a"}, nil), other.Write([]string{"b"}, nil), w.Flush(true), other.Flush(true))
	checkParts(t, dir, map[string]string{
		"part-0-0": "old\n", ".part-0-1.inprogress": "older\n", "part-0-3": "oldest\n", "part-0-2": "a\n", "part-0-4": "b\n",
	})
}

func TestDiskErrorsSurface(t *testing.T) {
	for name, flush := range map[string]func(w *writer[string]) error{
		"at a flush":       func(w *writer[string]) error { return w.Flush(false) },
		"at the end":       func(w *writer[string]) error { return w.Flush(true) },
		"while writing":    func(w *writer[string]) error { return w.Write([]string{strings.Repeat("x", 100<<10)}, nil) },
		"as a part closes": func(w *writer[string]) error { return w.Write([]string{strings.Repeat("x", 2000)}, nil) },
	} {
		dir := t.TempDir()
		w := newWriter(t, dir, 0)
		do(t, w.Write([]string{"a"}, nil))
		do(t, w.part.Close()) // now every write fails
		if err := flush(w); !errors.Is(err, fs.ErrClosed) {
			t.Errorf("%s: error %v, want that of the disk", name, err)
		}
		_ = w.Close()
		if err := w.Close(); err != nil {
			t.Errorf("%s: second Close: %v", name, err)
		}
		if _, err := os.Stat(filepath.Join(dir, "part-0-0")); err == nil {
			t.Errorf("%s: a broken part got its final name", name)
		}
	}
}

func TestWriterMistakesAreFoundBeforeTheJob(t *testing.T) {
	dir := write(t, map[string]string{"file": ""})
	format := func(v int) string { return "" }
	for name, c := range map[string]struct {
		sink connector.Sink[int]
		want string
	}{
		"new folder":   {Writer(filepath.Join(dir, "new"), format), ""},
		"old folder":   {Writer(dir, format), ""},
		"a file":       {Writer(filepath.Join(dir, "file"), format), "is not a folder"},
		"below a file": {Writer(filepath.Join(dir, "file", "x"), format), "not a directory"},
		"no function":  {Writer[int](dir, nil), "is nil"},
	} {
		err := c.sink.(connector.Checker).Check()
		if (err != nil) != (c.want != "") || err != nil && !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: Check returned %v, want %q", name, err, c.want)
		}
	}
}
