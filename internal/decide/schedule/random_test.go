package schedule

import (
	"errors"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/flott-dev/flott/internal/decide/slots"
	"github.com/flott-dev/flott/internal/graph/execgraph"
	"github.com/flott-dev/flott/internal/graph/program"
)

// A world is a job, and workers that do what they are told, whenever they like: tasks go on or fail at any time, workers die, and what
// they say arrives in any order, late and twice.
type world struct {
	t       *rapid.T
	job     *Job
	tasks   map[Attempt]*task
	sources map[Enumerator]*task
	lost    map[slots.WorkerID]bool
	ready   map[slots.WorkerID]bool
	workers int
	mail    []Event // on its way, in no order
	failed  bool    // something failed that the job was told of
	cancel  bool
	calm    bool // nothing fails any more
	end     *End
	wake    int64
	now     int64
}

type task struct {
	worker    slots.WorkerID
	state     execgraph.State
	cancelled bool
}

func TestAnyOrderOfEventsEndsTheJob(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		w := &world{
			t: t, tasks: map[Attempt]*task{}, sources: map[Enumerator]*task{},
			lost: map[slots.WorkerID]bool{}, ready: map[slots.WorkerID]bool{}, now: 1,
		}
		o := Options{SlotTimeout: 1 << 40, Restart: program.DefaultRestart()}
		o.Restart.Type = program.FixedDelay
		o.Restart.Fixed = program.FixedRestart{Attempts: rapid.IntRange(0, 4).Draw(t, "restarts"), Delay: 1}
		w.job = NewJob(graphOf(t, anyLines(t)), o)
		w.step(Started{})
		for range rapid.IntRange(50, 200).Draw(t, "steps") {
			w.anything()
		}
		w.drain()
		w.judge()
	})
}

// anyLines is a program for graphOf.
func anyLines(t *rapid.T) []string {
	lines := []string{fmt.Sprint("files ", rapid.IntRange(1, 3).Draw(t, "p"))}
	last := "files"
	for i := range rapid.IntRange(0, 3).Draw(t, "vertices") {
		name := fmt.Sprint("map", i)
		how := rapid.SampledFrom([]string{"forward", "rebalance"}).Draw(t, "how")
		group := rapid.SampledFrom([]string{"", " group=other"}).Draw(t, "group")
		lines = append(lines, fmt.Sprintf("%s %d %s %s%s", name, rapid.IntRange(1, 3).Draw(t, "p"), last, how, group))
		last = name
	}
	return lines
}

func (w *world) anything() {
	switch n := 60 - rapid.IntRange(0, 60).Draw(w.t, "what"); { // small numbers are drawn more often
	case n == 0:
		w.cancel = true
		w.step(CancelRequested{})
	case n == 1:
		w.loseWorker()
	case n == 2:
		w.failSource()
	case n == 3:
		a := Attempt{execgraph.Subtask{Vertex: rapid.IntRange(-1, 4).Draw(w.t, "v"), Index: rapid.IntRange(-1, 3).Draw(w.t, "i")}, 77}
		w.step(Reported{a, execgraph.Failed, errors.New("of nobody")})
	case n < 8:
		if w.wake < w.now+1000 { // a delay, not the end of the wait for slots
			w.now = max(w.now, w.wake)
		}
		w.step(Woken{})
	case n < 32:
		w.work()
	default:
		w.deliver()
	}
}

// work lets one task go on.
func (w *world) work() {
	a, task := w.oneTask()
	if task == nil {
		return
	}
	r := Reported{Attempt: a, State: task.state + 1} // Deploying, Initializing, Running, Finished follow each other
	if chance := 9 - rapid.IntRange(0, 9).Draw(w.t, "luck"); chance == 0 && !w.calm {
		r.State, r.Cause = execgraph.Failed, fmt.Errorf("failure of %v", a)
	} else if task.cancelled && chance < 8 {
		r.State = execgraph.Canceled
	}
	task.state = r.State
	w.mail = append(w.mail, r)
}

func (w *world) oneTask() (Attempt, *task) {
	var open []Attempt
	for a, task := range w.tasks {
		if !task.state.Terminal() && !w.lost[task.worker] {
			open = append(open, a)
		}
	}
	if len(open) == 0 {
		return Attempt{}, nil
	}
	slices.SortFunc(open, func(x, y Attempt) int {
		return slices.Compare([]int{x.Vertex, x.Index, x.Number}, []int{y.Vertex, y.Index, y.Number})
	})
	a := rapid.SampledFrom(open).Draw(w.t, "task")
	return a, w.tasks[a]
}

func (w *world) loseWorker() {
	if w.workers > 0 {
		worker := nameOf(rapid.IntRange(1, w.workers).Draw(w.t, "worker"))
		w.lost[worker] = true
		w.mail = append(w.mail, WorkerLost{worker, fmt.Errorf("%s is lost", worker)})
	}
}

func nameOf(n int) slots.WorkerID { return slots.WorkerID(fmt.Sprint("w", n)) }

func (w *world) failSource() {
	e := w.job.sources[0].enumerator()
	if s := w.sources[e]; s != nil && !s.state.Terminal() && !w.lost[s.worker] {
		s.state = execgraph.Failed
		w.mail = append(w.mail, SourceEnded{e, errors.New("no such folder")})
	}
}

// deliver hands over one message, and perhaps keeps it for a second time.
func (w *world) deliver() {
	if len(w.mail) == 0 {
		return
	}
	i := rapid.IntRange(0, len(w.mail)-1).Draw(w.t, "mail")
	e := w.mail[i]
	if w.calm || !rapid.Bool().Draw(w.t, "again") {
		w.mail = slices.Delete(w.mail, i, i+1)
	}
	switch e := e.(type) {
	case Reported:
		w.failed = w.failed || e.State == execgraph.Failed
	case SourceEnded:
		w.failed = w.failed || e.Cause != nil
	case WorkerLost:
		w.failed = true
	case WorkerReady:
		w.ready[e.Worker] = true
	}
	w.step(e)
}

// step takes an event, checks each transition of the job against the table, and obeys.
func (w *world) step(e Event) {
	w.now++
	was := w.job.State()
	effects := w.job.Step(e, w.now)
	if is := w.job.State(); is != was && !reaches(was, is, 3) {
		w.t.Fatalf("%#v: the job went from %s to %s", e, was, is)
	}
	w.count(e)
	for _, effect := range effects {
		w.obey(effect)
	}
}

// reaches allows for a job that leaves several states in one step, such as with the cancel of its only task.
func reaches(from, to State, steps int) bool {
	return slices.Contains(next[from], to) ||
		steps > 0 && slices.ContainsFunc(next[from], func(s State) bool { return reaches(s, to, steps-1) })
}

// count compares what the job counts with what there is.
func (w *world) count(e Event) {
	live, unfinished, up := 0, 0, 0
	w.job.executions(func(a Attempt, e *execgraph.Execution) {
		if w.job.running(a) != nil {
			live++
		}
		if e.State != execgraph.Finished {
			unfinished++
		}
		if e.State == execgraph.Finished || e.State == execgraph.Running {
			up++
		}
	})
	for i := range w.job.sources {
		if w.job.sources[i].open {
			live++
		}
	}
	if live != w.job.live || unfinished != w.job.unfinished || up != w.job.up {
		w.t.Fatalf("%#v: the job counts %d live, %d unfinished and %d up, there are %d, %d and %d", e, w.job.live, w.job.unfinished, w.job.up, live, unfinished, up)
	}
}

func (w *world) obey(e Effect) {
	if w.end != nil {
		w.t.Fatalf("%#v after the end", e)
	}
	switch e := e.(type) {
	case Request:
		w.grant(e)
	case Deploy:
		for _, a := range e.Attempts {
			w.deploy(a)
		}
		for _, s := range e.Enumerators {
			w.enumerate(s)
		}
	case Cancel:
		for _, a := range e.Attempts {
			w.cancelled(a, w.tasks[a])
		}
		for _, s := range e.Enumerators {
			w.cancelled(s, w.sources[s])
			if task := w.sources[s]; !task.state.Terminal() {
				task.state = execgraph.Canceled
				w.mail = append(w.mail, SourceEnded{s, nil})
			}
		}
	case Wake:
		w.wake = e.At
	case End:
		w.end = &e
	}
}

// grant fulfils wishes, now and then by new workers.
func (w *world) grant(r Request) {
	var g Given
	for _, wish := range r.Wishes {
		if w.workers == 0 || w.lost[nameOf(w.workers)] || rapid.IntRange(0, 3).Draw(w.t, "new worker") == 0 {
			w.workers++
			w.mail = append(w.mail, WorkerReady{nameOf(w.workers)})
		}
		g.Grants = append(g.Grants, slots.Grant{Slot: wish.Slot, Place: slots.Place{TaskManager: "tm", Worker: nameOf(w.workers)}})
	}
	w.mail = append(w.mail, g)
}

func (w *world) deploy(a Attempt) {
	if w.tasks[a] != nil {
		w.t.Fatalf("%v was deployed twice", a)
	}
	for other, task := range w.tasks {
		if other.Subtask == a.Subtask && !task.state.Terminal() && !w.lost[task.worker] {
			w.t.Fatalf("%v was deployed while %v is %s", a, other, task.state)
		}
	}
	worker := w.job.PlaceOf(a.Subtask).Worker
	if !w.ready[worker] {
		w.t.Fatalf("%v was deployed to %q, which is not ready", a, worker)
	}
	w.tasks[a] = &task{worker: worker, state: execgraph.Deploying}
}

func (w *world) enumerate(e Enumerator) {
	if w.sources[e] != nil {
		w.t.Fatalf("enumerator %d was started twice", e.Number)
	}
	w.sources[e] = &task{worker: w.job.HostOf(e.Operator), state: execgraph.Running}
}

func (w *world) cancelled(who any, t *task) {
	if t == nil || t.cancelled {
		w.t.Fatalf("%v was cancelled twice, or is not deployed", who)
	}
	t.cancelled = true
}

// drain is what happens in the end: nothing fails any more, and everybody does what is to be done.
func (w *world) drain() {
	w.calm = true
	for i := 0; w.end == nil; i++ {
		if i > 10_000 {
			w.t.Fatalf("no end: the job is %s", w.job.State())
		}
		switch {
		case len(w.mail) > 0:
			w.deliver()
		case w.wake > w.now:
			w.now = w.wake
			w.step(Woken{})
		default:
			w.work()
		}
	}
}

func (w *world) judge() {
	live := slices.DeleteFunc(slices.Collect(maps.Values(w.tasks)), func(t *task) bool { return t.state.Terminal() || w.lost[t.worker] })
	switch {
	case w.end.State != w.job.State():
		w.t.Fatalf("the job is %s, but its end says %s", w.job.State(), w.end.State)
	case len(live) > 0:
		w.t.Fatalf("%d tasks are left", len(live))
	case w.end.State == Failed && (!w.failed || w.end.Cause == nil):
		w.t.Fatalf("the job failed without a failure: %v", w.end.Cause)
	case w.end.State == Finished && w.end.Cause != nil:
		w.t.Fatalf("the job finished with the cause %v", w.end.Cause)
	case w.end.State == Canceled != w.cancel && w.end.State != Finished && w.end.State != Failed:
		w.t.Fatalf("the job is %s, cancelled: %t", w.end.State, w.cancel)
	}
}

// The words for what a job waits for add up: over the groups, what lacks is what the job needs and nobody has free.
func TestWaitingNamesWhatLacks(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		lines := []string{"files 1"}
		for i := range rapid.IntRange(0, 3).Draw(t, "vertices") {
			lines = append(lines, fmt.Sprintf("map%d %d files rebalance group=g%d", i, rapid.IntRange(1, 3).Draw(t, "p"), rapid.IntRange(0, 2).Draw(t, "group")))
		}
		j := NewJob(graphOf(t, lines), Options{SlotTimeout: 1 << 40})
		needs := map[string]int{}
		for i := range j.slots {
			needs[j.graph.Job.SlotSharingGroups[j.slots[i].group].Name]++
		}
		free := rapid.IntRange(0, len(j.slots)-1).Draw(t, "free")
		j.Step(Started{}, 1)
		j.Step(Lacking{Free: free, TaskManagers: 1, Slots: free + 2}, 2)
		lacking := 0
		for _, found := range lacks.FindAllStringSubmatch(j.Waiting(), -1) {
			missing, of := atoi(t, found[2]), atoi(t, found[3])
			if of != needs[found[1]] || missing < 1 || missing > of {
				t.Fatalf("group %s needs %d slots: %s", found[1], needs[found[1]], j.Waiting())
			}
			lacking += missing
		}
		if lacking != len(j.slots)-free {
			t.Fatalf("%d slots are needed and %d free: %s", len(j.slots), free, j.Waiting())
		}
	})
}

var lacks = regexp.MustCompile(`slot sharing group "(\w+)" lacks (\d+) of (\d+) slots?\b`)
