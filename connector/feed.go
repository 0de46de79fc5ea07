package connector

import (
	"context"
	"math/bits"
	"sync/atomic"
	"unsafe"
)

// A reader must not block, but most clients do. Between them stands a Feed: a ring of slots that the author's function fills on a
// goroutine of its own, and that the task's goroutine empties.
//
//	goroutine of the feed                                        goroutine of the task
//	read(ctx, feed, split, from) --Emit--> [ | |c|b|a|end| ] --Read--> batch
//	              waits while the ring is full                   says Wait while it is empty
//
// One goroutine writes and one reads, so that the two ends of the ring need no lock: a record is visible to Read as soon as Emit
// returns, and nobody has to flush. What else must be known travels in the ring too, in its place: the end of a split, after which
// come the records of the split that was assigned next, and the error or panic that ended it all.
//
// Each side sleeps only after it has set a flag (starving, full) and looked at the other end once more; the other side looks at
// the flag after it has moved its end. So no wake is lost.
//
// The goroutine is started by Assign, works through the splits one after the other, and ends when it has none, after an error, or
// when Close cancels it, which waits for it.

// NewFeed makes a reader of read, which may block. read emits the records of a split that come at or after position from, 0 being
// its start, and returns nil at the split's end. It runs on the reader's own goroutine, for one split at a time, and must return
// soon after ctx ends.
func NewFeed[T any](ctx context.Context, wake func(), read func(ctx context.Context, out *Feed[T], split string, from int64) error) Reader[T] {
	ctx, cancel := context.WithCancel(ctx)
	return &feedReader[T]{
		feed:   Feed[T]{ctx: ctx, wake: wake, room: make(chan struct{}, 1)},
		read:   read,
		cancel: cancel,
	}
}

// A Feed takes the records of a function that may block; see NewFeed.
type Feed[T any] struct {
	ctx   context.Context // the reader's; ends in Close
	wake  func()
	room  chan struct{} // a token says that the ring is not full any more
	slots []slot[T]     // a power of two, made on first use
	err   error         // set before the slot of kind failure

	head     atomic.Uint64 // the next slot to read; the task's goroutine moves it
	full     atomic.Bool   // the feed's goroutine waits for room
	_        [64]byte      // the two ends are written by different processors
	tail     atomic.Uint64 // the next slot to write; the feed's goroutine moves it
	starving atomic.Bool   // the task waits for a wake
}

// A slot holds a record with its time, if it has one, and the position after it; or a mark without them.
type slot[T any] struct {
	v        T
	ts, next int64
	kind     slotKind
}

type slotKind byte

const (
	record slotKind = iota
	timedRecord
	splitEnd
	failure
)

// The ring has as many slots as fit ringBytes, between minSlots and maxSlots.
const (
	ringBytes = 64 << 10
	minSlots  = 64
	maxSlots  = 1024
)

func slotsOf[T any]() int {
	var s slot[T]
	n := max(minSlots, min(maxSlots, ringBytes/int(unsafe.Sizeof(s))))
	return 1 << (bits.Len(uint(n)) - 1)
}

// Emit adds a record. next is the position to go on from after it: what read gets as from when the job is restored between this
// record and the one after. Emit waits while the feed is full; it fails only when ctx ended, and read should then return.
func (f *Feed[T]) Emit(v T, next int64) error { return f.put(slot[T]{v: v, next: next}) }

// EmitAt is Emit for a record with a time, in milliseconds since the epoch.
func (f *Feed[T]) EmitAt(v T, ts, next int64) error {
	return f.put(slot[T]{v: v, ts: ts, next: next, kind: timedRecord})
}

func (f *Feed[T]) put(s slot[T]) error {
	tail := f.tail.Load()
	if tail-f.head.Load() == uint64(len(f.slots)) {
		if err := f.waitForRoom(tail); err != nil {
			return err
		}
	}
	*f.slot(tail) = s
	f.tail.Store(tail + 1)
	if f.starving.Load() && f.starving.Swap(false) {
		f.wake()
	}
	return nil
}

func (f *Feed[T]) waitForRoom(tail uint64) error {
	for {
		f.full.Store(true)
		if tail-f.head.Load() < uint64(len(f.slots)) {
			return nil
		}
		select {
		case <-f.room:
		case <-f.ctx.Done():
			return context.Cause(f.ctx)
		}
	}
}

// find returns the slots that are there to read: from head up to tail. There are none if they are equal; then wake will be called.
func (f *Feed[T]) find() (head, tail uint64) {
	head, tail = f.head.Load(), f.tail.Load()
	if head == tail {
		f.starving.Store(true)
		tail = f.tail.Load()
	}
	return head, tail
}

// free gives back the slots before head.
func (f *Feed[T]) free(head uint64) {
	f.head.Store(head)
	if f.full.Load() && f.full.Swap(false) {
		select {
		case f.room <- struct{}{}:
		default:
		}
	}
}

func (f *Feed[T]) slot(i uint64) *slot[T] { return &f.slots[i&uint64(len(f.slots)-1)] }

// moveTo adds what the slot holds to b, and says whether it belongs there.
func (s *slot[T]) moveTo(b *Batch[T]) bool {
	timed := s.kind == timedRecord
	switch {
	case s.kind == splitEnd:
		b.End = true
		return true
	case s.kind == failure, len(b.V) == cap(b.V), len(b.V) > 0 && timed != (len(b.TS) > 0):
		return false
	case timed:
		b.TS = append(b.TS, s.ts)
	}
	b.V = append(b.V, s.v)
	return true
}
