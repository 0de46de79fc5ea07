package schedule

import (
	"fmt"
	"slices"
	"strings"

	"github.com/flott-dev/flott/internal/decide/slots"
	"github.com/flott-dev/flott/internal/graph/execgraph"
)

// A slot is one that the job needs. It keeps it until its worker is lost.
type slot struct {
	group    int // slot sharing group of the job graph
	subtasks []execgraph.Subtask
	place    slots.Place // zero: it lacks
}

func (j *Job) newSlots() {
	for i, s := range j.graph.Slots() {
		j.slots = append(j.slots, slot{group: s.Group, subtasks: s.Subtasks})
		for _, t := range s.Subtasks {
			j.at(t).slot = i
		}
	}
}

// give takes slots for those that lack. Those of a worker that is lost already lack again.
func (j *Job) give(g Given) {
	j.lack = nil
	again := false
	for _, grant := range g.Grants {
		switch s := &j.slots[grant.Slot]; {
		case j.lost[grant.Worker]:
			again = true
		case s.place == (slots.Place{}):
			s.place = grant.Place
		}
	}
	if again {
		j.do(Request{j.wishes()})
	}
}

// placed says that all slots of a wave are there, and their workers ready.
func (j *Job) placed(w *wave) bool {
	for _, s := range w.members {
		place := j.slots[j.at(s).slot].place
		if place == (slots.Place{}) || !j.ready[place.Worker] {
			return false
		}
	}
	return true
}

// wishes is the slots that lack.
func (j *Job) wishes() (all []slots.Wish) {
	for i := range j.slots {
		if j.slots[i].place == (slots.Place{}) {
			all = append(all, slots.Wish{Slot: i, Near: j.near(i)})
		}
	}
	return all
}

// mostNear is from how many producers a subtask may read and still prefer to be near to them, as in Flink.
const mostNear = 8

// near is the other slots from which the subtasks of a slot read.
func (j *Job) near(i int) (all []int) {
	for _, s := range j.slots[i].subtasks {
		v := &j.graph.Vertices[s.Vertex]
		for k, w := range v.Inputs {
			producers := w.ReadBy(s.Index)
			if producers.Len() > mostNear {
				continue
			}
			for p := producers.First; p < producers.End; p++ {
				if other := j.at(execgraph.Subtask{Vertex: v.Job.Inputs[k].Producer, Index: p}).slot; other != i {
					all = append(all, other)
				}
			}
		}
	}
	return all
}

// loseWorker takes back what the job had on a worker: slots, attempts and enumerators.
func (j *Job) loseWorker(l WorkerLost) {
	delete(j.ready, l.Worker)
	j.lost[l.Worker] = true
	f := Failure{Cause: l.Cause}
	for i := range j.slots {
		s := &j.slots[i]
		if s.place.Worker != l.Worker {
			continue
		}
		s.place = slots.Place{}
		f.Hit = append(f.Hit, j.losePlanned(s)...)
	}
	f.Hit = append(f.Hit, j.loseAttempts(l)...)
	hit := j.loseSources(l)
	for _, a := range f.Hit {
		hit = append(hit, a.Subtask)
	}
	if len(hit) > 0 {
		j.fail(f, hit...)
	}
}

// plannedOn is the attempts that are to run on a worker.
func (j *Job) plannedOn(w slots.WorkerID) (all []Attempt) {
	for i := range j.slots {
		if j.slots[i].place.Worker != w {
			continue
		}
		for _, t := range j.slots[i].subtasks {
			if e := j.execution(t); !e.State.Terminal() {
				all = append(all, Attempt{t, e.Attempt})
			}
		}
	}
	return all
}

// losePlanned ends the attempts that were to run in a slot.
func (j *Job) losePlanned(s *slot) (hit []Attempt) {
	for _, t := range s.subtasks {
		if e := j.execution(t); e.State == execgraph.Scheduled {
			j.move(e, execgraph.Failed)
			hit = append(hit, Attempt{t, e.Attempt})
		}
	}
	return hit
}

func (j *Job) loseAttempts(l WorkerLost) (hit []Attempt) {
	j.executions(func(a Attempt, e *execgraph.Execution) {
		if j.at(a.Subtask).place.Worker != l.Worker || e.State < execgraph.Deploying || e.State.Terminal() {
			return
		}
		if e.State != execgraph.Canceling {
			hit = append(hit, a)
		}
		j.leave(a, execgraph.Failed)
	})
	return hit
}

// Waiting says in words what the job waits for before it can run; "": nothing.
func (j *Job) Waiting() string {
	lacking := make([]int, len(j.graph.Job.SlotSharingGroups))
	needs := make([]int, len(lacking))
	n := 0
	for i := range j.slots {
		needs[j.slots[i].group]++
		if j.slots[i].place == (slots.Place{}) {
			lacking[j.slots[i].group]++
			n++
		}
	}
	switch {
	case len(j.waves) == 0:
		return ""
	case n == 0:
		return j.waitingForWorkers()
	case j.lack == nil:
		return "nobody has answered the request for " + count(n, "slot")
	}
	var words []string
	free := j.lack.Free
	for g := range lacking {
		taken := min(free, lacking[g])
		free -= taken
		if missing := lacking[g] - taken; missing > 0 {
			words = append(words, fmt.Sprintf("slot sharing group %q lacks %d of %s", j.graph.Job.SlotSharingGroups[g].Name, missing, count(needs[g], "slot")))
		}
	}
	have := "have"
	if j.lack.TaskManagers == 1 {
		have = "has"
	}
	return fmt.Sprintf("%s (%s %s %s, %d of them free)", strings.Join(words, ", "), count(j.lack.TaskManagers, "TaskManager"), have, count(j.lack.Slots, "slot"), j.lack.Free)
}

// waitingForWorkers names the TaskManagers of workers that have started but not come to the job, or not even started.
func (j *Job) waitingForWorkers() string {
	var where []string
	for i := range j.slots {
		if p := j.slots[i].place; p.Worker != "" && !j.ready[p.Worker] && !slices.Contains(where, p.TaskManager) {
			where = append(where, p.TaskManager)
		}
	}
	if len(where) == 0 {
		return ""
	}
	are := "workers are"
	if len(where) == 1 {
		are = "worker is"
	}
	return fmt.Sprintf("%d %s not ready: main has not come to Execute on %s; flott logs JOB shows what it does there", len(where), are, strings.Join(where, ", "))
}

// count is a number of things, in words.
func count(n int, thing string) string {
	if n != 1 {
		thing += "s"
	}
	return fmt.Sprintf("%d %s", n, thing)
}
