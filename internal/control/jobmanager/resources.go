package jobmanager

import (
	"github.com/flott-dev/flott/internal/control/rpc"
	"github.com/flott-dev/flott/internal/decide/schedule"
	"github.com/flott-dev/flott/internal/decide/slots"
)

// resources is where a job gets its slots from: the ResourceManager, or the only worker of an embedded job. Its methods are for the
// job's goroutine, and do not wait.
type resources interface {
	request(m *JobMaster, wishes []slots.Wish)
	abandon(m *JobMaster, worker rpc.WorkerID)
	ended(m *JobMaster)
}

// onlyWorker is the worker of an embedded job. It is ready, and has a slot for every wish.
type onlyWorker struct{ worker rpc.Worker }

func (o onlyWorker) request(m *JobMaster, wishes []slots.Wish) {
	grants := make([]slots.Grant, len(wishes))
	for i, w := range wishes {
		grants[i] = slots.Grant{Slot: w.Slot, Place: slots.Place{TaskManager: string(rpc.Local), Slot: w.Slot, Worker: rpc.Local}}
	}
	m.inbox.Put(func() {
		m.hosts[string(rpc.Local)] = rpc.Registration{ID: string(rpc.Local), Host: "localhost"}
		m.workers[rpc.Local] = &member{Worker: o.worker, address: rpc.WorkerAddress{ID: rpc.Local}}
		m.step(schedule.WorkerReady{Worker: rpc.Local})
		m.step(schedule.Given{Grants: grants})
	})
}

func (onlyWorker) abandon(*JobMaster, rpc.WorkerID) {}
func (onlyWorker) ended(m *JobMaster)               { m.output.end() }
