package jobs

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/flott-dev/flott"
	"github.com/flott-dev/flott/bench/workload"
)

// TestJobsGiveTheKnownSums runs every workload at parallelism 1, 2 and 4 against the results of real Flink.
func TestJobsGiveTheKnownSums(t *testing.T) {
	vectors, err := workload.Vectors()
	if err != nil {
		t.Fatal(err)
	}
	for _, v := range withBatchForm(vectors) {
		job, ok := Jobs[v.Name]
		if !ok {
			continue // a workload whose feature comes later
		}
		for _, p := range []int{1, 2, 4} {
			t.Run(fmt.Sprintf("%s/%d%+v/p%d", v.Name, v.Records, v.Options, p), func(t *testing.T) { check(t, v, job, p) })
		}
	}
}

// withBatchForm adds a vector of chain-batch for each of chain.
func withBatchForm(vectors []workload.Vector) []workload.Vector {
	for _, v := range vectors {
		if strings.HasPrefix(v.Name, "chain") {
			v.Name = "chain-batch"
			vectors = append(vectors, v)
		}
	}
	return vectors
}

func check(t *testing.T, v workload.Vector, job func(*flott.Environment, Run), parallelism int) {
	env := flott.New(flott.Parallelism(parallelism), flott.MaxParallelism(128))
	tally := &workload.Tally{}
	job(env, Run{Records: v.Records, Options: v.Options, Tally: tally})
	if _, err := env.Execute(context.Background(), v.Name); err != nil {
		t.Fatal(err)
	}
	if tally.Out() != v.Out || tally.Sum() != v.Sum {
		t.Errorf("out %d sum %d, want %d %d", tally.Out(), tally.Sum(), v.Out, v.Sum)
	}
}
