package jobmanager

import (
	"time"

	"github.com/flott-dev/flott/internal/control/rpc"
	"github.com/flott-dev/flott/internal/decide/schedule"
	"github.com/flott-dev/flott/internal/fault"
)

// When a worker ends, three say so, in any order: its TaskManager, which saw how it ended, the server, whose connection with it has closed,
// and tasks of other workers, which have lost theirs. What the TaskManager says is the cause that helps, and so it is waited for.
const (
	// lastWords is how long it may take to say how a worker has ended: long, as the machine may be busy, perhaps because of that worker.
	lastWords = 10 * time.Second
	// doubt is how long somebody may yet say something of a worker of which is only known that it is silent, or that another one does not
	// reach it.
	doubt = 2 * time.Second
)

// disconnected gives up a worker, if its TaskManager does not sooner: even if it is still there, nobody would hear of it.
func (m *JobMaster) disconnected(l rpc.WorkerLoss) {
	m.inbox.Put(func() {
		if w := m.workers[l.Worker]; w != nil {
			w.disconnected = true
		}
	})
	patience := doubt
	if l.Closed {
		patience = lastWords
	}
	time.AfterFunc(patience, func() { m.inbox.Put(func() { m.giveUp(l) }) })
}

func (m *JobMaster) giveUp(l rpc.WorkerLoss) {
	if m.workers[l.Worker] == nil {
		return
	}
	m.resources.abandon(m, l.Worker)
	m.lose(l.Worker, fault.WorkerLost.Errorf("the connection to worker %s was lost: %w", l.Worker, l.Cause))
}

func (m *JobMaster) lose(w rpc.WorkerID, cause error) {
	delete(m.workers, w)
	m.step(schedule.WorkerLost{Worker: w, Cause: cause})
	m.blame()
}

// noteSymptom takes note of a task that has lost a connection to another worker.
func (m *JobMaster) noteSymptom(r schedule.Reported) {
	m.symptoms = append(m.symptoms, r)
	time.AfterFunc(doubt, func() { m.inbox.Put(m.blame) })
}

// blame lets those tasks fail, unless it is yet to be heard of a worker how it has ended.
func (m *JobMaster) blame() {
	for _, w := range m.workers {
		if w.disconnected {
			return
		}
	}
	symptoms := m.symptoms
	m.symptoms = nil
	for _, s := range symptoms {
		m.step(s)
	}
}
