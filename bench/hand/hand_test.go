package hand

import (
	"testing"

	"github.com/flott-dev/flott/bench/workload"
)

func TestLoopsGiveTheKnownSums(t *testing.T) {
	vectors, err := workload.Vectors()
	if err != nil {
		t.Fatal(err)
	}
	for _, v := range vectors {
		loop, ok := Loops[v.Name]
		if !ok {
			continue // a workload whose feature comes later
		}
		if out, sum := loop(v.Records, v.Options); out != v.Out || sum != v.Sum {
			t.Errorf("%s of %d records %+v: out %d sum %d, want %d %d", v.Name, v.Records, v.Options, out, sum, v.Out, v.Sum)
		}
	}
}
