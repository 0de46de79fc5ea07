package cluster

import (
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"testing"

	"github.com/flott-dev/flott/internal/control/client"
	"github.com/flott-dev/flott/internal/graph/execgraph"
	"github.com/flott-dev/flott/internal/graph/text"
	"github.com/flott-dev/flott/internal/id"
)

// slotted are programs, with how many slots they need at parallelism 2.
var slotted = []struct {
	name  string
	slots int
	make  func(parallelism int) *flow
}{
	{"one slot sharing group", 2, func(p int) *flow { return newFlow().from(endless(), 1).do("map", p, ignore).to(p, nothing) }},
	{"an inherited group", 3, func(p int) *flow {
		return newFlow().from(endless(), 1).group("readers").do("map", 1, ignore).to(p, nothing).group("writers")
	}},
	{"three groups, one of them twice", 5, func(p int) *flow {
		return newFlow().from(endless(), p).group("a").do("map", p, ignore).group("b").do("map", 1, ignore).group("a").to(1, nothing).group("c")
	}},
	{"co-location", 3, func(p int) *flow {
		f := newFlow().from(endless(), p)
		f.last.SetCoLocation("together")
		f.do("map", p+1, ignore)
		f.last.SetCoLocation("together")
		return f.to(1, nothing)
	}},
	{"two flows", 4, func(p int) *flow {
		return newFlow().from(endless(), p).to(p, nothing).from(endless(), p).group("second").to(p, nothing)
	}},
}

func ignore(int64) {}

// group sets the slot sharing group of the operator that was added last.
func (f *flow) group(name string) *flow {
	f.last.SetSlotSharingGroup(name)
	return f
}

func init() {
	for _, s := range slotted {
		programs[s.name] = s.make
	}
}

// TestSlotsAreThoseOfThePlan runs programs at the same time. Each has as many slots as "flott plan" prints, and that is all that there are.
func TestSlotsAreThoseOfThePlan(t *testing.T) {
	f, all := startFleet(t), 0
	for _, s := range slotted {
		all += s.slots
	}
	_, first := f.taskManager(all / 2)
	_, second := f.taskManager(all - all/2)
	var jobs []id.Job
	for i, s := range slotted {
		if planned := slotsOfPlan(t, s.make(2)); planned != s.slots {
			t.Errorf("%s: the plan has %d slots, want %d", s.name, planned, s.slots)
		}
		jobs = append(jobs, f.submit(fmt.Sprintf("%032x", i+1), s.name, s.name, 2, 0, 0))
	}
	for i, s := range slotted {
		f.runs(jobs[i])
		if has := f.slotsOf(jobs[i], first, second); has != s.slots {
			t.Errorf("%s: the job has %d slots, want %d", s.name, has, s.slots)
		}
	}
}

// slotsOfPlan is how many slots the text of an execution graph says.
func slotsOfPlan(t *testing.T, f *flow) int {
	t.Helper()
	job, _ := f.compile(t)
	g, err := execgraph.From(job)
	check(t, err)
	found := regexp.MustCompile(`, (\d+) slots?, `).FindStringSubmatch(text.Execution(g))
	if found == nil {
		t.Fatalf("the plan does not say how many slots:\n%s", text.Execution(g))
	}
	n, err := strconv.Atoi(found[1])
	check(t, err)
	return n
}

// runs waits until all tasks of a job run.
func (f *fleet) runs(job id.Job) {
	f.t.Helper()
	var states []string
	await(f.t, func() string { return fmt.Sprintf("the tasks of job %s are %v", job, states) }, func() bool {
		states = f.states(job.String())
		return !slices.ContainsFunc(states, func(s string) bool { return s != "RUNNING" })
	})
}

// slotsOf is how many slots of TaskManagers a job has.
func (f *fleet) slotsOf(job id.Job, managers ...string) (n int) {
	f.t.Helper()
	for _, m := range managers {
		var of struct {
			Flott struct{ Slots []struct{ Job string } }
		}
		f.get(client.TaskManager(m), &of)
		for _, s := range of.Flott.Slots {
			if s.Job == job.String() {
				n++
			}
		}
	}
	return n
}
