package jobmanager

import (
	"cmp"
	"slices"
	"time"

	"github.com/flott-dev/flott/internal/id"
)

// Retention says which jobs that are over are known. The newest are, with all that they have printed; then the archive has them, if
// there is one, without that.
type Retention struct {
	Jobs     int           // at most so many; 0: all
	For      time.Duration // since they were over; 0: for ever
	Archived int           // in the archive, at most so many beside them; 0: all
}

// mostPrinted is how much is kept of what jobs that are over have printed: of the newest.
const mostPrinted = 256 << 20

// forget lets go of jobs that have been over for too long, or are too many. Its caller has the lock.
func (d *Dispatcher) forget() {
	printed := 0
	for i, m := range d.mu.jobs.over() {
		if r := &d.options.Retention; r.Jobs > 0 && i >= r.Jobs || r.For > 0 && now()-m.ended() > r.For.Milliseconds() {
			if m.archived {
				d.archive.take(m)
			}
			d.mu.jobs.remove(m.header.Job)
			continue
		}
		if printed += m.output.size(); printed > mostPrinted {
			m.output.drop()
		}
	}
}

// isOver says that nothing will change any more.
func (m *JobMaster) isOver() bool {
	select {
	case <-m.done:
		return true
	default:
		return false
	}
}

// ended is when the job was over.
func (m *JobMaster) ended() int64 { return m.job.Entered(m.job.State()) }

// jobs are the masters of a Dispatcher.
type jobs struct {
	of    map[id.Job]*JobMaster
	order []id.Job // oldest first
}

func (j *jobs) add(m *JobMaster) {
	j.of[m.header.Job] = m
	j.order = append(j.order, m.header.Job)
}

func (j *jobs) remove(job id.Job) {
	delete(j.of, job)
	j.order = slices.DeleteFunc(j.order, func(other id.Job) bool { return other == job })
}

// over is those that are over, the last first.
func (j *jobs) over() []*JobMaster {
	var all []*JobMaster
	for _, m := range j.of {
		if m.isOver() {
			all = append(all, m)
		}
	}
	slices.SortFunc(all, func(x, y *JobMaster) int { return cmp.Compare(y.ended(), x.ended()) })
	return all
}

// newest is all, newest first.
func (j *jobs) newest() []*JobMaster {
	var all []*JobMaster
	for _, job := range slices.Backward(j.order) {
		all = append(all, j.of[job])
	}
	return all
}
