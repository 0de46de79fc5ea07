package file

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"

	"github.com/klauspost/compress/gzip"
	"github.com/klauspost/compress/zstd"
	"go.uber.org/goleak"

	"github.com/flott-dev/flott/connector"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// write makes files, compressed where their name says so, in a new folder.
func write(t testing.TB, files map[string]string) (dir string) {
	t.Helper()
	dir = t.TempDir()
	for name, text := range files {
		path := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, compressed(t, name, text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

func compressed(t testing.TB, name, text string) []byte {
	t.Helper()
	var b bytes.Buffer
	switch filepath.Ext(name) {
	case ".gz":
		w := gzip.NewWriter(&b)
		if _, err := w.Write([]byte(text)); err != nil {
			t.Fatal(err)
		}
		if err := w.Close(); err != nil {
			t.Fatal(err)
		}
	case ".zst":
		w, err := zstd.NewWriter(&b)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := w.Write([]byte(text)); err != nil {
			t.Fatal(err)
		}
		if err := w.Close(); err != nil {
			t.Fatal(err)
		}
	default:
		return []byte(text)
	}
	return b.Bytes()
}

// withSizes makes ranges of other sizes.
func withSizes[T any](s connector.Source[T], least, most int64) connector.Source[T] {
	sized := s.(source[T])
	sized.sizes = sizes{least, most}
	return sized
}

// readAll reads everything with one reader, in the order of the splits.
func readAll[T any](t testing.TB, s connector.Source[T]) (records []T, err error) {
	t.Helper()
	e, err := s.Enumerator(t.Context(), connector.Setup{Parallelism: 1})
	if err != nil {
		return nil, err
	}
	wake := make(chan struct{}, 1)
	r, err := s.Reader(t.Context(), func() {
		select {
		case wake <- struct{}{}:
		default:
		}
	})
	if err != nil {
		return nil, err
	}
	defer func() { _ = r.Close() }()
	b := connector.Batch[T]{V: make([]T, 0, 64)}
	for {
		b.Reset()
		status, err := r.Read(&b)
		records = append(records, b.V...)
		switch {
		case err != nil:
			return records, err
		case status == connector.Wait:
			<-wake
		case status == connector.Done:
			splits, done, err := e.Next(t.Context(), 0)
			if err != nil || done {
				return records, err
			}
			if err := r.Assign(splits); err != nil {
				return records, err
			}
		}
	}
}

// rewrite writes a file as it stands, not compressed.
func rewrite(t testing.TB, dir, name, text string) {
	t.Helper()
	if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
}
