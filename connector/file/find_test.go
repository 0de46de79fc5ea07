package file

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

func TestFind(t *testing.T) {
	dir := write(t, map[string]string{
		"a.txt": "", "b.txt": "", "c.csv": "", ".hidden.txt": "", "_SUCCESS": "", "[x].txt": "",
		"deep/d.txt": "", "deep/er/e.txt": "", "deep/_tmp/f.txt": "", "deep/.git/g.txt": "",
	})
	if err := os.Mkdir(filepath.Join(dir, "empty"), 0o777); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(filepath.Join(dir, "deep", "er"), filepath.Join(dir, "link")); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		paths, want string
		wrong       []string
	}{
		{paths: "a.txt", want: "a.txt"},
		{paths: "b.txt a.txt", want: "b.txt a.txt"},
		{paths: "*.txt", want: "[x].txt a.txt b.txt"},
		{paths: "[ab].txt", want: "a.txt b.txt"},
		{paths: "[x].txt", want: "[x].txt"},
		{paths: "deep", want: "deep/d.txt deep/er/e.txt"},
		{paths: ".", want: "[x].txt a.txt b.txt c.csv deep/d.txt deep/er/e.txt link/e.txt"},
		{paths: "d*", want: "deep/d.txt deep/er/e.txt"},
		{paths: "a.txt *.txt ./a.txt", want: "a.txt [x].txt b.txt"},
		{paths: ".hidden.txt _SUCCESS", want: ".hidden.txt _SUCCESS"},
		{paths: ".*.txt", want: ".hidden.txt"},
		{paths: "deep/_tmp", want: "deep/_tmp/f.txt"},
		{paths: "empty"},
		{paths: "", wrong: []string{"no path is given"}},
		{paths: "no.txt a.txt *.no [a", want: "a.txt", wrong: []string{"no.txt: no such file", "*.no: no file matches", "[a: syntax error"}},
		{paths: "_*", want: "_SUCCESS"},
	} {
		t.Run(c.paths, func(t *testing.T) {
			t.Chdir(dir)
			files, errs := find(strings.Fields(c.paths))
			var got []string
			for _, f := range files {
				got = append(got, f.path)
			}
			if !slices.Equal(got, strings.Fields(c.want)) {
				t.Errorf("found %v, want %v", got, c.want)
			}
			if len(errs) != len(c.wrong) {
				t.Fatalf("errors %v, want %q", errs, c.wrong)
			}
			for i, want := range c.wrong {
				if !strings.Contains(errs[i].Error(), want) {
					t.Errorf("error %q does not say %q", errs[i], want)
				}
			}
		})
	}
}
