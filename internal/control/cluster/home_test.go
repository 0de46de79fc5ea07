package cluster

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestHomes opens several: none is shared, and one that was left is taken again, with what is in it.
func TestHomes(t *testing.T) {
	s := settings(t.TempDir())
	first, err := openHome(s, "taskmanager")
	check(t, err)
	second, err := openHome(s, "taskmanager")
	check(t, err)
	if first.folder == second.folder {
		t.Errorf("%s is shared", first.folder)
	}
	first.log.Info("farewell")
	check(t, first.close())
	third, err := openHome(s, "taskmanager")
	check(t, err)
	if third.folder != first.folder {
		t.Errorf("%s is taken, and %s is free", third.folder, first.folder)
	}
	third.log.Info("hello")
	check(t, third.close())
	check(t, second.close())
	text, err := os.ReadFile(filepath.Join(third.logs, "taskmanager.log"))
	check(t, err)
	if !strings.Contains(string(text), "msg=hello") || strings.Contains(string(text), "msg=farewell") {
		t.Errorf("the log is %q", text)
	}
	text, err = os.ReadFile(filepath.Join(third.logs, "taskmanager.log.previous"))
	check(t, err)
	if !strings.Contains(string(text), "msg=farewell") {
		t.Errorf("the log of the one before is %q", text)
	}
}

func TestLogFolder(t *testing.T) {
	logs := t.TempDir()
	h, err := openHome(with(settings(t.TempDir()), "env.log.dir", logs), "jobmanager")
	check(t, err)
	check(t, h.close())
	if _, err := os.Stat(filepath.Join(logs, "jobmanager-0", "jobmanager.log")); err != nil {
		t.Error(err)
	}
}

// Somebody else may have made our folder before us, to put executables there.
func TestFolderThatOthersMayChange(t *testing.T) {
	s := settings(t.TempDir())
	folder, err := Folder(s)
	check(t, err)
	check(t, os.Chmod(folder, 0o777)) //nolint:gosec // that is what is refused
	if _, err := openHome(s, "jobmanager"); err == nil || !strings.Contains(err.Error(), "must be a folder that belongs to this user") {
		t.Errorf("the error is %v", err)
	}
}
