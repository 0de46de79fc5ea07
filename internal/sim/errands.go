package sim

import (
	"bytes"
	"cmp"
	"slices"
	"sync"

	"github.com/flott-dev/flott/internal/id"
)

// Errands are the messages between the JobMasters and the ResourceManager of one JobManager. None is lost; but the goroutines that send
// them run at the same time, and the order in which they arrive would be left to a chance that follows from no seed.
type errands struct {
	mu    sync.Mutex
	under []errand
}

type errand struct {
	job      id.Job
	toMaster bool
	do       func()
}

// add may be called from any goroutine.
func (e *errands) add(job id.Job, toMaster bool, do func()) {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.under = append(e.under, errand{job, toMaster, do})
}

// run lets messages arrive, one after the other, by job, and those of one sender to one receiver as they were sent. It says whether there
// were any.
func (e *errands) run(settle func()) bool {
	e.mu.Lock()
	all := e.under
	e.under = nil
	e.mu.Unlock()
	slices.SortStableFunc(all, func(a, b errand) int {
		return cmp.Or(bytes.Compare(a.job[:], b.job[:]), a.direction()-b.direction())
	})
	for _, m := range all {
		m.do()
		settle()
	}
	return len(all) > 0
}

func (m errand) direction() int {
	if m.toMaster {
		return 1
	}
	return 0
}
