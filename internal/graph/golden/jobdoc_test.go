package golden

import (
	"io/fs"
	"reflect"
	"testing"

	"github.com/flott-dev/flott/internal/graph/jobdoc"
	"github.com/flott-dev/flott/internal/graph/jobgraph"
	"github.com/flott-dev/flott/internal/graph/streamgraph"
)

// TestJobGraphsTravel sends the job graph of each spec that has one as a document.
func TestJobGraphsTravel(t *testing.T) {
	files := goldenFiles(t)
	specs, err := fs.Glob(files, "cases/*/*.json")
	if err != nil {
		t.Fatal(err)
	}
	sent := 0
	for _, name := range specs {
		text, err := fs.ReadFile(files, name)
		if err != nil {
			t.Fatal(err)
		}
		if g := jobGraphOf(text); g != nil {
			travel(t, name, g)
			sent++
		}
	}
	if sent == 0 {
		t.Error("no spec has a job graph")
	}
}

// jobGraphOf is nil for a spec that is refused somewhere on the way.
func jobGraphOf(text []byte) *jobgraph.Graph {
	spec, err := Parse(text)
	if err != nil {
		return nil
	}
	p, _, err := spec.Program()
	if err != nil || p.Rejections.Err() != nil {
		return nil
	}
	stream, err := streamgraph.From(p)
	if err != nil {
		return nil
	}
	job, err := jobgraph.From(stream)
	if err != nil {
		return nil
	}
	return job
}

func travel(t *testing.T, name string, g *jobgraph.Graph) {
	text, err := jobdoc.Encode(g)
	if err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	back, err := jobdoc.Decode(text)
	if err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	if !reflect.DeepEqual(g, back) {
		t.Errorf("%s: the graph has changed: %s", name, jobdoc.Difference(g, back))
	}
	if jobdoc.Difference(g, back) != "" || jobdoc.Fingerprint(g) != jobdoc.Fingerprint(back) {
		t.Errorf("%s: %q is a difference", name, jobdoc.Difference(g, back))
	}
}
