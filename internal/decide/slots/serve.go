package slots

import (
	"fmt"
	"slices"

	"github.com/flott-dev/flott/internal/id"
)

// serve gives slots to the jobs whose wishes can all be fulfilled, and tells the others how many there are, if that has changed.
func (p *Pool) serve(now int64) {
	p.waiting = slices.DeleteFunc(p.waiting, func(name id.Job) bool {
		j := p.jobs[name]
		fits := len(j.wishes) <= p.free()
		if fits {
			p.give(name, j, now)
		}
		return fits
	})
	for _, name := range p.waiting {
		j, lack := p.jobs[name], Lack{name, p.free(), len(p.managers), p.slots()}
		if lack != j.told {
			j.told = lack
			p.do(lack)
		}
	}
}

func (p *Pool) free() (n int) {
	for _, m := range p.managers {
		n += m.free()
	}
	return n
}

func (p *Pool) slots() (n int) {
	for _, m := range p.managers {
		n += len(m.slots)
	}
	return n
}

// give fulfils all wishes of a job, each as near to what it names as can be.
func (p *Pool) give(name id.Job, j *job, now int64) {
	if len(j.wishes) == 0 {
		return
	}
	var grants []Grant
	var touched []*worker
	for _, wish := range j.wishes {
		m := p.nearest(j, wish)
		w := p.workerOn(name, j, m, now)
		i := slices.Index(m.slots, nil)
		m.slots[i] = w
		j.at[wish.Slot] = m
		grants = append(grants, Grant{wish.Slot, Place{m.id, i, w.id}})
		if !slices.Contains(touched, w) {
			touched = append(touched, w)
		}
	}
	j.wishes = nil
	p.do(Give{name, grants})
	for _, w := range touched {
		p.do(p.startOf(w))
	}
}

// nearest is the TaskManager that has most of the slots that a wish wants to be near to; of several that have equally many the first.
// There is one with a free slot.
func (p *Pool) nearest(j *job, w Wish) *manager {
	var best *manager
	most := -1
	for _, m := range p.managers {
		near := 0
		for _, other := range w.Near {
			if j.at[other] == m {
				near++
			}
		}
		if near > most && m.free() > 0 {
			best, most = m, near
		}
	}
	return best
}

// workerOn is the job's worker on a TaskManager, which may be a new one.
func (p *Pool) workerOn(name id.Job, j *job, m *manager, now int64) *worker {
	w := j.workers[m.id]
	if w == nil {
		p.made++
		w = &worker{id: WorkerID(fmt.Sprintf("%s/%s/%d", m.id, name, p.made)), job: name, manager: m, made: now, told: now}
		p.workers[w.id] = w
		j.workers[m.id] = w
	}
	return w
}

// startOf is the start of a worker, or that it may use more.
func (p *Pool) startOf(w *worker) Start {
	s := Start{TaskManager: w.manager.id, Worker: w.id, Job: w.job}
	for _, owner := range w.manager.slots {
		if owner == w {
			s.Slots++
		}
	}
	s.Memory = w.manager.memory / int64(len(w.manager.slots)) * int64(s.Slots)
	return s
}

// An Owner is who has a slot; zero: nobody.
type Owner struct {
	Worker WorkerID
	Job    id.Job
}

// Owners is who has the slots of a TaskManager that has joined.
func (p *Pool) Owners(taskManager string) []Owner {
	m := p.manager(taskManager)
	all := make([]Owner, len(m.slots))
	for i, w := range m.slots {
		if w != nil {
			all[i] = Owner{w.id, w.job}
		}
	}
	return all
}

// Works says that there is something left of a worker of the job.
func (p *Pool) Works(job id.Job) bool {
	for _, w := range p.workers {
		if w.job == job {
			return true
		}
	}
	return false
}
