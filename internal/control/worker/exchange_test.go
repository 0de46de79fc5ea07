package worker

import (
	"fmt"
	"log/slog"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/flott-dev/flott/codec"
	"github.com/flott-dev/flott/internal/control/rpc"
	"github.com/flott-dev/flott/internal/data/network"
	"github.com/flott-dev/flott/internal/data/operator"
	"github.com/flott-dev/flott/internal/data/record"
	"github.com/flott-dev/flott/internal/data/shuffle"
	"github.com/flott-dev/flott/internal/decide/schedule"
	"github.com/flott-dev/flott/internal/graph/execgraph"
	"github.com/flott-dev/flott/internal/graph/jobgraph"
	"github.com/flott-dev/flott/internal/graph/program"
	"github.com/flott-dev/flott/internal/graph/streamgraph"
	"github.com/flott-dev/flott/internal/id"
)

// A pair is two workers, each with a subtask of a source that counts and of what sums up, all to all by key.
type pair struct {
	*testing.T
	listener
	graph   *execgraph.Graph
	program *jobgraph.Binding
	workers []*Worker
	attempt int

	limit   atomic.Int64 // what each source counts up to
	sum     atomic.Int64
	encoded atomic.Int64 // by the user's own codec
}

// tallied is a codec that counts.
type tallied struct {
	codec.Codec[int64]
	n *atomic.Int64
}

func (c tallied) Append(dst []byte, v *int64) ([]byte, error) {
	c.n.Add(1)
	return c.Codec.Append(dst, v)
}

// A listener is a JobManager that keeps the last report of each attempt.
type listener struct {
	rpc.JobManager // what is not noted must not be said
	mu             sync.Mutex
	last           map[schedule.Attempt]rpc.Report
}

func (l *listener) Report(r rpc.Report) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.last[r.Attempt] = r
}

func (l *listener) report(a schedule.Attempt) rpc.Report {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.last[a]
}

func newPair(t *testing.T) *pair {
	p := &pair{T: t, listener: listener{last: map[schedule.Attempt]rpc.Report{}}}
	p.compile()
	p.workers = []*Worker{p.worker("a"), p.worker("b")}
	return p
}

func (p *pair) compile() {
	flow := program.New(program.Defaults())
	from := flow.Source("count", true, shuffle.KindOf[int64]())
	from.SetParallelism(2)
	from.Operator = operator.Func(func(env *operator.Env) (operator.Operator, error) {
		return &counting{Through: operator.NewThrough[int64](env), pair: p}, nil
	})
	hash, err := id.HashOf[int64]()
	check(p.T, err)
	to := flow.OneInput(flow.Repartition(from, program.Hash, shuffle.ByKey(func(v int64) int64 { return v }, hash)), "sum", shuffle.KindOf[struct{}]())
	to.SetParallelism(2)
	to.Operator = operator.Func(func(env *operator.Env) (operator.Operator, error) {
		return &summing{Through: operator.NewThrough[struct{}](env), pair: p}, nil
	})
	stream, err := streamgraph.From(flow)
	check(p.T, err)
	job, err := jobgraph.From(stream)
	check(p.T, err)
	p.program, err = jobgraph.Bind(stream, job)
	check(p.T, err)
	p.graph, err = execgraph.From(job)
	check(p.T, err)
}

// counting is a source.
type counting struct {
	operator.Through[int64]
	*pair
	n int64
}

func (c *counting) Input(int) any { return nil }

func (c *counting) Pull() (operator.Pulled, error) {
	b := record.Batch[int64]{}
	for range min(record.Size, c.limit.Load()-c.n) {
		c.n++
		b.V = append(b.V, c.n)
	}
	if len(b.V) == 0 {
		return operator.Ended, nil
	}
	return operator.More, c.Out.Receive(&b)
}

type summing struct {
	operator.Through[struct{}]
	*pair
}

func (s *summing) Input(int) any { return record.Input[int64](s) }

func (s *summing) Receive(b *record.Batch[int64]) error {
	for _, v := range b.V {
		s.sum.Add(v)
	}
	return nil
}

func (p *pair) worker(name string) *Worker {
	e, err := network.Listen(network.Options{
		Worker: name, Secret: []byte("secret"), Listen: []string{"unix:" + filepath.Join(p.TempDir(), "data")}, Log: slog.New(slog.DiscardHandler),
	})
	check(p.T, err)
	own, err := codec.Of[int64]()
	check(p.T, err)
	set := &codec.Set{}
	check(p.T, codec.Register[int64](set, tallied{own, &p.encoded}))
	w := New(&p.listener, p.graph, p.program, Options{ID: rpc.WorkerID(name), Logger: slog.New(slog.DiscardHandler), Endpoint: e, Codecs: set})
	p.Cleanup(func() {
		w.Release(rpc.Header{})
		check(p.T, e.Close())
	})
	return w
}

// deploy deploys all tasks, in either order.
func (p *pair) deploy() {
	n := uint32(p.attempt)
	place := rpc.Placement{Of: [][]uint16{{0, 1}, {0, 1}}, Attempt: [][]uint32{{n, n}, {n, n}}}
	for _, w := range p.workers {
		place.Workers = append(place.Workers, rpc.WorkerAddress{ID: w.options.ID, Data: w.options.Endpoint.Addr()})
	}
	for i, w := range p.workers {
		w.Deploy(rpc.Deployment{Placement: place, Attempts: []schedule.Attempt{
			{Subtask: execgraph.Subtask{Vertex: 1, Index: i}, Number: p.attempt}, {Subtask: execgraph.Subtask{Index: i}, Number: p.attempt},
		}})
	}
}

// ended waits until all tasks have ended, and returns their last reports: source and sum of the first worker, then of the second.
func (p *pair) ended() (reports []rpc.Report) {
	for _, index := range []int{0, 1} {
		for _, vertex := range []int{0, 1} {
			at := schedule.Attempt{Subtask: execgraph.Subtask{Vertex: vertex, Index: index}, Number: p.attempt}
			p.until(func() bool { return p.report(at).State.Terminal() })
			reports = append(reports, p.report(at))
		}
	}
	return reports
}

// received is how many bytes have come to a worker from the other one.
func (p *pair) received(worker int) int64 {
	in, _ := p.workers[worker].directory.Mailbox(p.graph.Vertices[1].Job.ID, worker, p.attempt).Traffic()
	return in
}

func (p *pair) until(true func() bool) {
	for !true() {
		time.Sleep(time.Millisecond)
	}
}

// finishes runs the job to its end.
func (p *pair) finishes(n int64) {
	p.Helper()
	p.limit.Store(n)
	p.sum.Store(0)
	p.deploy()
	for i, r := range p.ended() {
		if r.State != execgraph.Finished {
			p.Errorf("task %d: %v, %v", i, r.State, r.Cause)
		}
		source := i%2 == 0
		if m := r.Metrics; (m.BytesOut > 0) != source || (m.BytesIn > 0) == source {
			p.Errorf("task %d: %d bytes came, %d left", i, m.BytesIn, m.BytesOut)
		}
	}
	if got := p.sum.Load(); got != n*(n+1) {
		p.Errorf("the sum is %d, want %d", got, n*(n+1))
	}
}

func TestWorkersExchangeRecords(t *testing.T) {
	p := newPair(t)
	p.finishes(100_000)
	if n := p.encoded.Load(); n < 80_000 || n > 120_000 { // half of all
		t.Errorf("%d records were encoded", n)
	}
}

// When a worker is gone, the tasks of the other one fail and say so. The next attempt finds another worker in its place.
func TestWorkerIsGone(t *testing.T) {
	p := newPair(t)
	p.limit.Store(1 << 62)
	p.deploy()
	p.until(func() bool { return p.received(0) > 0 && p.received(1) > 0 })
	check(t, p.workers[1].options.Endpoint.Close())
	for i, r := range p.ended() {
		peer := []string{"b", "a"}[i/2]
		if want := fmt.Sprintf("connection to worker %q", peer); r.State != execgraph.Failed || !strings.Contains(fmt.Sprint(r.Cause), want) {
			t.Errorf("task %d: %v, %v, want %s", i, r.State, r.Cause, want)
		}
	}
	p.attempt++
	p.workers = slices.Replace(p.workers, 1, 2, p.worker("c"))
	p.finishes(1000)
}
