package jobmanager

import (
	"maps"
	"net"
	"slices"
	"strconv"
	"strings"

	"github.com/flott-dev/flott/internal/control/rpc"
	"github.com/flott-dev/flott/internal/decide/schedule"
	"github.com/flott-dev/flott/internal/graph/execgraph"
)

// A share is what one worker is told of an effect.
type share struct {
	attempts    []schedule.Attempt
	enumerators []schedule.Enumerator
}

// shares deals attempts and enumerators out to the workers where they run, and calls tell with each that is ready.
func (m *JobMaster) shares(attempts []schedule.Attempt, enumerators []schedule.Enumerator, tell func(w *member, s *share)) {
	of := map[rpc.WorkerID]*share{}
	at := func(w rpc.WorkerID) *share {
		if of[w] == nil {
			of[w] = &share{}
		}
		return of[w]
	}
	for _, a := range attempts {
		s := at(m.job.PlaceOf(a.Subtask).Worker)
		s.attempts = append(s.attempts, a)
	}
	for _, e := range enumerators {
		s := at(m.job.HostOf(e.Operator))
		s.enumerators = append(s.enumerators, e)
	}
	for _, id := range slices.Sorted(maps.Keys(of)) { // in the same order each time, for the sake of package sim
		if w := m.workers[id]; w != nil {
			tell(w, of[id])
		}
	}
}

// deploy tells the workers with enumerators first, so that no reader asks one that is not there yet.
func (m *JobMaster) deploy(d schedule.Deploy) {
	m.tally.begin(d.Attempts)
	p := m.placement()
	var later []func()
	m.shares(d.Attempts, d.Enumerators, func(w *member, s *share) {
		tell := func() {
			w.Deploy(rpc.Deployment{Header: m.header, Attempts: s.attempts, Placement: p, Enumerators: s.enumerators})
		}
		if len(s.enumerators) == 0 {
			later = append(later, tell)
		} else {
			tell()
		}
	})
	for _, tell := range later {
		tell()
	}
}

func (m *JobMaster) cancel(c schedule.Cancel) {
	m.shares(c.Attempts, c.Enumerators, func(w *member, s *share) {
		w.Cancel(rpc.Cancellation{Header: m.header, Attempts: s.attempts, Enumerators: s.enumerators})
	})
}

// inquireAll asks after all attempts and enumerators that have not ended, as far as is known.
func (m *JobMaster) inquireAll() {
	attempts, enumerators := m.job.Open()
	m.shares(attempts, enumerators, func(w *member, s *share) {
		w.Inquire(rpc.Inquiry{Header: m.header, Attempts: s.attempts, Enumerators: s.enumerators})
	})
	cancelled, ended := m.job.Cancelled()
	m.cancel(schedule.Cancel{Attempts: cancelled, Enumerators: ended})
}

// all calls tell with each worker that is ready.
func (m *JobMaster) all(tell func(*member)) {
	for _, id := range slices.Sorted(maps.Keys(m.workers)) {
		tell(m.workers[id])
	}
}

// portIn is the TCP port of a worker's addresses; 0: it has none, as all that talk to it are on its machine.
func portIn(addresses string) int {
	for address := range strings.SplitSeq(addresses, ",") {
		where, isTCP := strings.CutPrefix(address, "tcp:")
		_, port, err := net.SplitHostPort(where)
		if n, alsoErr := strconv.Atoi(port); isTCP && err == nil && alsoErr == nil {
			return n
		}
	}
	return 0
}

// placement is where all subtasks run now.
func (m *JobMaster) placement() rpc.Placement {
	p := rpc.Placement{Of: make([][]uint16, len(m.graph.Vertices)), Attempt: make([][]uint32, len(m.graph.Vertices))}
	index := map[rpc.WorkerID]uint16{}
	for v := range m.graph.Vertices {
		executions := m.graph.Vertices[v].Executions
		p.Of[v], p.Attempt[v] = make([]uint16, len(executions)), make([]uint32, len(executions))
		for i := range executions {
			at := m.job.PlaceOf(execgraph.Subtask{Vertex: v, Index: i})
			n, ok := index[at.Worker]
			if !ok {
				n = uint16(len(p.Workers))
				index[at.Worker] = n
				p.Workers = append(p.Workers, m.addressOf(at.Worker, at.TaskManager))
			}
			p.Of[v][i], p.Attempt[v][i] = n, uint32(executions[i].Attempt)
		}
	}
	return p
}

// addressOf is that of a worker, of whom only the name is known when it is lost or not ready.
func (m *JobMaster) addressOf(w rpc.WorkerID, taskManager string) rpc.WorkerAddress {
	a := rpc.WorkerAddress{ID: w}
	if member := m.workers[w]; member != nil {
		a = member.address
	}
	a.Host = m.hosts[taskManager].Host
	return a
}
