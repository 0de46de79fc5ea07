package flott_test

import (
	"go/ast"
	"go/doc"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// publicPackages are those that users import, by folder.
func publicPackages(t *testing.T) []string {
	t.Helper()
	var dirs []string
	err := filepath.WalkDir(".", func(path string, d os.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case d.IsDir() && path != "." && (skipped(d.Name()) || nestedModule(path)):
			return filepath.SkipDir
		case d.IsDir():
			dirs = append(dirs, path)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return dirs
}

func skipped(name string) bool {
	return strings.HasPrefix(name, ".") || name == "internal" || name == "cmd" || name == "testdata"
}

func nestedModule(dir string) bool {
	_, err := os.Stat(filepath.Join(dir, "go.mod"))
	return err == nil
}

// documented is the documentation of the package in a folder; nil: there is none.
func documented(t *testing.T, dir string) *doc.Package {
	t.Helper()
	names, err := filepath.Glob(filepath.Join(dir, "*.go"))
	if err != nil {
		t.Fatal(err)
	}
	files := token.NewFileSet()
	var parsed []*ast.File
	for _, name := range names {
		f, err := parser.ParseFile(files, name, nil, parser.ParseComments)
		if err != nil {
			t.Fatal(err)
		}
		parsed = append(parsed, f)
	}
	if len(parsed) == 0 {
		return nil
	}
	p, err := doc.NewFromFiles(files, parsed, dir)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

func TestEveryExportedNameIsDocumented(t *testing.T) {
	for _, dir := range publicPackages(t) {
		p := documented(t, dir)
		if p == nil {
			continue
		}
		if p.Doc == "" {
			t.Errorf("package %s has no comment", dir)
		}
		for _, name := range undocumented(p) {
			t.Errorf("%s: %s has no comment", dir, name)
		}
	}
}

func undocumented(p *doc.Package) (names []string) {
	functions := func(owner string, fs []*doc.Func) {
		for _, f := range fs {
			if f.Doc == "" && !implements(f.Name) {
				names = append(names, owner+f.Name)
			}
		}
	}
	values := func(vs []*doc.Value) {
		for _, v := range vs {
			names = append(names, undocumentedValues(v)...)
		}
	}
	functions("", p.Funcs)
	values(p.Consts)
	values(p.Vars)
	for _, t := range p.Types {
		if t.Doc == "" && !commentedInGroup(t) {
			names = append(names, t.Name)
		}
		functions("", t.Funcs)
		functions(t.Name+".", t.Methods)
		values(t.Consts)
		values(t.Vars)
	}
	return names
}

// implements says that a method is one that every Go programmer knows.
func implements(name string) bool {
	return slices.Contains([]string{"Error", "Unwrap", "String"}, name)
}

// commentedInGroup says that a type stands in a group with a comment of its own line.
func commentedInGroup(t *doc.Type) bool {
	for _, s := range t.Decl.Specs {
		if ts := s.(*ast.TypeSpec); ts.Name.Name == t.Name && (ts.Doc != nil || ts.Comment != nil) {
			return true
		}
	}
	return t.Decl.Doc != nil
}

func undocumentedValues(v *doc.Value) (names []string) {
	for _, s := range v.Decl.Specs {
		vs := s.(*ast.ValueSpec)
		for _, n := range vs.Names {
			if n.IsExported() && vs.Doc == nil && vs.Comment == nil && v.Decl.Doc == nil {
				names = append(names, n.Name)
			}
		}
	}
	return names
}

// The types whose methods are operators.
var operatorTypes = []string{"Stream", "KeyedStream", "Connected", "KeyedConnected", "WindowedStream"}

// The settings are shown together, in ExampleStream_Name.
var settings = []string{
	"Name", "UID", "Parallelism", "MaxParallelism", "SlotSharingGroup", "StartNewChain", "DisableChaining", "BufferTimeout",
	"Environment",
}

func TestEveryOperatorHasAnExample(t *testing.T) {
	f, err := parser.ParseFile(token.NewFileSet(), "example_test.go", nil, parser.ParseComments)
	if err != nil {
		t.Fatal(err)
	}
	shown := map[string]bool{}
	for _, e := range doc.Examples(f) {
		shown[e.Name] = e.Output != "" || e.EmptyOutput
	}
	for _, typ := range documented(t, ".").Types {
		for _, m := range typ.Methods {
			operator := slices.Contains(operatorTypes, typ.Name) && !slices.Contains(settings, m.Name)
			if operator && !shown[typ.Name+"_"+m.Name] {
				t.Errorf("%s.%s has no example with output", typ.Name, m.Name)
			}
		}
	}
}
