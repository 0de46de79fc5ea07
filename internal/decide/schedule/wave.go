package schedule

import (
	"slices"

	"github.com/flott-dev/flott/internal/decide/failover"
	"github.com/flott-dev/flott/internal/fault"
	"github.com/flott-dev/flott/internal/graph/execgraph"
)

// A wave is subtasks that start together: all of a job, or the regions that a failure has hit.
//
//	ending ---> delayed ---> scheduled ---> deployed, and no wave any more
//	   |           |             |
//	   +-----------+-------------+---> part of another wave, whose failure has hit one of its regions
//
// It is ending while attempts before it have not ended, delayed until the restart strategy lets it start, and scheduled while it waits
// for slots and workers.
type wave struct {
	members   []execgraph.Subtask
	ending    int   // attempts and enumerators before it that have not ended
	at        int64 // when it may be scheduled
	scheduled bool
	deadline  int64 // for slots, once it is scheduled
}

func (j *Job) join(w *wave, s execgraph.Subtask) {
	w.members = append(w.members, s)
	j.at(s).wave = w
}

// hit is all subtasks that have to start again with some.
func (j *Job) hit(some []execgraph.Subtask) []execgraph.Subtask {
	if j.regions == nil {
		j.regions = failover.RegionsOf(j.graph)
	}
	var all []execgraph.Subtask
	seen := map[int]bool{}
	for _, s := range some {
		if r := j.regions.Of(s); !seen[r] {
			seen[r] = true
			all = append(all, j.regions.Members(r)...)
		}
	}
	return all
}

// restart makes a wave of subtasks, and of the waves that some of them belong to.
func (j *Job) restart(hit []execgraph.Subtask, at int64) *wave {
	w := &wave{at: at}
	add := func(s execgraph.Subtask) {
		if j.at(s).wave != w {
			j.join(w, s)
		}
	}
	for _, s := range hit {
		other := j.at(s).wave
		add(s)
		if other == nil || other == w {
			continue
		}
		w.at = max(w.at, other.at)
		for _, o := range other.members {
			add(o)
		}
		j.waves = slices.DeleteFunc(j.waves, func(x *wave) bool { return x == other })
	}
	j.waves = append(j.waves, w)
	return w
}

// stop cancels what is left of the attempts and enumerators before a wave, and counts what has not ended.
func (j *Job) stop(w *wave) {
	var c Cancel
	for _, s := range w.members {
		e := j.execution(s)
		j.cancelAttempt(&c, Attempt{s, e.Attempt}, e)
		if e.State == execgraph.Canceling {
			w.ending++
		}
	}
	for i := range j.sources {
		s := &j.sources[i]
		if !j.whole(s, w) {
			continue
		}
		j.cancelSource(&c, s, w)
		if s.open {
			w.ending++
		}
	}
	j.doCancel(c)
}

// whole says that all readers of a source are in a wave: then it starts from the beginning.
func (j *Job) whole(s *source, w *wave) bool {
	for i := range j.graph.Vertices[s.vertex].Parallelism {
		if j.at(execgraph.Subtask{Vertex: s.vertex, Index: i}).wave != w {
			return false
		}
	}
	return true
}

// push lets the waves go on as far as they can, and says when to look again.
func (j *Job) push() {
	for _, w := range slices.Clone(j.waves) {
		if slices.Contains(j.waves, w) { // the failure of one before it may have taken it
			j.pushOne(w)
		}
	}
	j.settle()
	var at int64
	for _, w := range j.waves {
		if due := w.due(); due != 0 && (at == 0 || due < at) {
			at = due
		}
	}
	if at != j.woken {
		j.woken = at
		j.do(Wake{at})
	}
}

// due is when a wave has to be looked at even if nothing happens; 0: not.
func (w *wave) due() int64 {
	switch {
	case w.scheduled:
		return w.deadline
	case w.ending > 0:
		return 0
	}
	return w.at
}

func (j *Job) pushOne(w *wave) {
	if !w.scheduled && (w.ending > 0 || j.now < w.at) {
		return
	}
	if !w.scheduled {
		j.schedule(w)
	}
	switch {
	case j.placed(w):
		j.deploy(w)
	case j.now >= w.deadline:
		j.giveUpWaiting(w)
	}
}

// settle notes that nothing waits for a restart any more.
func (j *Job) settle() {
	if j.state == Restarting && !slices.ContainsFunc(j.waves, func(w *wave) bool { return !w.scheduled }) {
		j.enter(Running)
	}
}

// schedule begins the next attempts of a wave's subtasks.
func (j *Job) schedule(w *wave) {
	w.scheduled = true
	w.deadline = j.now + j.options.SlotTimeout.Milliseconds()
	for _, s := range w.members {
		e := j.execution(s)
		if e.State != execgraph.Created {
			j.renew(s, e)
		}
		j.move(e, execgraph.Scheduled)
	}
	if wishes := j.wishes(); len(wishes) > 0 {
		j.do(Request{wishes})
	}
}

// renew lays an attempt that has ended to those before it.
func (j *Job) renew(s execgraph.Subtask, e *execgraph.Execution) {
	at := j.at(s)
	at.past = append(at.past, Past{*e, at.place})
	if len(at.past) > mostPast {
		at.past = slices.Delete(at.past, 0, 1)
	}
	if e.State == execgraph.Finished {
		j.unfinished++
	}
	j.up -= up(e.State)
	*e = execgraph.Execution{Attempt: e.Attempt + 1}
	e.Entered[execgraph.Created] = j.now
}

// deploy starts a wave.
func (j *Job) deploy(w *wave) {
	var d Deploy
	for i := range j.sources {
		if s := &j.sources[i]; j.whole(s, w) {
			d.Enumerators = append(d.Enumerators, j.openSource(s))
		}
	}
	for _, s := range w.members {
		at, e := j.at(s), j.execution(s)
		j.move(e, execgraph.Deploying)
		at.wave, at.place = nil, j.slots[at.slot].place
		d.Attempts = append(d.Attempts, Attempt{s, e.Attempt})
	}
	j.live += len(d.Attempts)
	j.waves = slices.DeleteFunc(j.waves, func(x *wave) bool { return x == w })
	j.do(d)
}

// giveUpWaiting: a wave has waited too long for slots or workers.
func (j *Job) giveUpWaiting(w *wave) {
	f := Failure{Cause: fault.TooFewSlots.Errorf("after %v the job cannot run: %s", j.options.SlotTimeout, j.Waiting())}
	for _, s := range w.members {
		e := j.execution(s)
		j.move(e, execgraph.Failed)
		f.Hit = append(f.Hit, Attempt{s, e.Attempt})
	}
	j.fail(f, w.members...)
}
