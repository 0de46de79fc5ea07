// Package sim runs a JobManager and many TaskManagers and workers under a virtual clock, over a network that loses, delays, doubles and
// reorders messages, while workers, TaskManagers and the JobManager crash, and connections between them break.
//
// The JobManager is the real one: Dispatcher, JobMasters, ResourceManager. TaskManagers and workers are played: they keep the protocol of
// package rpc, but their tasks do nothing, for a while. All that is left to chance follows from a seed: what happens to a message is
// decided by the seed and the message, so that a seed that found something finds it again.
//
//	seed --> world: leader (Dispatcher) <== network ==> hosts: machine (TaskManager) ==> workers
//	           |
//	        findings: what must not be, such as a slot that is used twice
//
// After calm nothing is lost and nobody crashes any more. Then every bounded job must come to its end, and every other one run.
package sim

import (
	"fmt"
	"hash/fnv"
	"slices"
	"strconv"
	"time"

	"github.com/flott-dev/flott/internal/control/jobmanager"
)

// A Bug is one that is planted, to see that it is found.
type Bug int

// The bugs.
const (
	NoBug      Bug = iota
	EarlyExit      // a TaskManager says that nothing is left of a worker while it still runs
	DeafWorker     // a worker does not answer inquiries
	SecondRun      // a worker starts an attempt again when its deployment comes twice
	OldWorkers     // a TaskManager that has lost the JobManager keeps its workers, and joins again
)

const (
	calm     = 60 * time.Second // after the start
	patience = 4 * time.Minute  // after the start
	stays    = 20 * time.Second // after calm: as long nothing may change for the worse
	tick     = 50 * time.Millisecond
)

// A world is a cluster.
type world struct {
	seed     uint64
	bug      Bug
	settle   func()
	start    time.Time
	over     chan struct{} // closed at the end
	network  network
	hosts    []*host
	jobs     int             // how many
	leader   *leader         // nil: none is there
	terms    int             // leaders so far
	next     time.Time       // when there is a leader again
	started  map[string]bool // attempts that have been started, of all jobs of all leaders
	findings []string
	log      []string
}

// Run plays a seed, and returns what was found and what was delivered when. settle waits until all goroutines are idle, as
// testing/synctest does.
func Run(seed uint64, bug Bug, settle func()) (findings, log []string) {
	w := &world{seed: seed, bug: bug, settle: settle, start: time.Now(), over: make(chan struct{}), started: map[string]bool{}}
	defer close(w.over)
	w.network.world = w
	for i := range 3 + w.chance("hosts", 2) { // the job without an end leaves enough slots for another one
		w.hosts = append(w.hosts, &host{world: w, name: fmt.Sprint("tm", i)})
	}
	w.jobs = 1 + w.chance("jobs", 3)
	w.lead()
	w.live()
	w.end()
	return w.findings, w.log
}

// chance is a number below n that follows from the seed and the name of what is left to chance.
func (w *world) chance(what string, n int) int {
	h := fnv.New64a()
	_, _ = h.Write(strconv.AppendUint(nil, w.seed, 10)) // cannot fail
	_, _ = h.Write([]byte("/" + what))
	x := h.Sum64()
	x ^= x >> 31
	x *= 0x9E3779B97F4A7C15
	x ^= x >> 29
	return int(x>>1) % n
}

// within is a time up to a longest one.
func (w *world) within(longest time.Duration, what string, args ...any) time.Duration {
	return time.Duration(w.chance(fmt.Sprintf(what, args...), int(longest.Milliseconds()))) * time.Millisecond
}

// idle waits until all goroutines are idle, and nothing is left that they have said to each other.
func (w *world) idle() {
	if w.leader == nil {
		w.settle()
	} else {
		w.leader.idle()
	}
}

func (w *world) age() time.Duration { return time.Since(w.start) }

func (w *world) calm() bool { return w.age() >= calm }

func (w *world) find(format string, args ...any) {
	if text := fmt.Sprintf(format, args...); !slices.Contains(w.findings, text) {
		w.findings = append(w.findings, text)
	}
}

func (w *world) note(format string, args ...any) {
	w.log = append(w.log, fmt.Sprintf("%v ", w.age())+fmt.Sprintf(format, args...))
}

// live lets time go on until all is as it should be, or for so long that it should be.
func (w *world) live() {
	for w.age() < patience {
		w.tick()
		w.harm()
		if w.age() > calm+stays && w.leader.quiet() {
			return
		}
	}
	for i := range w.jobs {
		if !w.leader.well(i) {
			w.find("job %d neither ends nor runs", i)
		}
	}
}

// tick lets a little time pass, in which messages arrive and machines work.
func (w *world) tick() {
	time.Sleep(tick)
	w.idle()
	w.network.deliver()
	if w.leader == nil && !time.Now().Before(w.next) {
		w.lead()
	}
	for _, h := range w.hosts {
		h.work()
		w.idle()
	}
}

// harm lets something break, now and then.
func (w *world) harm() {
	if w.calm() {
		return
	}
	now := w.age()
	h := w.hosts[w.chance(fmt.Sprint("host ", now), len(w.hosts))]
	if h.at != nil {
		h.at.harm(w.chance(fmt.Sprint("harm ", now), 200))
	}
	if w.leader != nil && w.chance(fmt.Sprint("JobManager ", now), 1000) == 0 {
		w.leader.crash()
	}
}

// harm lets something break that has to do with this machine.
func (m *machine) harm(how int) {
	switch now := m.age(); how {
	case 0:
		m.note("%s crashes", m.id)
		m.end(errCrash)
	case 1, 2:
		if all := m.sorted(); len(all) > 0 {
			m.crash(all[m.chance(fmt.Sprint("worker ", now), len(all))])
		}
	case 3:
		m.note("%s is cut off", m.id)
		m.cutOff = time.Now().Add(m.within(8*time.Second, "cut %s", now))
	case 4:
		m.note("%s loses its connection", m.id)
		m.disconnect()
	case 5:
		m.note("%s is told to end", m.id)
		m.end(nil)
	}
}

// end cancels what has no end, and wants nothing to be left.
func (w *world) end() {
	for _, j := range w.leader.jobs {
		j.Cancel(errEnd)
	}
	for range int(time.Minute / tick) {
		w.tick()
		if w.isOver() {
			return
		}
	}
	for i, j := range w.leader.jobs {
		if !over(j) {
			w.find("job %d does not end when it is cancelled", i)
		}
	}
	for _, h := range w.hosts {
		if len(h.workers()) > 0 {
			w.find("of a job that is over a worker is left on %s", h.name)
		}
	}
	w.stop()
}

var errEnd = fmt.Errorf("the end of the world")

// isOver says that all jobs are over, and nothing is left of them.
func (w *world) isOver() bool {
	return !slices.ContainsFunc(w.hosts, func(h *host) bool { return len(h.workers()) > 0 }) && w.leader.allOver()
}

func (l *leader) allOver() bool {
	return !slices.ContainsFunc(l.jobs, func(j *jobmanager.JobMaster) bool { return !over(j) })
}

// stop lets jobs that do not end go, so that their goroutines do.
func (w *world) stop() {
	for range 100 {
		for _, h := range w.hosts {
			if h.at != nil {
				h.at.end(errEnd)
			}
		}
		w.network.calmly = true
		for range int(10 * time.Second / tick) {
			time.Sleep(tick)
			w.idle()
			w.network.deliver()
		}
		if w.leader.allOver() {
			return
		}
	}
}
