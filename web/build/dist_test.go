package main

import (
	"bytes"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"testing"
)

// What is committed is what its sources are: programs have the page in them without building it.
func TestDistIsFresh(t *testing.T) {
	web, err := filepath.Abs("..")
	if err != nil {
		t.Fatal(err)
	}
	want, err := bundle(web)
	if err != nil {
		t.Fatal(err)
	}
	root := os.DirFS("../dist")
	err = fs.WalkDir(root, ".", func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		have, err := fs.ReadFile(root, name)
		if !bytes.Equal(have, want[name]) {
			t.Errorf("web/dist/%s is not what its sources are: go generate ./web", name)
		}
		delete(want, name)
		return err
	})
	if err != nil {
		t.Error(err)
	}
	for _, name := range slices.Sorted(maps.Keys(want)) {
		t.Errorf("web/dist has no %s: go generate ./web", name)
	}
}

// Whatever is not ours comes with its licence.
func TestLicencesShip(t *testing.T) {
	shipped, err := os.ReadFile("../dist/licenses.txt")
	if err != nil {
		t.Fatal(err)
	}
	folders, err := os.ReadDir("../vendor")
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range folders {
		text, err := os.ReadFile("../vendor/" + f.Name() + "/LICENSE")
		if err != nil {
			t.Error(err)
		}
		if !bytes.Contains(shipped, bytes.TrimSpace(text)) {
			t.Errorf("the licence of %s does not ship", f.Name())
		}
	}
	if len(folders) < 4 {
		t.Errorf("only %d folders", len(folders))
	}
}
