package main

import (
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/dop251/goja"
	"github.com/evanw/esbuild/pkg/api"
)

// A unit is a test of the page's sources: the name and function that a file gave to test (web/src/testing.ts).
type unit struct {
	name string
	run  goja.Callable
}

// longest is how long a unit may take before it is taken for endless: the engine is an interpreter, and machines are shared.
const longest = time.Minute

// TestUnits runs web/src/**/*.test.ts, each file in a JavaScript engine of its own that has no browser around it.
func TestUnits(t *testing.T) {
	files := unitFiles(t)
	if len(files) == 0 {
		t.Fatal("no *.test.ts")
	}
	for _, file := range files {
		t.Run(strings.TrimSuffix(filepath.Base(file), ".test.ts"), func(t *testing.T) {
			vm := goja.New()
			for _, u := range units(t, vm, file) {
				t.Run(u.name, func(t *testing.T) {
					over := time.AfterFunc(longest, func() { vm.Interrupt("no end in sight") })
					defer over.Stop()
					if _, err := u.run(goja.Undefined()); err != nil {
						t.Error(err)
					}
				})
			}
		})
	}
}

func unitFiles(t *testing.T) (files []string) {
	t.Helper()
	err := fs.WalkDir(os.DirFS("../src"), ".", func(path string, _ fs.DirEntry, err error) error {
		if strings.HasSuffix(path, ".test.ts") {
			files = append(files, "src/"+path)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return files
}

// units loads a file, which says what its tests are.
func units(t *testing.T, vm *goja.Runtime, file string) (all []unit) {
	t.Helper()
	web, err := filepath.Abs("..")
	if err != nil {
		t.Fatal(err)
	}
	result := api.Build(api.BuildOptions{AbsWorkingDir: web, EntryPoints: []string{file}, Bundle: true, Format: api.FormatIIFE, Target: api.ES2017})
	if err := messages(result.Errors); err != nil {
		t.Fatal(err)
	}
	if err := vm.Set("register", func(name string, run goja.Callable) { all = append(all, unit{name, run}) }); err != nil {
		t.Fatal(err)
	}
	if _, err := vm.RunScript(file, string(result.OutputFiles[0].Contents)); err != nil {
		t.Fatal(err)
	}
	return all
}
