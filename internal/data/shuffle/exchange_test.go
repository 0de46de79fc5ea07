package shuffle

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"runtime"
	"sync"
	"testing"
	"testing/synctest"

	"github.com/flott-dev/flott/internal/cputime"
	"github.com/flott-dev/flott/internal/data/record"
	"github.com/flott-dev/flott/internal/graph/program"
	"github.com/flott-dev/flott/internal/halt"
	"github.com/flott-dev/flott/internal/id"
)

// An exchange is producers and consumers, each with a goroutine, all connected to all.
type exchange[T any] struct {
	writers []Writer
	own     []*Mailbox // of the producers
	boxes   []*Mailbox // of the consumers
}

func newExchange[T any](s program.Strategy, producers, consumers int, typed any) *exchange[T] {
	x := &exchange[T]{}
	for range consumers {
		x.boxes = append(x.boxes, NewMailbox())
	}
	for p := range producers {
		var outlets []Outlet
		for _, box := range x.boxes {
			outlets = append(outlets, NewOutlet(box, 0, p))
		}
		x.own = append(x.own, NewMailbox())
		w, err := KindOf[T]().Writer(Route{s, p, maxParallelism, x.own[p], [][]Outlet{outlets}, nil, new(halt.Flag)}, typed)
		if err != nil {
			panic(err)
		}
		x.writers = append(x.writers, w)
	}
	return x
}

// produce sends n records in batches that make fills, and ends.
func (x *exchange[T]) produce(p, n int, batch *record.Batch[T], fill func(b *record.Batch[T], i int)) error {
	in := x.writers[p].Input().(record.Input[T])
	x.own[p].Start()
	v, ts := batch.V, batch.TS
	for i := 0; i < n; {
		for !x.writers[p].Ready() {
			x.own[p].Wait(Returns)
			x.own[p].lower(Returns)
		}
		k := min(len(v), n-i)
		batch.V, batch.TS = v[:k], ts[:k]
		fill(batch, i)
		if err := in.Receive(batch); err != nil {
			return err
		}
		i += k
	}
	return x.writers[p].End()
}

// consume hands batches to in until all producers have ended.
func (x *exchange[T]) consume(c int, in record.Input[T]) error {
	box, g := x.boxes[c], KindOf[T]().Gate(in, nil)
	box.Start()
	for ends := 0; ends < len(x.writers); {
		m := box.Next()
		if m == nil {
			box.Wait(Messages)
			continue
		}
		for m.Records() {
			if err := g.Receive(m, record.Size); err != nil {
				return err
			}
		}
		if m.End {
			ends++
		}
	}
	return nil
}

func (x *exchange[T]) run(t testing.TB, n int, fill func(p int) func(b *record.Batch[T], i int), in func(c int) record.Input[T]) {
	var all sync.WaitGroup
	for p := range x.writers {
		all.Go(func() {
			size := record.SizeOf[T]()
			b := &record.Batch[T]{V: make([]T, size), TS: make([]int64, size)}
			if err := x.produce(p, n, b, fill(p)); err != nil {
				t.Error(err)
			}
		})
	}
	for c := range x.boxes {
		all.Go(func() {
			if err := x.consume(c, in(c)); err != nil {
				t.Error(err)
			}
		})
	}
	all.Wait()
}

// A move is a record of the concurrent tests: the seq-th of a producer.
type move struct{ producer, seq int }

// An audit checks that each producer's records come in order, and counts them. It dawdles at random.
type audit struct {
	last []int
	n    int
	rnd  *rand.Rand
}

func (a *audit) Receive(b *record.Batch[move]) error {
	for i, m := range b.V {
		if m.seq <= a.last[m.producer] {
			return fmt.Errorf("record %d of producer %d came after %d", m.seq, m.producer, a.last[m.producer])
		}
		if b.TS[i] != int64(m.seq) {
			return fmt.Errorf("record %d has timestamp %d", m.seq, b.TS[i])
		}
		a.last[m.producer] = m.seq
		if !b.Shared {
			b.V[i] = move{-1, -1}
		}
	}
	a.n += len(b.V)
	if a.rnd.IntN(8) == 0 {
		runtime.Gosched()
	}
	return nil
}

func (a *audit) Watermark(int64) error { return nil }
func (a *audit) Idle(bool) error       { return nil }

func TestConcurrentExchange(t *testing.T) {
	const n = 5_000
	for _, s := range []program.Strategy{program.Hash, program.Rebalance, program.Broadcast, program.Global} {
		for _, size := range [][2]int{{1, 1}, {3, 2}, {2, 7}} {
			t.Run(fmt.Sprintf("%s/%dx%d", s, size[0], size[1]), func(t *testing.T) {
				producers, consumers := size[0], size[1]
				hash, err := id.HashOf[int]()
				must(err)
				x := newExchange[move](s, producers, consumers, ByKey(func(m move) int { return m.seq }, hash))
				for _, w := range x.writers {
					w.(*writer[move]).size = 1 + rand.IntN(3*record.Size)
				}
				audits := make([]*audit, consumers)
				for c := range audits {
					audits[c] = &audit{last: make([]int, producers), rnd: rand.New(rand.NewPCG(1, uint64(c)))}
					for p := range producers {
						audits[c].last[p] = -1
					}
				}
				x.run(t, n, func(p int) func(*record.Batch[move], int) {
					rnd := rand.New(rand.NewPCG(2, uint64(p)))
					return func(b *record.Batch[move], i int) {
						for k := range b.V {
							b.V[k], b.TS[k] = move{p, i + k}, int64(i+k)
						}
						if rnd.IntN(10) == 0 {
							must(x.writers[p].Flush())
						}
					}
				}, func(c int) record.Input[move] { return audits[c] })
				got, want := 0, n*producers
				for _, a := range audits {
					got += a.n
				}
				if s == program.Broadcast {
					want *= consumers
				}
				if got != want {
					t.Errorf("%d records arrived, want %d", got, want)
				}
			})
		}
	}
}

// A writer in the middle of a batch waits for a block, whatever else comes, and gives up when its task is cancelled.
func TestFlushWaitsForBlock(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		x := newExchange[int](program.Forward, 1, 1, nil)
		w, in := x.writers[0], x.writers[0].Input().(record.Input[int])
		x.own[0].Start()
		flush := func() error {
			must(in.Receive(&record.Batch[int]{V: []int{1}}))
			return w.Flush()
		}
		for n := range credit + overdraft {
			if ready := w.Ready(); ready != (n < credit) {
				t.Errorf("ready with %d blocks away: %t", n, ready)
			}
			must(flush())
		}
		var flushed []error
		var done sync.WaitGroup
		done.Go(func() {
			flushed = append(flushed, flush())
			flushed = append(flushed, flush())
		})
		x.own[0].Mail(func() error { return nil })
		x.own[0].Nudge()
		synctest.Wait()
		if len(flushed) != 0 {
			t.Fatal("the writer did not wait for a block")
		}
		x.boxes[0].Next().block.read()
		synctest.Wait()
		if len(flushed) != 1 || flushed[0] != nil {
			t.Fatalf("a block came back; flushes: %v", flushed)
		}
		over := errors.New("over")
		x.own[0].Cancel(over)
		done.Wait()
		if len(flushed) != 2 || !errors.Is(flushed[1], over) {
			t.Fatalf("cancelled; flushes: %v", flushed)
		}
		if !x.own[0].Urgent() || len(x.own[0].Attend()) != 1 {
			t.Error("waiting for a block took what is not its own")
		}
	})
}

// A row is what the benchmarks send: 24 bytes and a timestamp.
type row struct{ K, V, W int64 }

// A sum eats rows.
type sum struct{ s int64 }

func (s *sum) Receive(b *record.Batch[row]) error {
	for i := range b.V {
		s.s += b.V[i].K
	}
	return nil
}
func (s *sum) Watermark(int64) error { return nil }
func (s *sum) Idle(bool) error       { return nil }

func fillRows(int) func(*record.Batch[row], int) {
	return func(b *record.Batch[row], i int) {
		for k := range b.V {
			b.V[k], b.TS[k] = row{K: int64(i + k)}, int64(i)
		}
	}
}

func rowExchange(s program.Strategy, producers, consumers int) *exchange[row] {
	hash, err := id.HashOf[int64]()
	must(err)
	return newExchange[row](s, producers, consumers, ByKey(func(r row) int64 { return r.K }, hash))
}

func BenchmarkExchange(b *testing.B) {
	const records = 1 << 22
	for _, n := range []int{1, 2, 50} {
		for _, s := range []program.Strategy{program.Hash, program.Rebalance} {
			b.Run(fmt.Sprintf("%s/%dx%d", s, n, n), func(b *testing.B) {
				b.ReportAllocs()
				cpu, rounds := cputime.Used(b), 0
				for b.Loop() {
					rowExchange(s, n, n).run(b, records/n, fillRows, func(int) record.Input[row] { return &sum{} })
					rounds++
				}
				b.ReportMetric(float64(cputime.Used(b)-cpu)/float64(rounds)/records, "ns-CPU/rec")
			})
		}
	}
}

// The steady state: once blocks have their size, a million records need no more memory than a thousand.
func TestExchangeDoesNotAllocatePerRecord(t *testing.T) {
	for _, s := range strategies {
		t.Run(string(s), func(t *testing.T) {
			r := newRig(s, 4, 1)
			for c := range r.gates {
				r.gates[c] = KindOf[rec]().Gate(record.Input[rec](discard{}), nil)
			}
			b := &record.Batch[rec]{V: make([]rec, 200), TS: make([]int64, 200)}
			round := func() {
				for range 100 {
					must(r.in.Receive(b))
					r.consumeAll()
				}
			}
			round()
			if n := testing.AllocsPerRun(5, round); n > 0 {
				t.Errorf("%v allocations for 20,000 records", n)
			}
		})
	}
}

type discard struct{}

func (discard) Receive(*record.Batch[rec]) error { return nil }
func (discard) Watermark(int64) error            { return nil }
func (discard) Idle(bool) error                  { return nil }
