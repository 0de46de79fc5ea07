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
	feed    *Feed[T]
	read    func(ctx context.Context, out *Feed[T], split string, from int64) error
	cancel  context.CancelFunc
	running sync.WaitGroup // the goroutine of run

	splits  []Split   // assigned and not at their end; the first is the one being read
	moved   bool      // whether offset is set
	offset  int64     // where the first split goes on after the last batch
	current *chunk[T] // being read, from record at on
	at      int
}

// Assign implements Reader.
func (r *feedReader[T]) Assign(splits []Split) error {
	for _, s := range splits {
		if _, err := s.Offset(); err != nil {
			return err
		}
	}
	r.splits = append(r.splits, splits...)
	if r.feed.assign(splits) {
		r.running.Go(r.run)
	}
	return nil
}

// run reads splits until there are none, an error, or Close.
func (r *feedReader[T]) run() {
	for {
		s, ok := r.feed.begin()
		if !ok {
			return
		}
		err := r.readSplit(s)
		r.feed.finish(err)
		if err != nil {
			return
		}
	}
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
	if err := r.read(r.feed.ctx, r.feed, s.ID, from); err != nil {
		return err
	}
	return context.Cause(r.feed.ctx) // a read that gives up when it is cancelled is not at the split's end
}

// Read implements Reader.
func (r *feedReader[T]) Read(b *Batch[T]) (Status, error) {
	if len(r.splits) == 0 {
		return Done, nil
	}
	if r.current == nil || r.at == len(r.current.v) {
		c, err := r.feed.take(r.current)
		r.current, r.at = c, 0
		if c == nil {
			return Wait, err
		}
	}
	r.fill(b)
	return More, nil
}

// fill moves records of the current chunk to b.
func (r *feedReader[T]) fill(b *Batch[T]) {
	c, from := r.current, r.at
	r.at = min(from+cap(b.V), len(c.v))
	b.Split = c.split
	b.V = append(b.V, c.v[from:r.at]...)
	if len(c.ts) > 0 {
		b.TS = append(b.TS, c.ts[from:r.at]...)
	}
	if r.at > from {
		r.moved, r.offset = true, c.next[r.at-1]
	}
	if c.end && r.at == len(c.v) {
		b.End = true
		r.splits, r.moved = r.splits[1:], false
	}
}

// Snapshot implements Reader.
func (r *feedReader[T]) Snapshot() ([]Split, error) {
	splits := slices.Clone(r.splits)
	if r.moved {
		splits[0].Position = Offset(r.offset)
	}
	return splits, nil
}

// Close implements Reader.
func (r *feedReader[T]) Close() error {
	r.cancel()
	r.running.Wait()
	return nil
}
