package taskplan_test

import (
	"fmt"
	"runtime"
	"strings"
	"testing"

	"github.com/flott-dev/flott/internal/graph/taskplan"
)

func TestPlansShareTheirVertex(t *testing.T) {
	all := plans(t, "parallelism 3\ns = source\nr = rebalance s\no = print r")
	for i, p := range all {
		if p.Vertex != all[i/3*3].Vertex {
			t.Errorf("plan %d has a vertex of its own", i)
		}
		if p.Subtask != i%3 || p.Index != i/3 {
			t.Errorf("plan %d is of subtask %d of vertex %d", i, p.Subtask, p.Index)
		}
	}
}

func TestPlanHasItsAttempt(t *testing.T) {
	g := execution(t, "parallelism 2\ns = source\no = print s")
	g.Vertices[0].Executions[1].Attempt = 4
	if a, b := taskplan.From(g)[0].Attempt, taskplan.From(g)[1].Attempt; a != 0 || b != 4 {
		t.Errorf("attempts %d and %d", a, b)
	}
}

// Ten thousand tasks, all to all, have plans of less than 200 bytes each: channels are counted, not kept.
func TestPlansAreSmall(t *testing.T) {
	g := execution(t, "parallelism 5000\ns = source\nr = rebalance s\no = print r")
	if b := allocated(func() { taskplan.From(g) }); b > 200*10_000 {
		t.Errorf("plans of 10,000 tasks take %d bytes", b)
	}
}

// A gate of a thousand edges costs twice as much as one of five hundred, not four times.
func TestWideUnionsAreSmall(t *testing.T) {
	wide := func(n int) uint64 {
		var b strings.Builder
		var names []string
		for i := range n {
			fmt.Fprintf(&b, "s%d = source p=%d\nr%d = rescale s%d\n", i, 1+i%3, i, i)
			names = append(names, fmt.Sprintf("r%d", i))
		}
		fmt.Fprintf(&b, "u = union %s\no = print u p=4", strings.Join(names, " "))
		g := execution(t, b.String())
		return allocated(func() { taskplan.From(g) })
	}
	if one, two := wide(500), wide(1000); two > one*5/2 {
		t.Errorf("a union of 1,000 takes %d bytes, one of 500 takes %d", two, one)
	}
}

func allocated(do func()) uint64 {
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	do()
	runtime.ReadMemStats(&after)
	return after.TotalAlloc - before.TotalAlloc
}
