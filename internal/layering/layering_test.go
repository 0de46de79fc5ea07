package layering

import (
	"bytes"
	_ "embed"
	"encoding/json"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
)

const module = "github.com/flott-dev/flott"

//go:embed order.txt
var orderText string

// A listed package is what the go command says of one package, tests aside.
type listed struct {
	ImportPath, Dir  string
	GoFiles, Imports []string
}

// relative is an import path seen from the module: "." for its root, "" for a package that is not in it.
func relative(importPath string) string {
	if importPath == module {
		return "."
	}
	rest, inside := strings.CutPrefix(importPath, module+"/")
	if !inside {
		return ""
	}
	return rest
}

func (l listed) imports() []string {
	var own []string
	for _, i := range l.Imports {
		if r := relative(i); r != "" {
			own = append(own, r)
		}
	}
	return own
}

func listPackages(t *testing.T) []listed {
	t.Helper()
	cmd := exec.Command("go", "list", "-e", "-json=ImportPath,Dir,GoFiles,Imports", module+"/...")
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("go list: %v\n%s", err, stderr.String())
	}
	var packages []listed
	for d := json.NewDecoder(bytes.NewReader(out)); ; {
		var l listed
		if err := d.Decode(&l); err == io.EOF {
			return packages
		} else if err != nil {
			t.Fatal(err)
		}
		if len(l.GoFiles) > 0 {
			packages = append(packages, l)
		}
	}
}

func TestImportsFollowOrder(t *testing.T) {
	o, err := parseOrder(orderText)
	if err != nil {
		t.Fatal(err)
	}
	for _, l := range listPackages(t) {
		if relative(l.ImportPath) == "internal/layering" {
			continue
		}
		for _, wrong := range o.check(relative(l.ImportPath), l.imports()) {
			t.Error(wrong)
		}
	}
}

func TestGraphsAndDecidersArePure(t *testing.T) {
	for _, l := range listPackages(t) {
		pkg := relative(l.ImportPath)
		if !strings.HasPrefix(pkg, "internal/graph/") && !strings.HasPrefix(pkg, "internal/decide/") {
			continue
		}
		for _, file := range l.GoFiles {
			for _, wrong := range impure(t, filepath.Join(l.Dir, file), nil) {
				t.Errorf("%s/%s: %s", pkg, file, wrong)
			}
		}
	}
}

// Clocks and timers of package time; what only computes with times is allowed.
var clocks = []string{"Now", "Since", "Until", "Sleep", "After", "AfterFunc", "Tick", "NewTimer", "NewTicker"}

// Packages that graphs and deciders may not import, with all below them.
var banned = []string{"net", "os", "sync"}

// impure finds what a graph or decider may not have in one file: banned packages, clocks and go statements.
func impure(t *testing.T, name string, src any) (wrong []string) {
	t.Helper()
	files := token.NewFileSet()
	file, err := parser.ParseFile(files, name, src, parser.SkipObjectResolution)
	if err != nil {
		t.Fatal(err)
	}
	found := func(n ast.Node, what string) {
		wrong = append(wrong, fmt.Sprintf("line %d: %s", files.Position(n.Pos()).Line, what))
	}
	clock := ""
	for _, i := range file.Imports {
		p, _ := strconv.Unquote(i.Path.Value)
		if root, _, _ := strings.Cut(p, "/"); slices.Contains(banned, root) {
			found(i, "imports "+p)
		}
		if p == "time" {
			clock = "time"
			if i.Name != nil {
				clock = i.Name.Name
			}
		}
	}
	ast.Inspect(file, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.GoStmt:
			found(n, "go statement")
		case *ast.SelectorExpr:
			if x, ok := n.X.(*ast.Ident); ok && clock != "" && x.Name == clock && slices.Contains(clocks, n.Sel.Name) {
				found(n, "time."+n.Sel.Name)
			}
		}
		return true
	})
	return wrong
}

func TestImpure(t *testing.T) {
	src := `package p
import (
	"net/http"
	"sync/atomic"
	clock "time"
)
func f(d clock.Duration) {
	_ = clock.Now()
	go f(0)
}`
	want := []string{"line 3: imports net/http", "line 4: imports sync/atomic", "line 8: time.Now", "line 9: go statement"}
	if got := impure(t, "p.go", src); !slices.Equal(got, want) {
		t.Errorf("found %q, want %q", got, want)
	}
	if got := impure(t, "p.go", "package p\nimport \"time\"\nvar D = time.Second"); got != nil {
		t.Errorf("found %q in a file that only computes", got)
	}
}

func TestOrder(t *testing.T) {
	o, err := parseOrder("c < d; # comment\na < b, c; b < d; b < b/*;")
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		pkg, imported string
		wrong         int
	}{
		{"d", "a", 0},
		{"d", "b", 0},
		{"b/x", "a", 0},
		{"b/x/y", "b", 0},
		{"a", "b", 1},
		{"b", "c", 1},
		{"c", "d", 1},
		{"b/x", "b/y", 1},
		{"b", "e", 1},
		{"e", "a", 1},
	} {
		if got := o.check(c.pkg, []string{c.imported}); len(got) != c.wrong {
			t.Errorf("%s imports %s: %q, want %d complaints", c.pkg, c.imported, got, c.wrong)
		}
	}
	for _, bad := range []string{"a < b; b < a", "a < ", "a < a"} {
		if _, err := parseOrder(bad); err == nil {
			t.Errorf("parseOrder(%q) found nothing wrong", bad)
		}
	}
}
