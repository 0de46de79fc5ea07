package network

import (
	"crypto/tls"
	"errors"
	"fmt"
	"log/slog"
	"path/filepath"
	"sync"
	"testing"

	"github.com/flott-dev/flott/internal/data/record"
	"github.com/flott-dev/flott/internal/data/shuffle"
	"github.com/flott-dev/flott/internal/graph/execgraph"
	"github.com/flott-dev/flott/internal/graph/jobgraph"
	"github.com/flott-dev/flott/internal/graph/program"
	"github.com/flott-dev/flott/internal/graph/taskplan"
	"github.com/flott-dev/flott/internal/halt"
	"github.com/flott-dev/flott/internal/id"
	"go.uber.org/goleak"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

func check(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

var (
	theJob = id.Job{1, 2, 3}
	vertex = id.Vertex{9} // of the consumers
)

// unix is the options of a worker that listens at a Unix socket.
func unix(t testing.TB, name string) Options {
	return Options{
		Worker: name, Job: theJob, Secret: []byte("secret"), Listen: []string{"unix:" + filepath.Join(t.TempDir(), "socket")},
		Log: slog.New(slog.DiscardHandler),
	}
}

// tcp is the options of a worker that listens at a port.
func tcp(t testing.TB, name string, server, client *tls.Config) Options {
	o := unix(t, name)
	o.Listen, o.Host, o.Server, o.Client = []string{"tcp:127.0.0.1:0"}, "localhost", server, client
	return o
}

func listen(t testing.TB, o Options) *Endpoint {
	t.Helper()
	e, err := Listen(o)
	check(t, err)
	t.Cleanup(func() { check(t, e.Close()) })
	return e
}

// A rec is 16 bytes.
type rec struct{ From, Seq int64 }

// A job is as many producers as consumers, dealt out to its workers in turn, with a keyBy between them.
type job struct {
	workers   []*Endpoint
	relays    map[*Endpoint]*relay // before endpoints; or nil
	tasks     int
	attempt   int
	partition taskplan.Partition
	producers []*shuffle.Mailbox
}

func newJob(tasks int, workers ...*Endpoint) *job {
	wiring := execgraph.Wiring{Pattern: jobgraph.AllToAll, Producers: tasks, Consumers: tasks}
	return &job{workers: workers, tasks: tasks, attempt: 1, partition: taskplan.Partition{
		Partitioner: program.Hash, Targets: []taskplan.Target{{Vertex: vertex, MaxParallelism: 128, Wiring: wiring}},
	}}
}

func (j *job) worker(subtask int) *Endpoint { return j.workers[subtask%len(j.workers)] }

func (j *job) place(self *Endpoint, subtask int) shuffle.Place {
	at := shuffle.Place{Attempt: j.attempt}
	if w := j.worker(subtask); w != self {
		at.Link = self.To(w.options.Worker, j.address(w))
	}
	return at
}

func (j *job) address(w *Endpoint) string {
	if r := j.relays[w]; r != nil {
		return r.address
	}
	return w.Addr()
}

// produce sends n records.
func (j *job) produce(subtask, n int) error {
	self, box := j.worker(subtask), j.producers[subtask]
	place := func(_, consumer int) shuffle.Place { return j.place(self, consumer) }
	hash, err := id.HashOf[int64]()
	if err != nil {
		return err
	}
	keyBy := shuffle.ByKey(func(r rec) int64 { return r.Seq }, hash)
	route := shuffle.RouteOf(&j.partition, subtask, self.Directory(), place, box)
	route.Halted = new(halt.Flag)
	w, err := shuffle.KindOf[rec]().Writer(route, keyBy)
	if err != nil {
		return err
	}
	defer w.Close()
	b := &record.Batch[rec]{V: make([]rec, record.Size), TS: make([]int64, record.Size)}
	for seq := 0; seq < n; seq += len(b.V) {
		b.V = b.V[:min(record.Size, n-seq)]
		b.TS = b.TS[:len(b.V)]
		for i := range b.V {
			b.V[i] = rec{int64(subtask), int64(seq + i)}
		}
		if err := errors.Join(w.Input().(record.Input[rec]).Receive(b), attend(box)); err != nil {
			return err
		}
	}
	return w.End()
}

// cancel ends the producers of a worker, as a consumer there has failed, and does not read what they wait for.
func (j *job) cancel(self *Endpoint, cause error) {
	for i, box := range j.producers {
		if j.worker(i) == self {
			box.Cancel(cause)
		}
	}
}

// attend serves mails.
func attend(box *shuffle.Mailbox) (err error) {
	for _, mail := range box.Attend() {
		err = errors.Join(err, mail())
	}
	return err
}

// A consumer wants the records of each producer in order.
type consumer struct {
	next []int64 // by producer: no less comes
	n    int
}

func (c *consumer) Receive(b *record.Batch[rec]) error {
	for _, r := range b.V {
		if r.Seq < c.next[r.From] {
			return fmt.Errorf("record %d of %d came after %d", r.Seq, r.From, c.next[r.From]-1)
		}
		c.next[r.From] = r.Seq + 1
	}
	c.n += len(b.V)
	return nil
}
func (c *consumer) Watermark(int64) error { return nil }
func (c *consumer) Idle(bool) error       { return nil }

// consume counts what comes until all producers have ended.
func (j *job) consume(subtask int) (n int, err error) {
	self := j.worker(subtask)
	for producer := range j.tasks {
		j.place(self, producer) // asks for the link
	}
	box := self.Directory().Mailbox(vertex, subtask, j.attempt)
	in := &consumer{next: make([]int64, j.tasks)}
	gate := shuffle.KindOf[rec]().Gate(record.Input[rec](in), nil)
	for ended := 0; ended < j.tasks; {
		m := box.Next()
		if m == nil {
			box.Wait(shuffle.Messages | shuffle.Urgent)
			if err := attend(box); err != nil {
				j.cancel(self, err)
				return in.n, err
			}
			continue
		}
		for m.Records() {
			if err := gate.Receive(m, record.Size); err != nil {
				return in.n, err
			}
		}
		if m.End {
			ended++
		}
	}
	return in.n, nil
}

// A result is what became of a job.
type result struct {
	arrived  int
	produced []error // by subtask
	consumed []error
}

// run runs the job, with n records from each producer.
func (j *job) run(n int) result {
	var all sync.WaitGroup
	arrived := make([]int, j.tasks)
	r := result{produced: make([]error, j.tasks), consumed: make([]error, j.tasks)}
	j.producers = nil
	for range j.tasks {
		j.producers = append(j.producers, shuffle.NewMailbox())
	}
	for i := range j.tasks {
		all.Go(func() { r.produced[i] = j.produce(i, n) })
		all.Go(func() { arrived[i], r.consumed[i] = j.consume(i) })
	}
	all.Wait()
	for _, n := range arrived {
		r.arrived += n
	}
	return r
}

// succeeds wants everything to have arrived.
func (j *job) succeeds(t testing.TB, n int) {
	t.Helper()
	r := j.run(n)
	check(t, errors.Join(append(r.produced, r.consumed...)...))
	if r.arrived != n*j.tasks {
		t.Errorf("%d records arrived, want %d", r.arrived, n*j.tasks)
	}
}
