package jobgraph_test

import (
	"encoding/json"
	"reflect"
	"testing"

	"github.com/flott-dev/flott/internal/graph/jobgraph"
)

// A job graph is shipped, so that nothing in it may be lost on the way.
func TestGraphIsPlainData(t *testing.T) {
	g := job(t, `
		parallelism 2
		checkpoints 1000
		a = source uid=a hash=0123456789abcdef0123456789ABCDEF
		b = source
		b.late = side b
		m = multi a b.late chain=HEAD_WITH_SOURCES
		k = keyby m
		r = reduce k slot=x beside=y
		o = sink r`)
	b, err := json.Marshal(g)
	if err != nil {
		t.Fatal(err)
	}
	var back jobgraph.Graph
	if err := json.Unmarshal(b, &back); err != nil {
		t.Fatal(err)
	}
	if !reflect.DeepEqual(*g, back) {
		t.Errorf("%+v became %+v", *g, back)
	}
}
