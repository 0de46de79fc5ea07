package slots

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/flott-dev/flott/internal/id"
)

// A cluster is a Pool, TaskManagers that do what they are told over connections that lose and double messages, and jobs. It keeps books
// of its own on who has which slot, from what the Pool says and hears.
type cluster struct {
	*rapid.T
	pool    *Pool
	now     int64
	wake    int64
	hosts   []*host              // that have joined and were not dropped, in the order in which they came
	jobs    []*tenant            // that have asked, and have not ended
	queue   []*tenant            // that wait, in the order in which they asked
	workers map[WorkerID]*record // all that there ever were
	names   int                  // of hosts and jobs, so far
	perfect bool                 // no message is lost any more
}

// A host is a TaskManager.
type host struct {
	name   string
	heard  int64
	owners []WorkerID       // by slot; "": free, until the pool has heard that nothing is left of the worker
	runs   map[WorkerID]int // how many slots each process uses
	ended  map[WorkerID]bool
	deaf   bool     // it starts nothing, until all is well
	in     []Effect // on their way to it, in order
	out    []Event  // on their way from it
}

// A tenant is a job. Its slots are numbered from 0.
type tenant struct {
	job     id.Job
	slots   int
	at      map[int]*host // those that it has
	workers map[WorkerID]*host
	wishes  []Wish
	told    Lack
}

// A record is what is known of a worker.
type record struct {
	made    int64
	told    int64 // to start or to stop, last
	running bool  // a heartbeat had it, and it was not told to stop
}

func TestAnyLifeOfACluster(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		c := &cluster{T: t, pool: NewPool(), now: 1, workers: map[WorkerID]*record{}}
		for range 120 - rapid.IntRange(0, 100).Draw(t, "steps") {
			c.anything()
		}
		c.settle()
	})
}

// anything is one thing that happens. Small numbers are drawn more often: each power of two is about as likely as the one before it.
func (c *cluster) anything() {
	switch n := rapid.IntRange(0, 127).Draw(c.T, "what"); {
	case len(c.hosts) == 0 || n >= 32 && n < 48 && len(c.hosts) < 4:
		c.join()
	case len(c.jobs) == 0 || n >= 16 && n < 32 && len(c.jobs) < 6:
		c.submit()
	case n < 8:
		c.live(rapid.SampledFrom([]int64{1000, 1500, 300, 1}).Draw(c.T, "milliseconds"))
	case n < 16:
		c.ask(one(c, c.jobs))
	case n < 48:
		c.talk(one(c, c.hosts))
	case n < 56:
		c.crash(one(c, c.hosts))
	case n < 60:
		c.abandon(one(c, c.jobs))
	case n < 64:
		one(c, c.hosts).runs[WorkerID(c.name())] = 0 // nobody knows it
	case n < 96:
		c.end(one(c, c.jobs))
	case n < 104:
		c.step(Left{one(c, c.hosts).name, errors.New("closed")})
	default:
		c.vanish(one(c, c.hosts))
	}
}

func (c *cluster) name() string {
	c.names++
	return fmt.Sprint("x", c.names)
}

// rarely is true once in a dozen times or so.
func (c *cluster) rarely() bool { return rapid.IntRange(0, 15).Draw(c.T, "luck") >= 12 }

func one[E any](c *cluster, all []E) E { return rapid.SampledFrom(all).Draw(c.T, "which") }

func sorted[V any](m map[WorkerID]V) []WorkerID { return slices.Sorted(maps.Keys(m)) }

// What happens.

func (c *cluster) join() {
	slots := rapid.IntRange(1, 4).Draw(c.T, "slots")
	h := &host{name: c.name(), heard: c.now, owners: make([]WorkerID, slots), runs: map[WorkerID]int{}, ended: map[WorkerID]bool{}, deaf: c.rarely()}
	c.hosts = append(c.hosts, h)
	joined := Joined{h.name, slots, int64(slots) << 30}
	c.step(joined)
	if c.rarely() {
		c.step(joined)
	}
}

// live is an uneventful time: all TaskManagers send what runs there.
func (c *cluster) live(milliseconds int64) {
	for _, h := range slices.Clone(c.hosts) {
		h.out = append(h.out, Heard{h.name, sorted(h.runs)})
		c.talk(h)
	}
	c.later(milliseconds)
}

// talk lets all arrive that is on its way to a TaskManager and from it.
func (c *cluster) talk(h *host) {
	for len(h.in)+len(h.out) > 0 {
		if e, ok := take(c, &h.in); ok {
			h.obey(c, e)
		}
		if e, ok := take(c, &h.out); ok {
			c.hear(h, e)
		}
	}
}

// take takes the next message, unless it is lost, and perhaps leaves it for a second time.
func take[M any](c *cluster, from *[]M) (m M, ok bool) {
	if len(*from) == 0 {
		return m, false
	}
	m = (*from)[0]
	if !c.perfect && c.rarely() {
		return m, true
	}
	*from = (*from)[1:]
	return m, c.perfect || !c.rarely()
}

func (h *host) obey(c *cluster, e Effect) {
	switch e := e.(type) {
	case Stop:
		h.exit(e.Worker)
	case Start:
		if h.ended[e.Worker] {
			h.exit(e.Worker)
		} else if !h.deaf || c.perfect {
			h.runs[e.Worker] = e.Slots
		}
		if used := h.used(); used > len(h.owners) {
			c.Fatalf("%s has %d slots, and its processes use %d", h.name, len(h.owners), used)
		}
	}
}

func (h *host) used() (n int) {
	for _, slots := range h.runs {
		n += slots
	}
	return n
}

// exit is the end of a process, which is told as often as it is asked for.
func (h *host) exit(w WorkerID) {
	h.end(w)
	h.out = append(h.out, Exited{w, errors.New("exit status 1")})
}

// end ends a process for good: it will not be started again.
func (h *host) end(w WorkerID) {
	delete(h.runs, w)
	h.ended[w] = true
}

func (c *cluster) hear(h *host, e Event) {
	switch e := e.(type) {
	case Heard:
		h.heard = c.now
		for _, w := range e.Workers {
			if r := c.workers[w]; r != nil && slices.ContainsFunc(c.jobs, func(j *tenant) bool { return j.workers[w] != nil }) {
				r.running = true
			}
		}
	case Exited:
		for i, owner := range h.owners {
			if owner == e.Worker {
				h.owners[i] = ""
			}
		}
	}
	c.step(e)
}

func (c *cluster) crash(h *host) {
	if len(h.runs) > 0 {
		h.exit(one(c, sorted(h.runs)))
	}
}

// vanish is a crash that the TaskManager does not notice.
func (c *cluster) vanish(h *host) {
	if len(h.runs) > 0 {
		h.end(one(c, sorted(h.runs)))
	}
}

func (c *cluster) submit() {
	c.names++
	j := &tenant{job: id.Job{byte(c.names >> 8), byte(c.names)}, slots: rapid.IntRange(1, 5).Draw(c.T, "slots"), at: map[int]*host{}, workers: map[WorkerID]*host{}}
	c.jobs = append(c.jobs, j)
	c.ask(j)
}

// ask asks for the slots that a job lacks, as it does anew when it has lost some.
func (c *cluster) ask(j *tenant) {
	j.wishes, j.told = nil, Lack{}
	for i := range j.slots {
		if j.at[i] == nil {
			j.wishes = append(j.wishes, Wish{i, rapid.SliceOfN(rapid.IntRange(0, j.slots-1), 0, 2).Draw(c.T, "near")})
		}
	}
	asked := slices.Clone(j.wishes)
	if len(j.at) > 0 && c.rarely() { // it does not know yet that it has this one
		asked = append(asked, Wish{Slot: slices.Sorted(maps.Keys(j.at))[0]})
	}
	if len(j.wishes) > 0 && !slices.Contains(c.queue, j) {
		c.queue = append(c.queue, j)
	}
	c.step(Requested{j.job, asked})
}

func (c *cluster) abandon(j *tenant) {
	if len(j.workers) > 0 {
		w := one(c, sorted(j.workers))
		j.lose(w)
		c.step(Abandoned{w})
	}
}

func (j *tenant) lose(w WorkerID) {
	h := j.workers[w]
	delete(j.workers, w)
	maps.DeleteFunc(j.at, func(_ int, at *host) bool { return at == h })
}

func (c *cluster) end(j *tenant) {
	remove(&c.jobs, j)
	remove(&c.queue, j)
	stopped := c.step(Ended{j.job})
	for w := range j.workers {
		if !slices.Contains(stopped, w) {
			c.Fatalf("%s goes on after the end of its job", w)
		}
	}
}

func remove(from *[]*tenant, j *tenant) {
	*from = slices.DeleteFunc(*from, func(other *tenant) bool { return other == j })
}

// later lets time go by. The pool is woken when it asked for it, and must have done then what was due.
func (c *cluster) later(milliseconds int64) {
	until := c.now + milliseconds
	for c.wake > 0 && c.wake <= until {
		c.now = max(c.now, c.wake)
		c.step(Woken{})
	}
	c.now = until
	for _, h := range c.hosts {
		if c.now-h.heard >= Timeout.Milliseconds() {
			c.Fatalf("%s was silent for %d ms, and is still there", h.name, c.now-h.heard)
		}
		for _, w := range h.owners {
			if r := c.workers[w]; w != "" && !r.running && c.now-r.told >= patience.Milliseconds() {
				c.Fatalf("%s was told nothing for %d ms", w, c.now-r.told)
			}
		}
	}
}

// step tells the pool, checks all that it answers, and then what holds at any time. It returns the workers that are to stop.
func (c *cluster) step(e Event) (stopped []WorkerID) {
	for _, effect := range c.pool.Step(e, c.now) {
		switch e := effect.(type) {
		case Give:
			c.give(e)
		case Lack:
			c.tenant(e.Job).told = e
		case Lose:
			c.lose(e)
		case Drop:
			c.hosts = slices.DeleteFunc(c.hosts, func(h *host) bool { return h.name == e.TaskManager })
		case Start:
			c.start(e)
		case Stop:
			c.stop(e)
			stopped = append(stopped, e.Worker)
		case Wake:
			c.wake = e.At
		}
	}
	c.holds()
	return stopped
}

// What the pool says.

func (c *cluster) give(g Give) {
	j := c.tenant(g.Job)
	if j == nil || len(j.wishes) == 0 || len(g.Grants) != len(j.wishes) {
		c.Fatalf("%v is given to a job that wishes %v", g.Grants, j)
	}
	for _, earlier := range c.queue[:slices.Index(c.queue, j)] {
		if len(earlier.wishes) <= c.free() {
			c.Fatalf("job %s is served before %s, which asked earlier and fits", j.job, earlier.job)
		}
	}
	for i, grant := range g.Grants {
		c.grant(j, j.wishes[i], grant)
	}
	j.wishes = nil
	remove(&c.queue, j)
}

func (c *cluster) grant(j *tenant, wish Wish, g Grant) {
	h := c.host(g.TaskManager)
	switch {
	case g.Slot != wish.Slot:
		c.Fatalf("slot %d is given for the wish %v", g.Slot, wish)
	case h == nil:
		c.Fatalf("a slot of %s, which is gone, is given", g.TaskManager)
	case h.owners[g.Place.Slot] != "":
		c.Fatalf("a slot of %s is given that %s has", h.name, h.owners[g.Place.Slot])
	case h != c.nearest(j, wish):
		c.Fatalf("wish %v is fulfilled on %s, not on %s", wish, h.name, c.nearest(j, wish).name)
	}
	c.worker(j, h, g.Worker)
	h.owners[g.Place.Slot], j.at[g.Slot], j.workers[g.Worker] = g.Worker, h, h
}

// nearest is the first of the hosts with a free slot that have most of what a wish wants to be near to.
func (c *cluster) nearest(j *tenant, w Wish) *host {
	free := slices.DeleteFunc(slices.Clone(c.hosts), func(h *host) bool { return !slices.Contains(h.owners, "") })
	return slices.MaxFunc(free, func(a, b *host) int { return j.near(a, w) - j.near(b, w) })
}

func (j *tenant) near(h *host, w Wish) (n int) {
	for _, other := range w.Near {
		if j.at[other] == h {
			n++
		}
	}
	return n
}

// worker checks that a job has one worker on a TaskManager, which nobody else has or had.
func (c *cluster) worker(j *tenant, h *host, w WorkerID) {
	for other, at := range j.workers {
		if at == h && other != w {
			c.Fatalf("a job has workers %s and %s on %s", other, w, h.name)
		}
	}
	if j.workers[w] == nil && c.workers[w] != nil {
		c.Fatalf("there was a worker %s before", w)
	}
	if c.workers[w] == nil {
		c.workers[w] = &record{made: c.now, told: c.now}
	}
}

func (c *cluster) lose(l Lose) {
	j := c.tenant(l.Job)
	if j == nil || j.workers[l.Worker] == nil || l.Cause == nil {
		c.Fatalf("a job is told that it lost %s, which it does not have: %v", l.Worker, l.Cause)
	}
	if h := j.workers[l.Worker]; c.workers[l.Worker].running && h.runs[l.Worker] > 0 && c.host(h.name) != nil {
		c.Fatalf("a job loses %s, which runs: %v", l.Worker, l.Cause)
	}
	j.lose(l.Worker)
}

// start checks what a worker may use. The message goes on its way.
func (c *cluster) start(s Start) {
	h := c.host(s.TaskManager)
	owned := 0
	for _, owner := range h.owners {
		if owner == s.Worker {
			owned++
		}
	}
	if owned != s.Slots || s.Memory != int64(owned)<<30 || c.tenant(s.Job).workers[s.Worker] != h {
		c.Fatalf("%s has %d slots, and is started with %d and %d bytes", s.Worker, owned, s.Slots, s.Memory)
	}
	r := c.workers[s.Worker]
	r.told = c.now
	if c.now-r.made > startWithin.Milliseconds() && !r.running {
		c.Fatalf("%s has not started for %d ms, and its job does not know", s.Worker, c.now-r.made)
	}
	h.in = append(h.in, s)
}

func (c *cluster) stop(s Stop) {
	if slices.ContainsFunc(c.jobs, func(j *tenant) bool { return j.workers[s.Worker] != nil }) {
		c.Fatalf("%s is stopped, which its job still has", s.Worker)
	}
	if r := c.workers[s.Worker]; r != nil {
		r.told, r.running = c.now, false
	}
	if h := c.host(s.TaskManager); h != nil {
		h.in = append(h.in, s)
	}
}

// What holds at any time: who fits does not wait, who waits knows why, and the pool's books are like ours.
func (c *cluster) holds() {
	for _, j := range c.queue {
		if free := c.free(); len(j.wishes) <= free {
			c.Fatalf("a job waits for %d slots, and %d are free", len(j.wishes), free)
		}
		if want := (Lack{j.job, c.free(), len(c.hosts), c.slots()}); j.told != want {
			c.Fatalf("what a job was told last is %+v, not %+v", j.told, want)
		}
	}
	for _, h := range c.hosts {
		for i, owner := range c.pool.Owners(h.name) {
			if owner.Worker != h.owners[i] {
				c.Fatalf("slot %d of %s is of %q, not of %q", i, h.name, owner.Worker, h.owners[i])
			}
		}
	}
}

func (c *cluster) free() (n int) {
	for _, h := range c.hosts {
		for _, owner := range h.owners {
			if owner == "" {
				n++
			}
		}
	}
	return n
}

func (c *cluster) slots() (n int) {
	for _, h := range c.hosts {
		n += len(h.owners)
	}
	return n
}

func (c *cluster) host(name string) *host {
	i := slices.IndexFunc(c.hosts, func(h *host) bool { return h.name == name })
	if i < 0 {
		return nil
	}
	return c.hosts[i]
}

func (c *cluster) tenant(job id.Job) *tenant {
	i := slices.IndexFunc(c.jobs, func(j *tenant) bool { return j.job == job })
	if i < 0 {
		return nil
	}
	return c.jobs[i]
}

// settle is what happens in the end, when no message is lost: each job has the workers that it thinks it has, and when it ends nothing is
// left of them.
func (c *cluster) settle() {
	c.perfect = true
	for range 5 {
		c.live(1000)
	}
	for _, j := range c.jobs {
		for w, h := range j.workers {
			if h.runs[w] == 0 {
				c.Fatalf("job %s has a worker %s on %s, where %v run", j.job, w, h.name, h.runs)
			}
		}
	}
	for len(c.jobs) > 0 {
		c.end(c.jobs[0])
	}
	for range 5 {
		c.live(1000)
	}
	if c.free() != c.slots() || len(c.pool.workers) > 0 {
		c.Fatalf("%d of %d slots are free, and workers %v are left", c.free(), c.slots(), c.pool.workers)
	}
	for _, h := range c.hosts {
		if len(h.runs) > 0 {
			c.Fatalf("processes %v are left on %s", h.runs, h.name)
		}
	}
}
