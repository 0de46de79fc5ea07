package golden

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"testing"
	"testing/fstest"
)

// TestGolden compiles every spec and compares with what Flink made of it.
func TestGolden(t *testing.T) {
	files := goldenFiles(t)
	sets, err := fs.ReadDir(files, "cases")
	if err != nil || len(sets) == 0 {
		t.Fatalf("no cases: %v", err)
	}
	for _, set := range sets {
		if set.IsDir() {
			t.Run(set.Name(), func(t *testing.T) { testSet(t, files, set.Name()) })
		}
	}
}

func testSet(t *testing.T, files fs.FS, set string) {
	cases, err := fs.Glob(files, path.Join("cases", set, "*.json"))
	if err != nil {
		t.Fatal(err)
	}
	same := 0
	for _, c := range cases {
		err := check(files, c, path.Join("golden", set, path.Base(c)))
		if err == nil {
			same++
			continue
		}
		t.Errorf("%s: %v", c, err)
	}
	fmt.Printf("golden %s: %d of %d\n", set, same, len(cases))
}

// check compiles one spec. A spec that breaks the format has no golden.
func check(files fs.FS, specPath, goldenPath string) error {
	text, err := fs.ReadFile(files, specPath)
	if err != nil {
		return err
	}
	want, err := fs.ReadFile(files, goldenPath)
	invalid := errors.Is(err, fs.ErrNotExist)
	if err != nil && !invalid {
		return err
	}
	result, err := compile(text)
	switch {
	case invalid && err == nil:
		return errors.New("it has no golden, so it breaks the format, but the compiler takes it")
	case invalid:
		return nil
	case err != nil:
		return err
	}
	diff, err := Difference(want, result)
	if err != nil || diff == "" {
		return err
	}
	return fmt.Errorf("%s%s", diff, reason(result))
}

func compile(text []byte) (*Result, error) {
	spec, err := Parse(text)
	if err != nil {
		return nil, err
	}
	return Compile(spec)
}

func reason(r *Result) string {
	if r.Error == nil {
		return ""
	}
	return fmt.Sprintf("\n  refused at %s: %s", r.Error.Stage, r.Error.Message)
}

// root is the project's root, seen from here.
const root = "../../.."

// goldenFiles is the folder that GOLDEN_DIR names, relative to the project's root, or else the archive.
func goldenFiles(t testing.TB) fs.FS {
	t.Helper()
	if dir := os.Getenv("GOLDEN_DIR"); dir != "" {
		if !filepath.IsAbs(dir) {
			dir = filepath.Join(root, dir)
		}
		return os.DirFS(dir)
	}
	files, err := readArchive("testdata/golden.tar.gz")
	if err != nil {
		t.Fatal(err)
	}
	return files
}

func readArchive(name string) (fs.FS, error) {
	data, err := os.ReadFile(name)
	if err != nil {
		return nil, err
	}
	unzipped, err := gzip.NewReader(bytes.NewReader(data))
	if err != nil {
		return nil, err
	}
	files := fstest.MapFS{}
	for r := tar.NewReader(unzipped); ; {
		h, err := r.Next()
		if errors.Is(err, io.EOF) {
			return files, nil
		}
		if err != nil {
			return nil, err
		}
		content, err := io.ReadAll(r)
		if err != nil {
			return nil, err
		}
		files[h.Name] = &fstest.MapFile{Data: content}
	}
}
