package sim

import (
	"fmt"
	"maps"
	"slices"
	"time"

	"github.com/flott-dev/flott/internal/control/rpc"
	"github.com/flott-dev/flott/internal/id"
)

// A host is where TaskManagers run, one after the other, and what they have left: nothing, if they do as they should.
type host struct {
	*world
	name  string
	at    *machine  // nil: none runs
	left  []*worker // of earlier ones
	back  time.Time // when the next one starts
	lives int
}

const slotsOfHost = 3

// workers is all processes of jobs, which use the slots.
func (h *host) workers() []*worker {
	all := slices.Clone(h.left)
	if h.at != nil {
		all = append(all, h.at.sorted()...)
	}
	return all
}

// work lets the TaskManager work, or starts one that joins the JobManager that is there.
func (h *host) work() {
	switch {
	case h.at != nil:
		h.at.work()
	case h.leader != nil && !time.Now().Before(h.back):
		h.lives++
		h.at = &machine{
			host: h, leader: h.leader, id: fmt.Sprintf("%s-%d", h.name, h.lives),
			workers: map[rpc.WorkerID]*worker{}, exited: map[rpc.WorkerID]bool{}, beat: time.Now(),
		}
		h.leader.machines = append(h.leader.machines, h.at)
	}
}

// A machine is a TaskManager and its workers, from when it joins a JobManager until it has left, for whatever reason. What is sent to it
// goes through the network and is done by the world's goroutine.
type machine struct {
	*host
	leader  *leader
	id      string
	workers map[rpc.WorkerID]*worker
	exited  map[rpc.WorkerID]bool
	dead    bool
	cutOff  time.Time // until then nobody hears of it
	beat    time.Time // when the next heartbeat is due
	beats   int
	broken  bool      // the connection to the JobManager, for good
	notices time.Time // that it is
}

func (m *machine) sorted() (all []*worker) {
	for _, name := range slices.Sorted(maps.Keys(m.workers)) {
		all = append(all, m.workers[name])
	}
	return all
}

// says sends a message of this machine to the JobManager, unless it is cut off.
func (m *machine) says(do func(), format string, args ...any) {
	if time.Now().Before(m.cutOff) && !m.calm() {
		return
	}
	m.leader.hears(do, "%s says: %s", m.id, fmt.Sprintf(format, args...))
}

// work is what the machine and its workers do by themselves.
func (m *machine) work() {
	if m.broken && time.Now().After(m.notices) {
		m.end(errCrash)
		return
	}
	for _, w := range m.sorted() {
		w.work()
	}
	if m.broken || time.Now().Before(m.beat) {
		return
	}
	m.beat = time.Now().Add(time.Second)
	m.beats++
	h := rpc.Heartbeat{ID: m.id, Number: m.beats}
	for _, w := range m.sorted() {
		h.Workers = append(h.Workers, rpc.WorkerFigures{Worker: w.id})
	}
	rm := m.leader.manager.Resources()
	m.says(func() { rm.Register(rpc.Registration{ID: m.id, Slots: slotsOfHost}, toMachine{m}) }, "register")
	m.says(func() { rm.Heartbeat(h) }, "heartbeat %d", m.beats)
}

// start starts a worker, if there is not and was not such a one.
func (m *machine) start(s rpc.WorkerStart) {
	if m.exited[s.Worker] {
		return
	}
	w := m.workers[s.Worker]
	if w == nil {
		w = newWorker(m, s)
		m.workers[s.Worker] = w
	}
	w.slots = s.Slots
	used := 0
	for _, w := range m.host.workers() {
		used += w.slots
	}
	if used > slotsOfHost {
		m.find("%d slots of %s are used, it has %d", used, m.name, slotsOfHost)
	}
}

func (m *machine) stop(s rpc.WorkerStop) {
	if w := m.workers[s.Worker]; w != nil && m.bug == EarlyExit && !w.lingering {
		w.lingering = true // and is there until it is told once more
	} else {
		delete(m.workers, s.Worker)
	}
	m.exits(s.Worker, s.Job, nil)
}

// crash lets a worker die.
func (m *machine) crash(w *worker) {
	m.note("%s crashes", w.id)
	delete(m.workers, w.id)
	m.exits(w.id, w.job, errCrash)
	m.lost(w)
}

func (m *machine) lost(w *worker) {
	l := rpc.WorkerLoss{Header: w.header(), Worker: w.id, Cause: errCrash, Closed: true}
	m.says(func() { m.leader.manager.Disconnected(l) }, "disconnected %s", w.id)
}

func (m *machine) exits(name rpc.WorkerID, job id.Job, cause error) {
	m.exited[name] = true
	if m.broken {
		return
	}
	exit := rpc.WorkerExit{Header: rpc.Header{Job: job, Token: m.leader.token}, Worker: name, Cause: cause}
	m.says(func() { m.leader.manager.Resources().WorkerExited(exit) }, "exited %s", name)
}

// leaves says that the machine is gone, or nobody can hear of it any more.
func (m *machine) leaves(cause error) {
	m.says(func() { m.leader.manager.Resources().Unregister(rpc.Leave{ID: m.id, Cause: cause}) }, "unregister")
}

// disconnect breaks the connection. The machine notices after a while; its workers, which have connections of their own, go on until then.
func (m *machine) disconnect() {
	if m.broken || m.dead {
		return
	}
	m.broken = true
	m.notices = time.Now().Add(m.within(5*time.Second, "%s notices", m.id))
	m.leaves(errCrash)
}

// end ends the machine and all its workers; after a while another one takes its place. cause is nil if it was told to. Whether anybody
// hears of it is another matter.
func (m *machine) end(cause error) {
	m.dead, m.at = true, nil
	m.back = time.Now().Add(m.within(3*time.Second, "%s comes back", m.id))
	if !m.broken {
		m.leaves(cause)
	}
	for _, w := range m.sorted() {
		m.lost(w)
	}
	if m.broken && m.bug == OldWorkers {
		m.left = append(m.left, m.sorted()...)
	}
	m.workers = nil
}

// toMachine is the JobManager's way to a machine.
type toMachine struct{ *machine }

func (t toMachine) to(do func(), format string, args ...any) {
	t.network.send(func() {
		if !t.dead && !t.broken {
			do()
		}
	}, format, args...)
}

func (t toMachine) StartWorker(s rpc.WorkerStart) {
	t.to(func() { t.start(s) }, "start %s with %d", s.Worker, s.Slots)
}

func (t toMachine) StopWorker(s rpc.WorkerStop) {
	t.to(func() { t.stop(s) }, "stop %s", s.Worker)
}

// Dismiss closes the connection: the machine joins anew.
func (t toMachine) Dismiss(cause error) {
	t.to(func() { t.end(cause) }, "dismiss %s", t.id)
}
