package golden

import (
	"io/fs"
	"testing"

	"github.com/flott-dev/flott/internal/graph/streamgraph"
)

// Compiling takes nothing away from a program: the second time gives the same.
func TestCompilingTwice(t *testing.T) {
	files := goldenFiles(t)
	cases, err := fs.Glob(files, "cases/*/*.json")
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range cases {
		text, err := fs.ReadFile(files, name)
		if err != nil {
			t.Fatal(err)
		}
		spec, err := Parse(text)
		if err != nil {
			t.Fatal(err)
		}
		p, _, err := spec.Program()
		if err != nil {
			t.Fatal(err)
		}
		first, err1 := streamgraph.From(p)
		second, err2 := streamgraph.From(p)
		switch {
		case err1 != nil && err2 != nil && err1.Error() == err2.Error():
		case err1 != nil || err2 != nil:
			t.Errorf("%s: first %v, then %v", name, err1, err2)
		case first.JSON() != second.JSON():
			t.Errorf("%s: first\n%s\nthen\n%s", name, first.JSON(), second.JSON())
		}
	}
}

// FuzzSpec compiles whatever can be read as a spec. It must end in graphs or in an error.
func FuzzSpec(f *testing.F) {
	files := goldenFiles(f)
	for _, set := range []string{"open", "extra"} {
		cases, err := fs.Glob(files, "cases/"+set+"/*.json")
		if err != nil {
			f.Fatal(err)
		}
		for _, name := range cases {
			text, err := fs.ReadFile(files, name)
			if err != nil {
				f.Fatal(err)
			}
			f.Add(text)
		}
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		spec, err := Parse(text)
		if err != nil || spec.large() {
			return
		}
		result, err := Compile(spec)
		if err == nil && result.Error == nil && result.ExecutionGraph == nil {
			t.Error("neither an error nor graphs")
		}
	})
}

// large says that the sections of a golden, which name each subtask, would be huge.
func (s *Spec) large() bool {
	const most = 64
	large := or(s.Env.Parallelism, 1) > most
	for i := range s.Steps {
		step := &s.Steps[i]
		large = large || or(step.Parallelism, 1) > most
		for _, topology := range [][]SubStep{step.PreWrite, step.PreCommit, step.PostCommit} {
			for _, sub := range topology {
				large = large || or(sub.Parallelism, 1) > most
			}
		}
	}
	return large
}
