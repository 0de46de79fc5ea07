package schedule

import (
	"errors"
	"fmt"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/flott-dev/flott/internal/graph/execgraph"
	"github.com/flott-dev/flott/internal/graph/jobgraph"
)

// A world is a job and a TaskManager that does what it is told, whenever it likes: tasks go on or fail at any time, and reports
// arrive in any order, late and twice.
type world struct {
	t       *rapid.T
	job     *Job
	tasks   map[Attempt]*task
	mail    []Reported // on its way, in no order
	failure []error    // causes that were delivered while the job was running
	end     *End
	now     int64
}

type task struct {
	state     execgraph.State
	cancelled bool
}

func TestAnyOrderOfEventsEndsTheJob(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		w := &world{t: t, tasks: map[Attempt]*task{}}
		w.job = NewJob(anyGraph(t))
		w.step(Started{})
		for range rapid.IntRange(0, 60).Draw(t, "steps") {
			w.anything()
		}
		w.drain()
		w.judge()
	})
}

func anyGraph(t *rapid.T) *execgraph.Graph {
	g := &execgraph.Graph{Job: &jobgraph.Graph{}}
	for range rapid.IntRange(1, 4).Draw(t, "vertices") {
		p := rapid.IntRange(1, 3).Draw(t, "parallelism")
		g.Vertices = append(g.Vertices, execgraph.Vertex{Parallelism: p, Executions: make([]execgraph.Execution, p)})
	}
	return g
}

func (w *world) anything() {
	switch rapid.IntRange(0, 20).Draw(w.t, "what") {
	case 0:
		w.step(CancelRequested{})
	case 1:
		w.fails(nil, SourceFailed{errors.New("source")})
	case 2:
		a := Attempt{execgraph.Subtask{Vertex: rapid.IntRange(-1, 4).Draw(w.t, "v"), Index: rapid.IntRange(-1, 3).Draw(w.t, "i")}, 1}
		w.step(Reported{a, execgraph.Failed, errors.New("stale")})
	case 3:
		w.lose()
	case 4, 5, 6, 7, 8, 9, 10, 11:
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
	if chance := rapid.IntRange(0, 9).Draw(w.t, "luck"); chance == 0 {
		r.State, r.Cause = execgraph.Failed, fmt.Errorf("failure of %v", a)
	} else if task.cancelled && chance < 8 {
		r.State = execgraph.Canceled
	}
	task.state = r.State
	w.mail = append(w.mail, r)
}

// lose makes a task unknown: what it does and reports from now on must not matter.
func (w *world) lose() {
	if a, task := w.oneTask(); task != nil {
		w.fails(&a, Lost{a, fmt.Errorf("loss of %v", a)})
	}
}

func (w *world) oneTask() (Attempt, *task) {
	var open []Attempt
	w.job.executions(func(a Attempt, _ *execgraph.Execution) {
		if task := w.tasks[a]; task != nil && !task.state.Terminal() {
			open = append(open, a)
		}
	})
	if len(open) == 0 {
		return Attempt{}, nil
	}
	a := rapid.SampledFrom(open).Draw(w.t, "task")
	return a, w.tasks[a]
}

// deliver hands over one report, and perhaps keeps it for a second time.
func (w *world) deliver() {
	if len(w.mail) == 0 {
		return
	}
	i := rapid.IntRange(0, len(w.mail)-1).Draw(w.t, "mail")
	r := w.mail[i]
	if !rapid.Bool().Draw(w.t, "again") {
		w.mail = slices.Delete(w.mail, i, i+1)
	}
	if r.State == execgraph.Failed {
		w.fails(&r.Attempt, r)
		return
	}
	w.step(r)
}

// fails delivers what ends a running job with its cause.
func (w *world) fails(a *Attempt, e Event) {
	counts := w.job.State() == Running && (a == nil || w.job.running(*a) != nil)
	if counts {
		switch e := e.(type) {
		case Reported:
			w.failure = append(w.failure, e.Cause)
		case Lost:
			w.failure = append(w.failure, e.Cause)
		case SourceFailed:
			w.failure = append(w.failure, e.Cause)
		}
	}
	w.step(e)
}

// step takes an event, checks each transition against the tables, and obeys.
func (w *world) step(e Event) {
	w.now++
	was, before := w.job.State(), w.states()
	effects := w.job.Step(e, w.now)
	if is := w.job.State(); is != was && !reaches(was, is) {
		w.t.Fatalf("%#v: the job went from %s to %s", e, was, is)
	}
	w.checkExecutions(e, before)
	for _, effect := range effects {
		w.obey(effect)
	}
}

// reaches allows for a job that leaves one state and the next in the same step, such as with the cancel of its only task.
func reaches(from, to State) bool {
	return slices.Contains(next[from], to) || slices.ContainsFunc(next[from], func(s State) bool { return slices.Contains(next[s], to) })
}

func (w *world) states() (all []execgraph.Execution) {
	w.job.executions(func(_ Attempt, e *execgraph.Execution) { all = append(all, *e) })
	return all
}

func (w *world) checkExecutions(e Event, before []execgraph.Execution) {
	i, left := 0, 0
	w.job.executions(func(a Attempt, after *execgraph.Execution) {
		if before[i].State.Terminal() && after.State != before[i].State {
			w.t.Fatalf("%#v: %v went from %s to %s", e, a, before[i].State, after.State)
		}
		if !after.State.Terminal() {
			left++
		}
		i++
	})
	if left != w.job.left {
		w.t.Fatalf("%#v: the job counts %d attempts left, there are %d", e, w.job.left, left)
	}
}

func (w *world) obey(e Effect) {
	if w.end != nil {
		w.t.Fatalf("%#v after the end", e)
	}
	switch e := e.(type) {
	case Deploy:
		for _, a := range e.Attempts {
			if w.tasks[a] != nil {
				w.t.Fatalf("%v was deployed twice", a)
			}
			w.tasks[a] = &task{state: execgraph.Deploying}
		}
	case Cancel:
		for _, a := range e.Attempts {
			if w.tasks[a] == nil || w.tasks[a].cancelled {
				w.t.Fatalf("%v was cancelled twice, or is not deployed", a)
			}
			w.tasks[a].cancelled = true
		}
	case End:
		w.end = &e
	}
}

// drain is what happens in the end: tasks end, and reports arrive.
func (w *world) drain() {
	w.job.executions(func(a Attempt, _ *execgraph.Execution) {
		task := w.tasks[a]
		if task.state.Terminal() {
			return
		}
		task.state = execgraph.Finished
		if task.cancelled {
			task.state = execgraph.Canceled
		}
		w.mail = append(w.mail, Reported{Attempt: a, State: task.state})
	})
	for len(w.mail) > 0 {
		w.deliver()
	}
	for _, task := range w.tasks { // those that were cancelled by what just arrived have ended before
		if !task.state.Terminal() {
			w.t.Fatalf("a task is left in %s", task.state)
		}
	}
}

func (w *world) judge() {
	if w.end == nil {
		w.t.Fatalf("no end: the job is %s with %d attempts left", w.job.State(), w.job.left)
	}
	if w.end.State != w.job.State() {
		w.t.Fatalf("the job is %s, but its end says %s", w.job.State(), w.end.State)
	}
	var first error
	if len(w.failure) > 0 {
		first = w.failure[0]
	}
	if !errors.Is(w.end.Cause, first) {
		w.t.Fatalf("the cause is %v, the first failure was %v", w.end.Cause, first)
	}
	if failed := w.end.State == Failed; failed && first == nil || w.end.State == Finished && first != nil {
		w.t.Fatalf("the job is %s after the failure %v", w.end.State, first)
	}
}
