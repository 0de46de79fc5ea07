package deploy

import (
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/moby/buildkit/frontend/dockerfile/instructions"
	"github.com/moby/buildkit/frontend/dockerfile/parser"
)

// stages is what a Dockerfile says, as BuildKit reads it.
func stages(text string) ([]instructions.Stage, error) {
	tree, err := parser.Parse(strings.NewReader(text))
	if err != nil {
		return nil, err
	}
	all, _, err := instructions.Parse(tree.AST, nil)
	if err == nil && len(tree.Warnings) > 0 {
		err = fmt.Errorf("%v", tree.Warnings)
	}
	return all, err
}

// An image is a Dockerfile, and what is wrong with it as far as can be told without building it.
type image struct {
	context string // folder
	stages  []instructions.Stage
	wrong   []string
}

func (i *image) fault(format string, args ...any) {
	i.wrong = append(i.wrong, fmt.Sprintf(format, args...))
}

// faults checks a Dockerfile that is built in a folder.
func faults(text, context string) []string {
	i := &image{context: context}
	var err error
	if i.stages, err = stages(text); err != nil {
		return []string{err.Error()}
	}
	for s := range i.stages {
		i.base(&i.stages[s])
		for _, c := range i.stages[s].Commands {
			if c, ok := c.(*instructions.CopyCommand); ok {
				i.copies(c, i.stages[:s])
			}
		}
	}
	i.runs(&i.stages[len(i.stages)-1])
	return i.wrong
}

// base wants images that stay what they are, and the Go that the project is tested with.
func (i *image) base(s *instructions.Stage) {
	name, tag, _ := strings.Cut(s.BaseName, ":")
	if tag == "" || tag == "latest" {
		i.fault("FROM %s names no version", s.BaseName)
	}
	if want := strings.TrimPrefix(runtime.Version(), "go"); name == "golang" && tag != want {
		i.fault("FROM %s is not Go %s", s.BaseName, want)
	}
}

// copies wants what is copied to be there: in the folder, or made by an earlier stage.
func (i *image) copies(c *instructions.CopyCommand, earlier []instructions.Stage) {
	from := slices.IndexFunc(earlier, func(s instructions.Stage) bool { return s.Name == c.From })
	if c.From != "" && from < 0 {
		i.fault("COPY --from=%s: there is no such stage before it", c.From)
		return
	}
	for _, source := range c.SourcePaths {
		if c.From == "" {
			if _, err := os.Stat(filepath.Join(i.context, source)); err != nil {
				i.fault("COPY %s: it is not there", source)
			}
		} else if !makes(&earlier[from], source) {
			i.fault("COPY --from=%s %s: that stage does not make it", c.From, source)
		}
	}
}

// makes says that a command of a stage has a file as its output.
func makes(s *instructions.Stage, file string) bool {
	return slices.ContainsFunc(s.Commands, func(c instructions.Command) bool {
		run, ok := c.(*instructions.RunCommand)
		return ok && strings.Contains(strings.Join(run.CmdLine, " "), " -o "+file+" ")
	})
}

// runs wants the image to start a program of its own, without a shell, and not as root.
func (i *image) runs(s *instructions.Stage) {
	user := ""
	if strings.HasSuffix(s.BaseName, ":nonroot") {
		user = "nonroot"
	}
	var entry []string
	copied := map[string]bool{}
	for _, c := range s.Commands {
		switch c := c.(type) {
		case *instructions.UserCommand:
			user = c.User
		case *instructions.CopyCommand:
			copied[c.DestPath] = true
		case *instructions.EntrypointCommand:
			if !c.PrependShell {
				entry = c.CmdLine
			}
		}
	}
	if name, _, _ := strings.Cut(user, ":"); name == "" || name == "root" || name == "0" {
		i.fault("it runs as root")
	}
	if len(entry) == 0 || !copied[entry[0]] {
		i.fault("it starts %v, which is not in it", entry)
	}
}

// Both Dockerfiles are for the root of a module, such as this one.
func TestDockerfiles(t *testing.T) {
	for _, file := range []string{"Dockerfile", "application.Dockerfile"} {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range faults(string(text), "..") {
			t.Errorf("%s: %s", file, f)
		}
		if _, pkg, ok := strings.Cut(string(text), " ./"); ok {
			pkg, _, _ = strings.Cut(pkg, "\n")
			if _, err := os.Stat(filepath.Join("..", pkg)); err != nil {
				t.Errorf("%s builds ./%s: %v", file, pkg, err)
			}
		}
	}
}

func TestFaultsOfDockerfiles(t *testing.T) {
	text, err := os.ReadFile("Dockerfile")
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct{ old, new, want string }{
		{"COPY go.mod", "COPPY go.mod", "unknown instruction"},
		{"COPY go.mod", "COPY go.mood", "it is not there"},
		{"AS build", "AS make", "no such stage"},
		{"-o /flott ", "-o /flot ", "does not make it"},
		{"golang:1.", "golang:2.", "is not Go"},
		{":nonroot", ":debug", "as root"},
		{"ENTRYPOINT", "USER 0\nENTRYPOINT", "as root"},
		{"debian13:nonroot", "debian13", "no version"},
		{`["/flott"]`, "/flott", "which is not in it"},
		{`["/flott"]`, `["/flot"]`, "which is not in it"},
	} {
		if got := strings.Join(faults(strings.Replace(string(text), c.old, c.new, 1), ".."), "; "); !strings.Contains(got, c.want) {
			t.Errorf("%s for %s: %q, want %q", c.new, c.old, got, c.want)
		}
	}
}
