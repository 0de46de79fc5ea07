// Package slots decides who uses the slots of the TaskManagers of a cluster.
//
// A Pool is a state machine without goroutine, lock or clock. The ResourceManager tells it what happened (events.go), one event after
// the other, and does what it answers (effects.go).
//
// A job asks for all the slots that it lacks at once and gets all of them or none, so that two jobs never wait for each other with half
// of what they need each. Jobs that ask earlier are served earlier; one that does not fit yet holds up nobody. A job has one worker on
// each TaskManager where it has slots.
//
// What holds at any time:
//
//   - A slot belongs to at most one worker, from when it is given until nothing is left of that worker, or the TaskManager is lost.
//   - A worker that was told to stop is told again until it is gone.
//   - A job is told once of each worker that it lost before its end.
package slots

import (
	"fmt"
	"maps"
	"slices"
	"time"

	"github.com/flott-dev/flott/internal/fault"
	"github.com/flott-dev/flott/internal/id"
)

// A WorkerID names a worker: one process that runs tasks of one job. No two workers ever have the same.
type WorkerID string

const (
	// Timeout is how long a TaskManager may be silent before it is lost.
	Timeout = 5 * time.Second
	// patience is how long a worker may take to do as it was told, before it is told again.
	patience = 2 * time.Second
	// startWithin is how long it may take until a heartbeat has a worker. It may have died before, and the word of that be lost.
	startWithin = 10 * time.Second
)

// A Pool is the slots of a cluster.
type Pool struct {
	managers []*manager // in the order in which they came
	workers  map[WorkerID]*worker
	jobs     map[id.Job]*job
	waiting  []id.Job // in the order in which they asked
	made     int      // workers, so far: the last part of their names
	woken    int64
	effects  []Effect
}

type manager struct {
	id     string
	memory int64
	heard  int64
	slots  []*worker // whose each is; nil: free
}

// free is how many slots nobody has.
func (m *manager) free() int {
	n := 0
	for _, w := range m.slots {
		if w == nil {
			n++
		}
	}
	return n
}

type job struct {
	wishes  []Wish             // that are not fulfilled
	at      map[int]*manager   // where its slots are, by their number
	workers map[string]*worker // that are not stopping, by TaskManager
	told    Lack               // what it was told last; zero: nothing
}

// A worker is starting until a heartbeat has it, and stopping from then on until nothing is left of it.
//
//	starting ---> running ---> stopping ---> gone
//	    |                         ^
//	    +-------------------------+
type worker struct {
	id      WorkerID
	job     id.Job
	manager *manager
	state   state
	made    int64
	told    int64 // when it was told to start or stop
}

type state uint8

const (
	starting state = iota
	running
	stopping
)

// NewPool is a cluster without TaskManagers.
func NewPool() *Pool {
	return &Pool{workers: map[WorkerID]*worker{}, jobs: map[id.Job]*job{}}
}

// Step takes one event, at a time in milliseconds since the epoch, and says what to do about it, in order.
func (p *Pool) Step(e Event, now int64) []Effect {
	p.effects = nil
	switch e := e.(type) {
	case Joined:
		p.join(e, now)
	case Heard:
		p.hear(e, now)
	case Left:
		p.leave(e.TaskManager, e.Cause, now)
	case Requested:
		p.request(e)
	case Ended:
		p.end(e.Job, now)
	case Abandoned:
		p.abandon(p.workers[e.Worker], now)
	case Exited:
		p.exit(e)
	}
	p.look(now)
	p.serve(now)
	p.wake()
	return p.effects
}

func (p *Pool) do(e Effect) { p.effects = append(p.effects, e) }

func (p *Pool) manager(name string) *manager {
	i := slices.IndexFunc(p.managers, func(m *manager) bool { return m.id == name })
	if i < 0 {
		return nil
	}
	return p.managers[i]
}

func (p *Pool) join(e Joined, now int64) {
	if p.manager(e.TaskManager) == nil { // the message may have come twice
		p.managers = append(p.managers, &manager{e.TaskManager, e.Memory, now, make([]*worker, e.Slots)})
	}
}

// hear compares what a TaskManager runs with what it is to run.
func (p *Pool) hear(e Heard, now int64) {
	m := p.manager(e.TaskManager)
	if m == nil {
		return
	}
	m.heard = now
	for _, name := range e.Workers {
		switch w := p.workers[name]; {
		case w == nil:
			p.do(Stop{TaskManager: m.id, Worker: name})
		case w.state == starting:
			w.state = running
		}
	}
	for _, w := range p.of(m) {
		if w.state == running && !slices.Contains(e.Workers, w.id) {
			p.lose(w, errVanished, now)
		}
	}
}

var (
	errVanished   = fault.WorkerLost.Errorf("the TaskManager does not know the worker any more")
	errNotStarted = fault.WorkerLost.Errorf("the TaskManager did not start the worker within %v", startWithin)
	errSilent     = fmt.Errorf("no heartbeat of the TaskManager for %v", Timeout)
)

// of is the workers of a TaskManager.
func (p *Pool) of(m *manager) []*worker {
	var all []*worker
	for _, name := range slices.Sorted(maps.Keys(p.workers)) {
		if w := p.workers[name]; w.manager == m {
			all = append(all, w)
		}
	}
	return all
}

// leave forgets a TaskManager, whose workers are lost.
func (p *Pool) leave(name string, cause error, now int64) {
	m := p.manager(name)
	if m == nil {
		return
	}
	p.managers = slices.DeleteFunc(p.managers, func(other *manager) bool { return other == m })
	p.do(Drop{name, cause})
	cause = fault.TaskManagerLost.Errorf("TaskManager %s is lost: %w", name, cause)
	for _, w := range p.of(m) {
		if w.state == stopping {
			p.do(Cut{w.job, w.id, cause})
		} else {
			p.detach(w, cause)
		}
		delete(p.workers, w.id)
	}
}

// lose is about a worker that is no use any more. Its slots are free when nothing is left of it.
func (p *Pool) lose(w *worker, cause error, now int64) {
	p.detach(w, cause)
	p.stop(w, now)
}

// detach takes a worker from its job, and tells the job.
func (p *Pool) detach(w *worker, cause error) {
	p.forget(w)
	p.do(Lose{w.job, w.id, cause})
}

func (p *Pool) forget(w *worker) {
	if j := p.jobs[w.job]; j != nil && j.workers[w.manager.id] == w {
		delete(j.workers, w.manager.id)
		maps.DeleteFunc(j.at, func(_ int, m *manager) bool { return m == w.manager })
	}
}

func (p *Pool) stop(w *worker, now int64) {
	w.state, w.told = stopping, now
	p.do(Stop{w.manager.id, w.id, w.job})
}

// request takes what a job lacks now, in place of what it asked for before.
func (p *Pool) request(e Requested) {
	j := p.jobs[e.Job]
	if j == nil {
		j = &job{at: map[int]*manager{}, workers: map[string]*worker{}}
		p.jobs[e.Job] = j
	}
	j.wishes = slices.DeleteFunc(slices.Clone(e.Wishes), func(w Wish) bool { return j.at[w.Slot] != nil })
	j.told = Lack{}
	if !slices.Contains(p.waiting, e.Job) {
		p.waiting = append(p.waiting, e.Job)
	}
}

// end takes everything from a job that is over.
func (p *Pool) end(over id.Job, now int64) {
	j := p.jobs[over]
	if j == nil {
		return
	}
	delete(p.jobs, over)
	p.waiting = slices.DeleteFunc(p.waiting, func(other id.Job) bool { return other == over })
	for _, name := range slices.Sorted(maps.Keys(j.workers)) {
		p.stop(j.workers[name], now)
	}
}

// abandon stops a worker that its job has given up.
func (p *Pool) abandon(w *worker, now int64) {
	if w != nil && w.state != stopping {
		p.forget(w)
		p.stop(w, now)
	}
}

// exit frees the slots of a worker of which nothing is left.
func (p *Pool) exit(e Exited) {
	w := p.workers[e.Worker]
	if w == nil {
		return
	}
	if w.state != stopping {
		p.detach(w, e.Cause)
	}
	delete(p.workers, e.Worker)
	for i, owner := range w.manager.slots {
		if owner == w {
			w.manager.slots[i] = nil
		}
	}
}

// look finds TaskManagers that are silent, and workers that are to be told once more.
func (p *Pool) look(now int64) {
	for _, m := range slices.Clone(p.managers) {
		if now-m.heard >= Timeout.Milliseconds() {
			p.leave(m.id, errSilent, now)
		}
	}
	for _, name := range slices.Sorted(maps.Keys(p.workers)) {
		w := p.workers[name]
		if w.state == running || now-w.told < patience.Milliseconds() {
			continue
		}
		w.told = now
		switch {
		case w.state == stopping:
			p.do(Stop{w.manager.id, w.id, w.job})
		case now-w.made >= startWithin.Milliseconds():
			p.lose(w, errNotStarted, now)
		default:
			p.do(p.startOf(w))
		}
	}
}

// wake says when something is due even if nothing happens.
func (p *Pool) wake() {
	var at int64
	earliest := func(t int64) {
		if at == 0 || t < at {
			at = t
		}
	}
	for _, m := range p.managers {
		earliest(m.heard + Timeout.Milliseconds())
	}
	for _, w := range p.workers {
		if w.state != running {
			earliest(w.told + patience.Milliseconds())
		}
	}
	if at != p.woken {
		p.woken = at
		p.do(Wake{at})
	}
}
