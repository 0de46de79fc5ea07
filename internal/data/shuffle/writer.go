package shuffle

import "github.com/flott-dev/flott/internal/data/record"

// A Writer is the producer's side of an exchange, whatever the type of its records. It belongs to the producer's goroutine.
type Writer interface {
	// Input is the writer as the record.Input[T] of what is to be sent.
	Input() any
	// Ready says whether a block is there for the next flush. If not, Returns will be up in the producer's mailbox when one is.
	Ready() bool
	// Staged says whether records wait for a flush.
	Staged() bool
	// Flush sends what is staged. Without a free block it waits for one or for the task to be cancelled.
	Flush() error
	// End flushes and ends all channels. Nothing may come after it.
	End() error
	// Close gives up the channels to other processes that have not ended.
	Close()
}

// A writer stages records and sends them in blocks. Its dealer knows which consumer gets what.
type writer[T any] struct {
	dealer dealer[T]
	route  Route
	pool   pool[T]
	size   int // records of a full block
	grown  int // records of the largest so far: a trickle never makes full ones
	keyed  bool

	stage columns[T]
	n     int  // records staged
	timed bool // they have timestamps: all or none
	spare *block[T]
	now   progress

	packer *packer[T] // nil: nothing leaves the process
}

func newWriter[T any](r Route, d dealer[T], keyed bool) *writer[T] {
	w := &writer[T]{dealer: d, route: r, size: blockSize[T](r.parts()), keyed: keyed, now: progress{watermark: NoWatermark}}
	w.pool.box = r.Box
	return w
}

func (w *writer[T]) Input() any   { return record.Input[T](w) }
func (w *writer[T]) Staged() bool { return w.n > 0 }

func (w *writer[T]) Ready() bool {
	if w.spare == nil {
		w.spare = w.pool.take(credit)
	}
	return w.spare != nil
}

// Receive stages the records of b.
func (w *writer[T]) Receive(b *record.Batch[T]) error {
	v, ts := b.V, b.TS
	if w.n > 0 && w.timed != (ts != nil) {
		if err := w.Flush(); err != nil {
			return err
		}
	}
	w.timed = ts != nil
	for len(v) > 0 {
		n := w.room(len(v))
		copy(w.stage.v[w.n:], v[:n])
		v = v[n:]
		if w.timed {
			copy(w.stage.ts[w.n:], ts[:n])
			ts = ts[n:]
		}
		if err := w.staged(n); err != nil {
			return err
		}
	}
	return nil
}

// room makes room for n records, if a block may hold so many, and says for how many there is.
func (w *writer[T]) room(n int) int {
	if want := min(w.n+n, w.size); want > w.grown {
		w.grown = min(w.size, max(firstRecords, 2*w.grown, want))
	}
	w.stage.fit(w.grown, w.n, w.timed, w.keyed)
	return min(n, w.size-w.n)
}

// staged looks at the n records that were just put into the stage.
func (w *writer[T]) staged(n int) error {
	if err := w.dealer.note(&w.stage, w.n, w.n+n); err != nil {
		return err
	}
	w.n += n
	if w.n < w.size {
		return nil
	}
	return w.Flush()
}

// Watermark sends t behind the records that came before it.
func (w *writer[T]) Watermark(t int64) error {
	w.now.watermark = t
	return w.report()
}

// Idle sends the status behind the records that came before it.
func (w *writer[T]) Idle(idle bool) error {
	w.now.idle = idle
	return w.report()
}

func (w *writer[T]) End() error {
	w.now.end = true
	return w.report()
}

// Close is for tasks that fail or are cancelled.
func (w *writer[T]) Close() { w.route.giveUp() }

func (w *writer[T]) report() error {
	if err := w.Flush(); err != nil {
		return err
	}
	for _, outlets := range w.route.Targets {
		for p := range outlets {
			outlets[p].report(w.now)
		}
	}
	return nil
}

func (w *writer[T]) Flush() error {
	if w.n == 0 {
		return nil
	}
	b, err := w.block()
	if err != nil {
		return err
	}
	b.timed, b.keyed = w.timed, w.keyed
	w.dealer.lay(w, b)
	w.n = 0
	return w.send(b)
}

// send gives each part's run of the block to its consumers. When the last view is sent the block may be gone already.
func (w *writer[T]) send(b *block[T]) error {
	shared := len(w.route.Targets) > 1 || w.dealer.copies()
	runs := 0
	for p := range w.route.parts() {
		if from, to := w.dealer.run(p); from < to {
			runs++
		}
	}
	b.readers.Store(int32(runs * len(w.route.Targets)))
	if w.packer != nil {
		w.packer.begin(b)
	}
	for _, outlets := range w.route.Targets {
		for p := range outlets {
			from, to := w.dealer.run(p)
			switch o := &outlets[p]; {
			case from == to:
			case o.far == nil:
				o.send(b, from, to, shared)
			default:
				if err := w.sendFar(o.far, from, to); err != nil {
					return err
				}
			}
		}
	}
	return nil
}

func (w *writer[T]) sendFar(c *channel, from, to int) error {
	pieces, err := w.packer.pack(from, to)
	for _, x := range pieces {
		c.send(x)
	}
	return err
}

// block takes a free block. In the middle of a batch the task cannot do anything else meanwhile, since operators must not be
// entered twice; that the task asks Ready between batches, and that there is an overdraft, makes such waits rare.
func (w *writer[T]) block() (*block[T], error) {
	if b := w.spare; b != nil {
		w.spare = nil
		return b, nil
	}
	for box := w.route.Box; ; box.Wait(Returns) {
		box.lower(Returns)
		if b := w.pool.take(credit + overdraft); b != nil {
			return b, nil
		}
		if err := box.Cancelled(); err != nil {
			return nil, err
		}
	}
}
