//go:build ignore

// Pack adds folders of specs and goldens to the archive: go run pack.go DIR...
//
// A folder has cases/SET/*.json, golden/SET/*.json and perhaps golden/tables.json, as the oracle's has. Files that the archive has
// already are replaced. The same files always make the same archive.
package main

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"errors"
	"io"
	"io/fs"
	"log"
	"maps"
	"os"
	"slices"
	"strings"
)

const archive = "testdata/golden.tar.gz"

func main() {
	files := map[string][]byte{}
	if err := unpack(files); err != nil && !errors.Is(err, fs.ErrNotExist) {
		log.Fatal(err)
	}
	for _, dir := range os.Args[1:] {
		if err := add(files, os.DirFS(dir)); err != nil {
			log.Fatal(err)
		}
	}
	if err := pack(files); err != nil {
		log.Fatal(err)
	}
}

// unpack reads what the archive has.
func unpack(files map[string][]byte) error {
	f, err := os.Open(archive)
	if err != nil {
		return err
	}
	defer f.Close()
	z, err := gzip.NewReader(f)
	if err != nil {
		return err
	}
	r := tar.NewReader(z)
	for {
		h, err := r.Next()
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return err
		}
		if files[h.Name], err = io.ReadAll(r); err != nil {
			return err
		}
	}
}

func add(files map[string][]byte, dir fs.FS) error {
	return fs.WalkDir(dir, ".", func(path string, d fs.DirEntry, err error) error {
		wanted := strings.HasSuffix(path, ".json") && (strings.HasPrefix(path, "cases/") || strings.HasPrefix(path, "golden/"))
		if err != nil || !wanted {
			return err
		}
		files[path], err = fs.ReadFile(dir, path)
		return err
	})
}

func pack(files map[string][]byte) error {
	var b bytes.Buffer
	z, err := gzip.NewWriterLevel(&b, gzip.BestCompression)
	if err != nil {
		return err
	}
	w := tar.NewWriter(z)
	for _, name := range slices.Sorted(maps.Keys(files)) {
		if err := w.WriteHeader(&tar.Header{Name: name, Mode: 0o644, Size: int64(len(files[name]))}); err != nil {
			return err
		}
		if _, err := w.Write(files[name]); err != nil {
			return err
		}
	}
	if err := errors.Join(w.Close(), z.Close()); err != nil {
		return err
	}
	return os.WriteFile(archive, b.Bytes(), 0o644)
}
