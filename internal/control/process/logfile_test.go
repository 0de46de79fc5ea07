package process

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"testing"
)

func TestLogFileIsBounded(t *testing.T) {
	path := filepath.Join(t.TempDir(), "log")
	l, err := NewLogFile(path)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = l.Close() }() // was read already
	l.size = mostLog - 5
	for _, s := range []string{"12345", "6", "7"} {
		if _, err := l.Write([]byte(s)); err != nil {
			t.Error(err)
		}
	}
	if old, now := read(path+Old), read(path); old != "12345" || now != "67" {
		t.Errorf("kept %q and %q", old, now)
	}
}

func read(path string) string {
	text, err := os.ReadFile(path)
	if err != nil {
		return err.Error()
	}
	return string(text)
}

func TestLogFileThatIsThere(t *testing.T) {
	path := filepath.Join(t.TempDir(), "log")
	l, err := NewLogFile(path)
	if err := errors.Join(err, l.Close()); err != nil {
		t.Fatal(err)
	}
	if _, err := NewLogFile(path); !errors.Is(err, fs.ErrExist) {
		t.Errorf("it is made anew: %v", err)
	}
}
