package sim

import (
	"errors"
	"log/slog"
	"time"

	"github.com/flott-dev/flott/internal/control/jobmanager"
	"github.com/flott-dev/flott/internal/control/rpc"
	"github.com/flott-dev/flott/internal/decide/schedule"
	"github.com/flott-dev/flott/internal/graph/execgraph"
)

// A leader is one life of the JobManager, with the jobs that it was given.
type leader struct {
	*world
	token    rpc.Token
	manager  *jobmanager.Dispatcher
	jobs     []*jobmanager.JobMaster
	machines []*machine // that are to join it, or have left
	dead     bool       // it hears nobody, and nobody hears of it
	errands  errands
}

// lead starts a JobManager. Clients have lost the one before, with their jobs, and submit them again.
func (w *world) lead() {
	w.terms++
	l := &leader{world: w, token: rpc.Token(w.terms)}
	l.manager = jobmanager.New(jobmanager.Options{Token: l.token, Logger: slog.New(slog.DiscardHandler), Carry: l.errands.add})
	w.leader = l
	go l.manager.Run(w.over) // ends with the world
	time.Sleep(tick / 2)     // what masters do every few seconds is not due when messages come
	defer time.Sleep(tick / 2)
	for i := range w.jobs {
		m, err := l.manager.Submit(jobmanager.Submission{Graph: w.graphOf(i), SlotTimeout: time.Hour})
		if err != nil {
			panic(err)
		}
		l.jobs = append(l.jobs, m)
		l.idle()
	}
}

// idle waits until the JobManager has nothing to do.
func (l *leader) idle() {
	for l.settle(); l.errands.run(l.settle); {
	}
}

// crash ends the JobManager. Its machines notice, sooner or later. What its goroutines do from now on is only that they come to their end.
func (l *leader) crash() {
	l.note("the JobManager crashes")
	l.dead, l.leader = true, nil
	l.next = time.Now().Add(l.within(5*time.Second, "JobManager %d comes back", l.token))
	for _, j := range l.jobs {
		j.Cancel(errCrash)
	}
	for _, m := range l.machines {
		l.manager.Resources().Unregister(rpc.Leave{ID: m.id, Cause: errCrash})
		m.disconnect()
	}
	l.idle()
	for i, j := range l.jobs {
		if !over(j) {
			l.find("job %d does not end with its JobManager", i)
		}
	}
}

var errCrash = errors.New("crashed")

// hears sends a message to the JobManager, if it is still this one when it comes.
func (l *leader) hears(do func(), format string, args ...any) {
	l.network.send(func() {
		if !l.dead {
			do()
		}
	}, format, args...)
}

func over(j *jobmanager.JobMaster) bool {
	select {
	case <-j.Done():
		return true
	default:
		return false
	}
}

// quiet says that nothing is left to wait for.
func (l *leader) quiet() bool {
	for i := range l.jobs {
		if !l.well(i) {
			return false
		}
	}
	return true
}

// well says that a job has ended, or runs if it has no end.
func (l *leader) well(i int) bool {
	if !over(l.jobs[i]) {
		return !bounded(jobID(i)) && l.running(i)
	}
	if r, err := l.jobs[i].Result(); r.State != schedule.Finished {
		l.find("job %d is %s: %v", i, r.State, err)
	}
	return true
}

// running says that all tasks of a job run, as it is told and in truth.
func (l *leader) running(i int) bool {
	subtasks := 0
	for _, h := range l.hosts {
		for _, w := range h.workers() {
			if w.leader == l && w.job == jobID(i) {
				subtasks += w.count(execgraph.Running)
			}
		}
	}
	return subtasks == l.jobs[i].Subtasks()
}
