package sim

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"time"

	"github.com/flott-dev/flott/internal/control/rpc"
	"github.com/flott-dev/flott/internal/id"
)

// A machine is a TaskManager and its workers. What is sent to it goes through the network and is done by the world's goroutine.
type machine struct {
	world   *world
	id      string
	slots   int
	workers map[rpc.WorkerID]*worker
	exited  map[rpc.WorkerID]bool
	dead    bool
	cutOff  time.Time // until then nobody hears of it
	beat    time.Time // when the next heartbeat is due
	beats   int
}

func (w *world) join() {
	w.made++
	m := &machine{
		world: w, id: fmt.Sprintf("tm%02d", w.made), slots: 3,
		workers: map[rpc.WorkerID]*worker{}, exited: map[rpc.WorkerID]bool{}, beat: time.Now(),
	}
	w.machines = append(w.machines, m)
}

func (m *machine) sorted() (all []*worker) {
	for _, name := range slices.Sorted(maps.Keys(m.workers)) {
		all = append(all, m.workers[name])
	}
	return all
}

// say sends a message of this machine to the JobManager, unless it is cut off.
func (m *machine) say(do func(), format string, args ...any) {
	if time.Now().Before(m.cutOff) && !m.world.calm() {
		return
	}
	m.world.network.send(do, "%s says: %s", m.id, fmt.Sprintf(format, args...))
}

// work is what the machine and its workers do by themselves.
func (m *machine) work() {
	if m.dead {
		return
	}
	for _, w := range m.sorted() {
		w.work()
	}
	if time.Now().Before(m.beat) {
		return
	}
	m.beat = time.Now().Add(time.Second)
	m.beats++
	h := rpc.Heartbeat{ID: m.id, Number: m.beats}
	for _, w := range m.sorted() {
		h.Workers = append(h.Workers, rpc.WorkerFigures{Worker: w.id})
	}
	rm := m.world.manager.Resources()
	m.say(func() { rm.Register(rpc.Registration{ID: m.id, Slots: m.slots}, toMachine{m}) }, "register")
	m.say(func() { rm.Heartbeat(h) }, "heartbeat %d", m.beats)
}

// start starts a worker, if there is not and was not such a one.
func (m *machine) start(s rpc.WorkerStart) {
	if m.dead || m.exited[s.Worker] {
		return
	}
	w := m.workers[s.Worker]
	if w == nil {
		w = newWorker(m, s)
		m.workers[s.Worker] = w
	}
	w.slots = s.Slots
	used := 0
	for _, w := range m.workers {
		used += w.slots
	}
	if used > m.slots {
		m.world.find("%d slots of %s are used, it has %d", used, m.id, m.slots)
	}
}

func (m *machine) stop(s rpc.WorkerStop) {
	if m.dead {
		return
	}
	if w := m.workers[s.Worker]; w != nil && m.world.bug == EarlyExit && !w.lingering {
		w.lingering = true // and is there until it is told once more
	} else {
		delete(m.workers, s.Worker)
	}
	m.exits(s.Worker, s.Job, nil)
}

// crash lets a worker die.
func (m *machine) crash(w *worker) {
	m.world.note("%s crashes", w.id)
	delete(m.workers, w.id)
	m.exits(w.id, w.job, errCrash)
	h := rpc.Header{Job: w.job, Token: theToken}
	m.say(func() { m.world.manager.Disconnected(rpc.WorkerLoss{Header: h, Worker: w.id, Cause: errCrash}) }, "disconnected %s", w.id)
}

var errCrash = errors.New("crashed")

func (m *machine) exits(name rpc.WorkerID, job id.Job, cause error) {
	m.exited[name] = true
	exit := rpc.WorkerExit{Header: rpc.Header{Job: job, Token: theToken}, Worker: name, Cause: cause}
	m.say(func() { m.world.manager.Resources().WorkerExited(exit) }, "exited %s", name)
}

// die ends the machine. That its connections have closed may be noticed, or not.
func (m *machine) die(cause error) {
	if m.dead {
		return
	}
	m.dead = true
	m.world.machines = slices.DeleteFunc(m.world.machines, func(o *machine) bool { return o == m })
	m.say(func() { m.world.manager.Resources().Unregister(rpc.Leave{ID: m.id, Cause: cause}) }, "unregister")
	for _, w := range m.sorted() {
		h := rpc.Header{Job: w.job, Token: theToken}
		m.say(func() { m.world.manager.Disconnected(rpc.WorkerLoss{Header: h, Worker: w.id, Cause: cause}) }, "disconnected %s", w.id)
	}
	m.workers = nil
}

// toMachine is the JobManager's way to a machine.
type toMachine struct{ *machine }

func (t toMachine) StartWorker(s rpc.WorkerStart) {
	t.world.network.send(func() { t.start(s) }, "start %s with %d", s.Worker, s.Slots)
}

func (t toMachine) StopWorker(s rpc.WorkerStop) {
	t.world.network.send(func() { t.stop(s) }, "stop %s", s.Worker)
}

// Dismiss closes the connection: the machine joins anew.
func (t toMachine) Dismiss(cause error) {
	t.world.network.send(func() {
		if !t.dead {
			t.die(cause)
			t.world.join()
		}
	}, "dismiss %s", t.id)
}
