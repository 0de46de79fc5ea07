package jobmanager

import (
	"errors"
	"fmt"
	"log/slog"
	"maps"
	"slices"
	"sync/atomic"
	"time"

	"github.com/flott-dev/flott/internal/control/inbox"
	"github.com/flott-dev/flott/internal/control/rpc"
	"github.com/flott-dev/flott/internal/control/view"
	"github.com/flott-dev/flott/internal/decide/schedule"
	"github.com/flott-dev/flott/internal/decide/slots"
	"github.com/flott-dev/flott/internal/id"
)

// A ResourceManager gives the slots of TaskManagers to jobs, and has workers started there. Its goroutine, which Run is, owns all fields
// below inbox. It is the rpc.ResourceManager.
type ResourceManager struct {
	token     rpc.Token
	log       *slog.Logger
	carry     func(job id.Job, toMaster bool, do func()) // see Options
	inbox     *inbox.Inbox[func()]
	chronicle *chronicle
	seen      atomic.Pointer[[]*view.TaskManager]

	pool     *slots.Pool
	managers []*taskManager        // in the order in which they came
	jobs     map[id.Job]*JobMaster // that run, or have workers left
	over     map[id.Job]bool
	gone     map[string]*taskManager // that were given up, and of whose end nothing was heard
	timer    *time.Timer
}

// A taskManager is one that is connected.
type taskManager struct {
	rpc.TaskManager
	rpc.Registration
	beat  rpc.Heartbeat // the newest
	heard int64
	lost  error // why it was given up
}

func newResourceManager(o Options, c *chronicle) *ResourceManager {
	if o.Carry == nil {
		o.Carry = func(_ id.Job, _ bool, do func()) { do() }
	}
	r := &ResourceManager{
		token: o.Token, log: o.Logger, carry: o.Carry, chronicle: c, inbox: inbox.New[func()](), pool: slots.NewPool(),
		jobs: map[id.Job]*JobMaster{}, over: map[id.Job]bool{}, gone: map[string]*taskManager{},
	}
	r.seen.Store(&[]*view.TaskManager{})
	return r
}

// run works until done is closed.
func (r *ResourceManager) run(done <-chan struct{}) {
	r.timer = time.NewTimer(time.Hour)
	defer r.timer.Stop()
	for {
		select {
		case <-done:
			return
		case <-r.timer.C:
			r.step(slots.Woken{})
		case <-r.inbox.Bell():
			for _, do := range r.inbox.Take() {
				do()
			}
		}
		r.forget()
		r.show()
	}
}

// Register makes a TaskManager known.
func (r *ResourceManager) Register(reg rpc.Registration, m rpc.TaskManager) {
	r.inbox.Put(func() {
		if gone := r.gone[reg.ID]; gone != nil {
			m.Dismiss(gone.lost)
			return
		}
		if r.manager(reg.ID) == nil {
			r.log.Info("TaskManager joins", "taskmanager", reg.ID, "host", reg.Host, "slots", reg.Slots)
			r.happens(view.TaskManagerJoined, reg.ID, fmt.Sprintf("%s on %s.", some(reg.Slots, "slot"), reg.Host))
			r.managers = append(r.managers, &taskManager{TaskManager: m, Registration: reg, heard: now()})
		}
		r.step(slots.Joined{TaskManager: reg.ID, Slots: reg.Slots, Memory: reg.Memory})
	})
}

// Heartbeat takes a sign of life.
func (r *ResourceManager) Heartbeat(h rpc.Heartbeat) {
	r.inbox.Put(func() {
		if gone := r.gone[h.ID]; gone != nil {
			gone.Dismiss(gone.lost)
		}
		m := r.manager(h.ID)
		if m == nil || h.Number <= m.beat.Number {
			return
		}
		m.beat, m.heard = h, now()
		heard := slots.Heard{TaskManager: h.ID}
		for i := range h.Workers {
			heard.Workers = append(heard.Workers, h.Workers[i].Worker)
		}
		r.step(heard)
	})
}

// WorkerExited notes that nothing is left of a worker.
func (r *ResourceManager) WorkerExited(e rpc.WorkerExit) {
	r.inbox.Put(func() { r.step(slots.Exited{Worker: e.Worker, Cause: e.Cause}) })
}

// Unregister notes that a TaskManager is gone.
func (r *ResourceManager) Unregister(l rpc.Leave) {
	if l.Cause == nil {
		l.Cause = errTold
	}
	r.inbox.Put(func() {
		r.step(slots.Left{TaskManager: l.ID, Cause: l.Cause})
		delete(r.gone, l.ID)
	})
}

// errTold is why a TaskManager leaves with which nothing is wrong.
var errTold = errors.New("it was told to end")

// Printed passes on what a worker has printed.
func (r *ResourceManager) Printed(o rpc.Output) {
	r.inbox.Put(func() {
		if m := r.jobs[o.Job]; m != nil {
			m.output.add(o.Lines)
		}
	})
}

// asked takes what a JobMaster asks for.
func (r *ResourceManager) asked(m *JobMaster, do func()) {
	r.carry(m.header.Job, false, func() { r.inbox.Put(do) })
}

// tell tells a JobMaster something.
func (r *ResourceManager) tell(job id.Job, what func(*JobMaster)) {
	m := r.jobs[job]
	r.carry(job, true, func() { what(m) })
}

func (r *ResourceManager) request(m *JobMaster, wishes []slots.Wish) {
	r.asked(m, func() {
		r.jobs[m.header.Job] = m
		r.step(slots.Requested{Job: m.header.Job, Wishes: wishes})
	})
}

func (r *ResourceManager) abandon(m *JobMaster, w rpc.WorkerID) {
	r.asked(m, func() { r.step(slots.Abandoned{Worker: w}) })
}

func (r *ResourceManager) ended(m *JobMaster) {
	r.asked(m, func() {
		r.jobs[m.header.Job] = m
		r.over[m.header.Job] = true
		r.step(slots.Ended{Job: m.header.Job})
	})
}

func now() int64 { return time.Now().UnixMilli() }

func (r *ResourceManager) manager(name string) *taskManager {
	for _, m := range r.managers {
		if m.ID == name {
			return m
		}
	}
	return nil
}

func (r *ResourceManager) step(e slots.Event) {
	for _, effect := range r.pool.Step(e, now()) {
		r.do(effect)
	}
}

func (r *ResourceManager) do(e slots.Effect) {
	switch e := e.(type) {
	case slots.Give:
		hosts := r.registrations(e.Grants)
		r.tell(e.Job, func(m *JobMaster) { m.given(e.Grants, hosts) })
	case slots.Lack:
		r.tell(e.Job, func(m *JobMaster) {
			m.lacks(schedule.Lacking{Free: e.Free, TaskManagers: e.TaskManagers, Slots: e.Slots})
		})
	case slots.Lose:
		r.log.Warn("a worker is lost", "worker", e.Worker, "job_id", e.Job, "error", e.Cause)
		r.tell(e.Job, func(m *JobMaster) { m.workerLost(e.Worker, e.Cause) })
	case slots.Cut:
		r.cut(e)
	case slots.Start:
		r.start(e)
	case slots.Stop:
		if m := r.manager(e.TaskManager); m != nil {
			m.StopWorker(rpc.WorkerStop{Header: rpc.Header{Job: e.Job, Token: r.token}, Worker: e.Worker})
		}
	case slots.Drop:
		r.drop(e)
	case slots.Wake:
		r.timer.Reset(until(e.At))
	}
}

// cut says in a job's output that some may be missing.
func (r *ResourceManager) cut(e slots.Cut) {
	if m := r.jobs[e.Job]; m != nil {
		m.output.add(fmt.Appendf(nil, "... (what worker %s has printed last may be missing: %v)\n", e.Worker, e.Cause))
	}
}

// drop lets a TaskManager go. It cannot come back as the same: what it was told to run, it may still run.
func (r *ResourceManager) drop(e slots.Drop) {
	m := r.manager(e.TaskManager)
	if m == nil {
		return
	}
	if errors.Is(e.Cause, errTold) {
		r.log.Info("TaskManager leaves", "taskmanager", m.ID)
		r.happens(view.TaskManagerLeft, m.ID, "It was told to end.")
	} else {
		r.log.Warn("TaskManager is lost", "taskmanager", m.ID, "error", e.Cause)
		r.happens(view.TaskManagerLost, m.ID, headline(e.Cause.Error()))
	}
	m.lost = e.Cause
	r.managers = slices.DeleteFunc(r.managers, func(other *taskManager) bool { return other == m })
	r.gone[m.ID] = m
	m.Dismiss(e.Cause)
}

func (r *ResourceManager) happens(kind view.HappeningKind, taskManager, text string) {
	r.chronicle.note(view.Happening{At: now(), Kind: kind, TaskManager: taskManager, Text: text})
}

// until is how long it is until a time; 0: for ever, or nearly.
func until(at int64) time.Duration {
	if at == 0 {
		return 1 << 62
	}
	return time.Until(time.UnixMilli(at))
}

func (r *ResourceManager) registrations(grants []slots.Grant) map[string]rpc.Registration {
	all := map[string]rpc.Registration{}
	for _, g := range grants {
		if m := r.manager(g.TaskManager); m != nil {
			all[g.TaskManager] = m.Registration
		}
	}
	return all
}

func (r *ResourceManager) start(e slots.Start) {
	m := r.manager(e.TaskManager)
	if m == nil {
		return
	}
	p := r.jobs[e.Job].program
	m.StartWorker(rpc.WorkerStart{
		Header: rpc.Header{Job: e.Job, Token: r.token}, Worker: e.Worker, Slots: e.Slots, Memory: e.Memory,
		Blob: p.Blob, Args: p.Args, Env: p.Env, Graph: p.Graph, Fingerprint: p.Fingerprint, Earlier: p.Earlier, Secret: r.jobs[e.Job].secret,
	})
}

// forget ends the output of jobs that are over, when nobody is left who could print, and lets go of them.
func (r *ResourceManager) forget() {
	maps.DeleteFunc(r.over, func(job id.Job, _ bool) bool {
		if r.pool.Works(job) {
			return false
		}
		r.jobs[job].output.end()
		delete(r.jobs, job)
		return true
	})
}

// show takes the snapshot that TaskManagers gives.
func (r *ResourceManager) show() {
	all := []*view.TaskManager{}
	for _, m := range r.managers {
		all = append(all, m.view(r.pool.Owners(m.ID)))
	}
	r.seen.Store(&all)
}

func (m *taskManager) view(owners []slots.Owner) *view.TaskManager {
	v := &view.TaskManager{
		ID: m.ID, Address: m.Address, Host: m.Host, DataPort: m.DataPort, Heartbeat: m.heard,
		Hardware: m.Hardware, Memory: m.Memory, Process: m.beat.Figures, Slots: make([]view.Slot, len(owners)),
	}
	for i, o := range owners {
		v.Slots[i].Job = o.Job
		for _, w := range m.beat.Workers {
			if w.Worker == o.Worker {
				v.Slots[i].Worker = w.Figures
			}
		}
	}
	return v
}

// TaskManagers is those that are connected, in the order in which they came.
func (r *ResourceManager) TaskManagers() []*view.TaskManager { return *r.seen.Load() }
