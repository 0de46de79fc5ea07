package connector

import (
	"context"
	"fmt"
	"runtime/debug"
	"slices"
	"sync"
)

// A feedReader is the task's side of a Feed.
type feedReader[T any] struct {
	feed   Feed[T]
	read   func(ctx context.Context, out *Feed[T], split string, from int64) error
	cancel context.CancelFunc

	splits []Split // assigned and not at their end; the first is the one that the next slot belongs to
	next   int64   // where the first split goes on after the last batch, if that had records of it
	moved  bool    // whether it had

	running sync.WaitGroup // the goroutine of work
	mu      struct {
		sync.Mutex
		assigned []Split // not yet begun
		working  bool    // the goroutine is there and will look at assigned again
	}
}

// Assign implements Reader.
func (r *feedReader[T]) Assign(splits []Split) error {
	for _, s := range splits {
		if _, err := s.Offset(); err != nil {
			return err
		}
	}
	if r.feed.slots == nil {
		r.feed.slots = make([]slot[T], slotsOf[T]())
	}
	r.splits = append(r.splits, splits...)
	r.mu.Lock()
	defer r.mu.Unlock()
	r.mu.assigned = append(r.mu.assigned, splits...)
	if !r.mu.working && len(splits) > 0 {
		r.mu.working = true
		r.running.Go(r.work)
	}
	return nil
}

// work reads split after split, until there are none, an error, or Close. It runs on the feed's goroutine.
func (r *feedReader[T]) work() {
	for {
		s, ok := r.begin()
		if !ok {
			return
		}
		end := slot[T]{kind: splitEnd}
		if r.feed.err = r.readSplit(s); r.feed.err != nil {
			end.kind = failure
		}
		if err := r.feed.put(end); err != nil || end.kind == failure {
			return
		}
	}
}

func (r *feedReader[T]) begin() (s Split, ok bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if len(r.mu.assigned) == 0 {
		r.mu.working = false
		return Split{}, false
	}
	s, r.mu.assigned = r.mu.assigned[0], r.mu.assigned[1:]
	return s, true
}

func (r *feedReader[T]) readSplit(s Split) (err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("panic while reading split %q: %v\n\n%s", s.ID, p, debug.Stack())
		}
	}()
	from, err := s.Offset()
	if err != nil {
		return err
	}
	if err := r.read(r.feed.ctx, &r.feed, s.ID, from); err != nil {
		return err
	}
	return context.Cause(r.feed.ctx) // who gives up because it is cancelled is not at the split's end
}

// Read implements Reader.
func (r *feedReader[T]) Read(b *Batch[T]) (Status, error) {
	if len(r.splits) == 0 {
		return Done, nil
	}
	head, tail := r.feed.find()
	switch {
	case head == tail:
		return Wait, context.Cause(r.feed.ctx)
	case r.feed.slot(head).kind == failure:
		return Wait, r.feed.err // it stays there, for the next Read
	}
	b.Split = r.splits[0].ID
	for head != tail && !b.End {
		s := r.feed.slot(head)
		if !s.moveTo(b) {
			break
		}
		r.next = s.next
		*s = slot[T]{} // what it points to must not be kept
		head++
	}
	r.feed.free(head)
	r.moved = r.moved || len(b.V) > 0
	if b.End {
		r.splits, r.moved = r.splits[1:], false
	}
	return More, nil
}

// Snapshot implements Reader.
func (r *feedReader[T]) Snapshot() ([]Split, error) {
	splits := slices.Clone(r.splits)
	if r.moved {
		splits[0].Position = Offset(r.next)
	}
	return splits, nil
}

// Close implements Reader.
func (r *feedReader[T]) Close() error {
	r.cancel()
	r.running.Wait()
	return nil
}
