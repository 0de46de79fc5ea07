// Package sim runs a JobManager and many TaskManagers and workers under a virtual clock, over a network that loses, delays, doubles and
// reorders messages, while workers and machines crash.
//
// The JobManager is the real one: Dispatcher, JobMasters, ResourceManager. TaskManagers and workers are played: they keep the protocol of
// package rpc, but their tasks do nothing, for a while. All that is left to chance follows from a seed: what happens to a message is
// decided by the seed and the message, so that a seed that found something finds it again.
//
//	seed --> Config --> world: Dispatcher <== network ==> taskManagers ==> workers
//	                       |
//	                    Findings: what must not be, such as a slot that is used twice
//
// After Calm nothing is lost and nobody crashes any more. Then every bounded job must come to its end, and every other one run.
package sim

import (
	"fmt"
	"hash/fnv"
	"log/slog"
	"slices"
	"time"

	"github.com/flott-dev/flott/internal/control/jobmanager"
	"github.com/flott-dev/flott/internal/control/rpc"
	"github.com/flott-dev/flott/internal/decide/schedule"
	"github.com/flott-dev/flott/internal/graph/execgraph"
	"github.com/flott-dev/flott/internal/graph/graphtest"
	"github.com/flott-dev/flott/internal/graph/program"
	"github.com/flott-dev/flott/internal/id"
)

// A Bug is one that is planted, to see that it is found.
type Bug int

// The bugs.
const (
	NoBug      Bug = iota
	EarlyExit      // a TaskManager says that nothing is left of a worker while it still runs
	DeafWorker     // a worker does not answer inquiries
	SecondRun      // a worker starts an attempt again when its deployment comes twice
)

const (
	calm     = 60 * time.Second // after the start
	patience = 4 * time.Minute  // after the start
	tick     = 50 * time.Millisecond
	theToken = rpc.Token(1)
)

// A world is a cluster.
type world struct {
	seed     uint64
	bug      Bug
	settle   func()
	start    time.Time
	network  network
	manager  *jobmanager.Dispatcher
	machines []*machine
	made     int // TaskManagers so far
	jobs     []*jobmanager.JobMaster
	started  map[string]bool // attempts that have been started, of all jobs
	findings []string
	log      []string
}

// Run plays a seed, and returns what was found and what was delivered when. settle waits until all goroutines are idle, as
// testing/synctest does.
func Run(seed uint64, bug Bug, settle func()) (findings, log []string) {
	w := &world{seed: seed, bug: bug, settle: settle, start: time.Now(), started: map[string]bool{}}
	w.network.world = w
	w.manager = jobmanager.New(jobmanager.Options{Token: theToken, Logger: slog.New(slog.DiscardHandler)})
	done := make(chan struct{})
	defer close(done)
	go w.manager.Run(done) // ends with the world
	for range 2 + w.chance("machines", 3) {
		w.join()
	}
	for i := range 1 + w.chance("jobs", 3) {
		w.submit(i)
		settle() // so that they come in the same order each time
	}
	w.live()
	w.end()
	return w.findings, w.log
}

// chance is a number below n that follows from the seed and the name of what is left to chance.
func (w *world) chance(what string, n int) int {
	h := fnv.New64a()
	fmt.Fprintf(h, "%d/%s", w.seed, what)
	x := h.Sum64()
	x ^= x >> 31
	x *= 0x9E3779B97F4A7C15
	x ^= x >> 29
	return int(x>>1) % n
}

func (w *world) age() time.Duration { return time.Since(w.start) }

func (w *world) calm() bool { return w.age() >= calm }

func (w *world) find(format string, args ...any) {
	if text := fmt.Sprintf(format, args...); !slices.Contains(w.findings, text) {
		w.findings = append(w.findings, text)
	}
}

// submit starts job i. The first one has no end, unless it is cancelled.
func (w *world) submit(i int) {
	p := 1 + w.chance(fmt.Sprint("parallelism ", i), 3)
	how := []string{"rebalance", "rescale"}[w.chance(fmt.Sprint("how ", i), 2)]
	job, err := graphtest.Job(fmt.Sprintf("parallelism %d\ns = source\nr = %s s\no = print r", p, how))
	if err != nil {
		panic(err)
	}
	job.ID = id.Job{byte(i + 1)}
	job.Restart = program.RestartStrategy{Type: program.FixedDelay, Fixed: program.FixedRestart{Attempts: 1 << 30, Delay: time.Second}}
	g, err := execgraph.From(job)
	if err != nil {
		panic(err)
	}
	m, err := w.manager.Submit(jobmanager.Submission{Graph: g, SlotTimeout: time.Hour})
	if err != nil {
		panic(err)
	}
	w.jobs = append(w.jobs, m)
}

// bounded says that tasks of a job come to their end.
func bounded(job id.Job) bool { return job[0] != 1 }

// live lets time go on until all is as it should be, or for so long that it should be.
func (w *world) live() {
	for w.age() < patience {
		w.tick()
		w.crash()
		if w.calm() && w.age() > calm+30*time.Second && w.quiet() {
			return
		}
	}
	for i := range w.jobs {
		if !w.well(i) {
			w.find("job %d neither ends nor runs", i)
		}
	}
}

// quiet says that nothing is left to wait for.
func (w *world) quiet() bool {
	for i := range w.jobs {
		if !w.well(i) {
			return false
		}
	}
	return true
}

// well says that a job has ended, or runs if it has no end.
func (w *world) well(i int) bool {
	select {
	case <-w.jobs[i].Done():
		r, err := w.jobs[i].Result()
		if r.State != schedule.Finished {
			w.find("job %d is %s: %v", i, r.State, err)
		}
		return true
	default:
		return !bounded(id.Job{byte(i + 1)}) && w.running(i)
	}
}

// running says that all tasks of a job run, as it is told and in truth.
func (w *world) running(i int) bool {
	subtasks := 0
	for _, m := range w.machines {
		for _, wk := range m.workers {
			if wk.job == (id.Job{byte(i + 1)}) {
				subtasks += wk.count(execgraph.Running)
			}
		}
	}
	return subtasks == w.jobs[i].Subtasks()
}

// crash lets something break, now and then, and puts a new machine in the place of a broken one.
func (w *world) crash() {
	if w.calm() {
		return
	}
	now := w.age()
	switch w.chance(fmt.Sprint("crash ", now), 200) {
	case 0:
		if len(w.machines) > 1 {
			m := w.machines[w.chance(fmt.Sprint("machine ", now), len(w.machines))]
			w.note("%s crashes", m.id)
			m.die(fmt.Errorf("%s has crashed", m.id))
			w.join()
		}
	case 1, 2:
		m := w.machines[w.chance(fmt.Sprint("machine ", now), len(w.machines))]
		if all := m.sorted(); len(all) > 0 {
			m.crash(all[w.chance(fmt.Sprint("worker ", now), len(all))])
		}
	case 3:
		m := w.machines[w.chance(fmt.Sprint("machine ", now), len(w.machines))]
		w.note("%s is cut off", m.id)
		m.cutOff = time.Now().Add(time.Duration(w.chance(fmt.Sprint("cut ", now), 8)) * time.Second)
	}
}

func (w *world) note(format string, args ...any) {
	w.log = append(w.log, fmt.Sprintf("%v ", w.age())+fmt.Sprintf(format, args...))
}

// tick lets a little time pass, in which messages arrive and machines work.
func (w *world) tick() {
	time.Sleep(tick)
	w.settle()
	w.network.deliver()
	for _, m := range slices.Clone(w.machines) {
		m.work()
		w.settle()
	}
}

// end cancels what has no end, and wants nothing to be left.
func (w *world) end() {
	for _, j := range w.jobs {
		j.Cancel(errEnd)
	}
	for range int(time.Minute / tick) {
		w.tick()
	}
	for i, j := range w.jobs {
		select {
		case <-j.Done():
		default:
			w.find("job %d does not end when it is cancelled", i)
		}
	}
	for _, m := range w.machines {
		if len(m.workers) > 0 {
			w.find("of a job that is over a worker is left on %s", m.id)
		}
	}
	w.stop()
}

var errEnd = fmt.Errorf("the end of the world")

// stop lets jobs that do not end go, so that their goroutines do.
func (w *world) stop() {
	for range 100 {
		for _, m := range slices.Clone(w.machines) {
			m.die(errEnd)
		}
		w.network.calmly = true
		for range int(10 * time.Second / tick) {
			time.Sleep(tick)
			w.settle()
			w.network.deliver()
		}
		if !slices.ContainsFunc(w.jobs, func(j *jobmanager.JobMaster) bool {
			select {
			case <-j.Done():
				return false
			default:
				return true
			}
		}) {
			return
		}
	}
}
