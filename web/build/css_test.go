package main

import (
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// TestClassesHaveOneMeaning wants each class to be described by one style sheet: all of them are one file in the browser, where a
// name that two areas use for different things gets the looks of both. What a sheet says of a class inside of its own area
// (".panel .row") or in a state is no description.
func TestClassesHaveOneMeaning(t *testing.T) {
	sheets := map[string][]string{} // by class
	for _, sheet := range styleSheets(t) {
		text, err := os.ReadFile(sheet)
		if err != nil {
			t.Fatal(err)
		}
		for _, class := range described(string(text)) {
			sheets[class] = append(sheets[class], filepath.Base(sheet))
		}
	}
	for class, in := range sheets {
		if len(in) > 1 {
			t.Errorf(".%s is described in %s", class, strings.Join(in, " and "))
		}
	}
}

func TestDescribed(t *testing.T) {
	css := `/* .a {} */ .b, .c { x: y } .d .e { x: y } .f:hover { x: y } @media (max-width: 1px) { .g { x: y } .b { x: y } } :is(.h, .i) { x: y } p.j { x: y } :is(.k, .l) .m { x: y }`
	if got, want := described(css), []string{"b", "c", "g", "h", "i"}; !slices.Equal(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
}

func styleSheets(t *testing.T) (all []string) {
	t.Helper()
	err := fs.WalkDir(os.DirFS("../src"), ".", func(path string, _ fs.DirEntry, err error) error {
		if strings.HasSuffix(path, ".css") {
			all = append(all, filepath.Join("../src", path))
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return all
}

var (
	comment  = regexp.MustCompile(`(?s)/\*.*?\*/`)
	selector = regexp.MustCompile(`([^{};]+)\{`)
	oneOf    = regexp.MustCompile(`^:is\(([^()]*)\)$`)
	inner    = regexp.MustCompile(`\([^()]*\)`)
	alone    = regexp.MustCompile(`^\.([\w-]+)$`)
)

// described is the classes that a style sheet has rules for wherever they stand, in order and once each.
func described(css string) (classes []string) {
	for _, rule := range selector.FindAllStringSubmatch(comment.ReplaceAllString(css, ""), -1) {
		list := oneOf.ReplaceAllString(strings.TrimSpace(rule[1]), "$1")
		for part := range strings.SplitSeq(inner.ReplaceAllString(list, ""), ",") {
			if class := alone.FindStringSubmatch(strings.TrimSpace(part)); class != nil {
				classes = append(classes, class[1])
			}
		}
	}
	slices.Sort(classes)
	return slices.Compact(classes)
}
