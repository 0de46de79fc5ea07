package connector

import (
	"context"
	"slices"
	"sync"
)

// A reader must not block, but most clients do. Between them stands a Feed: a bounded queue of chunks that the author's function
// fills on a goroutine of its own and the task's goroutine empties.
//
//	goroutine of the reader                                   goroutine of the task
//	read(ctx, feed, split, from) --Emit--> | chunk | chunk | chunk.. | --Read--> batch
//	          ^-- waits in Emit while the queue is full                 takes the whole chunk, also an unfinished one
//
// A record is visible to Read as soon as Emit returns: nobody has to flush. The reader's goroutine is started by Assign, works
// through its splits one after the other, and ends when it has none; Close cancels it and waits. Its error or panic travels behind
// the records that were emitted before, and comes out of Read.

// chunkSize is the most records of a chunk, maxChunks the most chunks of the queue: what a reader reads ahead.
const (
	chunkSize = 256
	maxChunks = 4
)

// NewFeed makes a reader of read, which may block. read emits the records of a split that come at or after position from, 0 being
// its start, and returns nil at the split's end. It runs on the reader's own goroutine, for one split at a time, and must return
// soon after ctx ends.
func NewFeed[T any](ctx context.Context, wake func(), read func(ctx context.Context, out *Feed[T], split string, from int64) error) Reader[T] {
	ctx, cancel := context.WithCancel(ctx)
	f := &Feed[T]{ctx: ctx, wake: wake, room: make(chan struct{}, 1)}
	return &feedReader[T]{feed: f, read: read, cancel: cancel}
}

// A Feed takes the records of a blocking read.
type Feed[T any] struct {
	ctx   context.Context // the reader's; ends in Close
	wake  func()
	split string        // the one being read; the reader's goroutine alone uses it
	room  chan struct{} // says that the queue is shorter than it was

	mu struct {
		sync.Mutex
		queue    []*chunk[T] // oldest first; Emit may still add to the last one
		free     []*chunk[T]
		assigned []Split // not yet begun
		running  bool    // the reader's goroutine is there, and looks at assigned before it ends
		starving bool    // Read found nothing and has not been woken since
		err      error
	}
}

// A chunk is a row of records of one split, in columns. next has the position after each record.
type chunk[T any] struct {
	split string
	v     []T
	ts    []int64 // as long as v, or empty
	next  []int64
	end   bool // the split ends here
}

// Emit adds a record. next is the position to go on from after it: what read gets as from when the job is restored between this
// record and the one after. Emit waits while the queue is full; it fails only when ctx ended, and read should then return.
func (f *Feed[T]) Emit(v T, next int64) error { return f.emit(v, 0, next, false) }

// EmitAt is Emit for a record with a time, in milliseconds since the epoch.
func (f *Feed[T]) EmitAt(v T, ts, next int64) error { return f.emit(v, ts, next, true) }

func (f *Feed[T]) emit(v T, ts, next int64, timed bool) error {
	c, err := f.lockRoom(timed)
	if err != nil {
		return err
	}
	c.v, c.next = append(c.v, v), append(c.next, next)
	if timed {
		c.ts = append(c.ts, ts)
	}
	f.unlockAndWake()
	return nil
}

// lockRoom locks the queue and returns a chunk with room, once there is one.
func (f *Feed[T]) lockRoom(timed bool) (*chunk[T], error) {
	for {
		f.mu.Lock()
		if c := f.openLocked(timed); c != nil {
			return c, nil
		}
		f.mu.Unlock()
		select {
		case <-f.room:
		case <-f.ctx.Done():
			return nil, context.Cause(f.ctx)
		}
	}
}

// openLocked returns the chunk that takes the next record, or nil if the queue is full.
func (f *Feed[T]) openLocked(timed bool) *chunk[T] {
	q := f.mu.queue
	if n := len(q); n > 0 {
		last := q[n-1]
		if len(last.v) < chunkSize && last.split == f.split && !last.end && (len(last.ts) > 0) == timed {
			return last
		}
		if n == maxChunks {
			return nil
		}
	}
	return f.pushLocked()
}

// pushLocked puts an empty chunk of the current split at the end of the queue.
func (f *Feed[T]) pushLocked() *chunk[T] {
	c := &chunk[T]{}
	if n := len(f.mu.free); n > 0 {
		c, f.mu.free = f.mu.free[n-1], f.mu.free[:n-1]
	}
	c.split = f.split
	f.mu.queue = append(f.mu.queue, c)
	return c
}

func (f *Feed[T]) unlockAndWake() {
	starving := f.mu.starving
	f.mu.starving = false
	f.mu.Unlock()
	if starving {
		f.wake()
	}
}

// begin takes the next split to read; without one the reader's goroutine has to end.
func (f *Feed[T]) begin() (s Split, ok bool) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if len(f.mu.assigned) == 0 {
		f.mu.running = false
		return Split{}, false
	}
	s, f.mu.assigned = f.mu.assigned[0], f.mu.assigned[1:]
	f.split = s.ID
	return s, true
}

// finish ends the current split, or everything if err is not nil.
func (f *Feed[T]) finish(err error) {
	f.mu.Lock()
	if f.mu.err = err; err == nil {
		f.pushLocked().end = true
	}
	f.unlockAndWake()
}

// assign adds splits and says whether a goroutine must be started for them.
func (f *Feed[T]) assign(splits []Split) (start bool) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.mu.assigned = append(f.mu.assigned, splits...)
	start = !f.mu.running && len(splits) > 0
	f.mu.running = f.mu.running || start
	return start
}

// take gives back a chunk that was read and takes the oldest one: nil and no error if there is none yet.
func (f *Feed[T]) take(read *chunk[T]) (*chunk[T], error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if read != nil {
		clear(read.v) // what they point to must not be kept
		read.v, read.ts, read.next, read.end = read.v[:0], read.ts[:0], read.next[:0], false
		f.mu.free = append(f.mu.free, read)
	}
	if len(f.mu.queue) == 0 {
		f.mu.starving = true
		return nil, f.mu.err
	}
	c := f.mu.queue[0]
	f.mu.queue = slices.Delete(f.mu.queue, 0, 1)
	select {
	case f.room <- struct{}{}:
	default:
	}
	return c, nil
}
